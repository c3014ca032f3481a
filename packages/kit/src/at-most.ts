/**
 * Options of an LRU cache for so many entries. With `max` it would take room for all of them before the first one comes: the
 * caches of the service together 3 MB.
 */
export function atMost(entries: number) {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
