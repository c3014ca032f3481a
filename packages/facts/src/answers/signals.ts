import { type Expectation } from "./expected-answer.ts";
import { covered, type PageEvidence, type UnitEvidence } from "./evidence.ts";
import { stemOf, wordsOf } from "./words.ts";

/** What a signal is computed from. */
export interface Case {
  readonly page: PageEvidence;
  readonly own: UnitEvidence;
  readonly before: UnitEvidence | undefined;
  readonly after: UnitEvidence | undefined;
  /** What the query asks for. */
  readonly expected: readonly Expectation[];
  /** Sums over all terms and pairs of the query, above 0. */
  readonly totals: { readonly terms: number; readonly pairs: number; readonly highest: number };
}

/**
 * What speaks for a unit, one line each, most of them from 0 to 1. The weights are those of a listwise softmax over the
 * questions of XQuAD in six languages, rounded; in four-fold cross-validation over articles the unit with the answer is
 * among the best three in 92 of 100, 88 by BM25 alone. That set has no headings: their two weights are chosen by hand.
 */
export const signals: readonly { readonly weight: number; readonly of: (given: Case) => number }[] = [
  { weight: 1, of: ({ own }) => own.match },
  { weight: 1.4, of: ({ own }) => own.match ** 2 },
  { weight: 0.5, of: ({ page, own }) => covered(page.query, [own.terms]) },
  { weight: 0.4, of: rarestTerm },
  { weight: 0.3, of: wordsInOrder },
  { weight: 1, of: exactWords },
  { weight: 0.55, of: ({ before }) => before?.match ?? 0 },
  { weight: 0.5, of: ({ after }) => after?.match ?? 0 },
  { weight: 1.4, of: ({ own }) => own.block.covered },
  { weight: 1.3, of: ({ own }) => own.block.rarity },
  { weight: 1.2, of: ({ page, own, before }) => covered(page.query, rowsOf(own, before)) },
  { weight: 0.6, of: ({ page, own, after }) => covered(page.query, rowsOf(own, after)) },
  { weight: 1.8, of: showsWhatIsAsked },
  { weight: 0.6, of: headingsAbove },
  { weight: -0.3, of: saysNothingNew },
  { weight: -0.5, of: ({ own }) => (own.unit.kind === "heading" ? 1 : 0) },
];

function rowsOf(...units: readonly (UnitEvidence | undefined)[]): readonly (readonly number[])[] {
  return units.flatMap((unit) => (unit ? [unit.terms] : []));
}

function rarestTerm({ page, own, totals }: Case): number {
  const present = page.query.terms.filter((_, term) => (own.terms[term] ?? 0) > 0);
  return Math.max(0, ...present.map(({ weight }) => weight)) / totals.highest;
}

/** Share of the pairs of the query whose words follow each other here, at most one word between them. */
function wordsInOrder({ page, own, totals }: Case): number {
  const { stems, counts } = own.words;
  const present = page.query.pairs.filter(({ stems: [first, second] }) => {
    if (!counts.has(first) || !counts.has(second)) return false;
    return stems.some(
      (stem, place) => stem === first && (stems[place + 1] === second || stems[place + 2] === second),
    );
  });
  return present.reduce((sum, { weight }) => sum + weight, 0) / totals.pairs;
}

/** Share of the query that stands here in the very same form. */
function exactWords({ page, own, totals }: Case): number {
  const present = page.query.terms.filter(({ word }) => own.words.words.has(word));
  return present.reduce((sum, { weight }) => sum + weight, 0) / totals.terms;
}

/** 1 when what is asked for is shown, or nothing special is asked for. */
function showsWhatIsAsked({ own, expected }: Case): number {
  return expected.length === 0 || expected.some(({ shows }) => shows.test(own.unit.text)) ? 1 : 0;
}

/** Share of the query that the headings above have. */
function headingsAbove({ page, own, totals }: Case): number {
  if (own.unit.headings.length === 0) return 0;
  const stems = new Set(own.unit.headings.flatMap((heading) => wordsOf(heading).map(stemOf)));
  const present = page.query.terms.filter(({ word }) => stems.has(stemOf(word)));
  return present.reduce((sum, { weight }) => sum + weight, 0) / totals.terms;
}

/** 1 when the unit has hardly a word that the query has not. */
function saysNothingNew({ page, own }: Case): number {
  const others = own.words.stems.filter((stem) => !page.query.stems.has(stem));
  return others.length < 3 ? 1 : 0;
}
