/** A word of a query, quoted, and in how many pages it is. */
export interface Counted {
  readonly term: string;
  readonly pages: number;
}

/** Pages with a term are counted up to here: a word that is in more is common. */
export const MAX_COUNTED = 10_000;
/** So many of the rarest words decide; how the others fit says little. */
const MAX_DECIDING = 5;

/** What is looked for in the index. */
export interface Stage {
  readonly expression: string;
  /** Pages that are compared, the first of the team's. Undefined: all. */
  readonly maxCompared?: number;
}

/**
 * What to look for once too few pages have all words: most of the rarest, then fewer, then any, and last words that so
 * many pages have that not all of them are compared. Each costs about as much as the pages that it finds.
 */
export function fallbacksOf(counted: readonly Counted[]): readonly Stage[] {
  const rarest = counted.filter(({ pages }) => pages > 0).toSorted((one, other) => one.pages - other.pages);
  const terms = rarest.slice(0, MAX_DECIDING).map(({ term }) => term);
  const sizes = terms.map((_, index) => terms.length - index);
  const several = sizes.filter((size) => size > 1 && size < counted.length);
  return [...several.map((size) => ({ expression: anyOf(combinations(terms, size)) })), ...anyWord(rarest)];
}

/** Any of the words that are rare together; then any. */
function anyWord(rarest: readonly Counted[]): readonly Stage[] {
  let pages = 0;
  const rare = rarest.filter((counted) => (pages += counted.pages) < MAX_COUNTED);
  const stages = [
    { expression: eitherOf(rare) },
    ...(rare.length < rarest.length ? [{ expression: eitherOf(rarest), maxCompared: MAX_COUNTED }] : []),
  ];
  return stages.filter(({ expression }) => expression !== "");
}

function eitherOf(counted: readonly Counted[]): string {
  return counted.map(({ term }) => term).join(" OR ");
}

function anyOf(combined: readonly (readonly string[])[]): string {
  return combined.map((terms) => `(${terms.join(" AND ")})`).join(" OR ");
}

function combinations(terms: readonly string[], size: number): readonly (readonly string[])[] {
  if (size === 0) return [[]];
  return terms.flatMap((term, index) =>
    combinations(terms.slice(index + 1), size - 1).map((others) => [term, ...others]),
  );
}
