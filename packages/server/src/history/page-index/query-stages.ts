/** A quoted word of a query, with the number of pages that contain it. */
export interface Counted {
  readonly term: string;
  readonly pages: number;
}

/** Pages with a term are counted up to this number. A word on more pages counts as common. */
export const MAX_COUNTED = 10_000;
/** Number of the rarest words that decide. Matches of the others tell little. */
const MAX_DECIDING = 5;

/** One search in the index. */
export interface Stage {
  readonly expression: string;
  /** Maximum pages to compare, counted from the team's first page. Undefined: all. */
  readonly maxCompared?: number;
}

/**
 * Searches to try in turn when too few pages have all words: for most of the rarest words, then fewer, then
 * any of them, and last for words so common that not all of their pages are compared. Each costs about as
 * much as the pages that it finds.
 */
export function fallbacksOf(counted: readonly Counted[]): readonly Stage[] {
  const rarest = counted.filter(({ pages }) => pages > 0).toSorted((one, other) => one.pages - other.pages);
  const terms = rarest.slice(0, MAX_DECIDING).map(({ term }) => term);
  const sizes = terms.map((_, index) => terms.length - index);
  const several = sizes.filter((size) => size > 1 && size < counted.length);
  return [...several.map((size) => ({ expression: anyOf(combinations(terms, size)) })), ...anyWord(rarest)];
}

/** Any of the words that are rare together, then any word. */
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
