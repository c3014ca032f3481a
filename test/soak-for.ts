/** Runs a soak once, or again and again until this time is over. */
export async function soakFor(forMs: number, once: () => Promise<void>): Promise<void> {
  const endMs = performance.now() + forMs;
  do await once();
  while (performance.now() < endMs);
}
