const WORDS = /[\p{L}\p{N}]+/gu;
const MAX_LENGTH = 500;

/** Lower-case words of a name. */
export function wordsOf(name: string): ReadonlySet<string> {
  return new Set(name.slice(0, MAX_LENGTH).normalize("NFKC").toLowerCase().match(WORDS));
}

/**
 * Likelihood that two names mean the same thing, 0 to 1: the share of the shorter name's words in the longer
 * one, reduced if the longer one has many more.
 */
export function similarity(one: string, other: string): number {
  const a = wordsOf(one);
  const b = wordsOf(other);
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (shared / Math.min(a.size, b.size)) * (0.7 + (0.3 * shared) / Math.max(a.size, b.size));
}
