interface PageOptions<Entry, Shown> {
  readonly limit: number;
  readonly idOf: (entry: Entry) => string;
  readonly show: (entry: Entry) => Shown;
}

/**
 * Builds a page of a list. The caller reads one entry more than fits, which tells whether another page
 * follows.
 */
export function pageFrom<Entry, Shown>(
  found: readonly Entry[],
  { limit, idOf, show }: PageOptions<Entry, Shown>,
) {
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    success: true as const,
    data: page.map(show),
    cursor: last === undefined ? null : idOf(last),
  };
}
