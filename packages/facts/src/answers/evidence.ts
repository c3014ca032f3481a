import { type QueryTerms, type QueryTerm, weightOf } from "./query-terms.ts";
import { countedBy, rarity, type UnitIndex, type UnitWords } from "./unit-index.ts";
import type { Unit } from "./units.ts";

/** What one unit of a page has of a query. */
export interface UnitEvidence {
  readonly unit: Unit;
  readonly words: UnitWords;
  /** BM25 over stems, as a share of the page's highest. */
  readonly match: number;
  /** By term: what it adds to BM25 before its weight; 0 when the unit lacks it. */
  readonly terms: readonly number[];
  /** The units before and after it, if they are of the same block. */
  readonly before: number | undefined;
  readonly after: number | undefined;
  /** What its block has of the query: share of weight, and of the highest sum of rarities. */
  readonly block: BlockEvidence;
}

interface BlockEvidence {
  readonly covered: number;
  readonly rarity: number;
}

/** What a page has of a query. */
export interface PageEvidence {
  readonly query: QueryTerms;
  readonly units: readonly UnitEvidence[];
}

/** How soon repetitions count no more, and how much long units are held back (Robertson's k1 and b). */
const REPETITION = 1.2;
const LENGTH_PENALTY = 0.4;

export function findEvidence(query: QueryTerms, index: UnitIndex): PageEvidence {
  const rows = index.words.map((words) => query.terms.map((term) => matchOf(term, words, index)));
  const sums = rows.map((row) => row.reduce((sum, value, term) => sum + value * weightAt(query, term), 0));
  const highest = highestOf(sums);
  const blocks = blockEvidence(query, index, rows);
  const { units } = index;
  const isTogether = (one: number, other: number) => units[one]?.block === units[other]?.block;
  return {
    query,
    units: units.map((unit, position) => ({
      unit,
      words: index.words[position] as UnitWords,
      match: (sums[position] ?? 0) / highest,
      terms: rows[position] ?? [],
      before: isTogether(position, position - 1) ? position - 1 : undefined,
      after: isTogether(position, position + 1) ? position + 1 : undefined,
      block: blocks.get(unit.block) as BlockEvidence,
    })),
  };
}

/** Share of the query's weight that these units have together. */
export function covered(query: QueryTerms, rows: readonly (readonly number[])[]): number {
  const present = query.terms.filter((_, term) => rows.some((row) => (row[term] ?? 0) > 0));
  return weightOf(present) / Math.max(weightOf(query.terms), Number.EPSILON);
}

function matchOf({ forms }: QueryTerm, { counts, stems }: UnitWords, { averageLength }: UnitIndex): number {
  let best = 0;
  for (const [form, quality] of forms) {
    const count = counts.get(form) ?? 0;
    if (count === 0) continue;
    const length = 1 - LENGTH_PENALTY + (LENGTH_PENALTY * stems.length) / averageLength;
    best = Math.max(best, (quality * count * (REPETITION + 1)) / (count + REPETITION * length));
  }
  return best;
}

function blockEvidence(
  query: QueryTerms,
  { units }: UnitIndex,
  rows: readonly (readonly number[])[],
): ReadonlyMap<number, BlockEvidence> {
  const byBlock = new Map<number, (readonly number[])[]>();
  for (const [position, { block }] of units.entries()) {
    const known = byBlock.get(block);
    const row = rows[position] ?? [];
    if (known) known.push(row);
    else byBlock.set(block, [row]);
  }
  const terms = [...byBlock].map(([block, own]) => [block, termsIn(own)] as const);
  const frequency = countedBy(terms.flatMap(([, present]) => present));
  const sums = terms.map(([, present]) =>
    present.reduce((sum, term) => sum + rarity(frequency.get(term) ?? 0, byBlock.size), 0),
  );
  const highest = highestOf(sums);
  return new Map(
    terms.map(([block], position) => [
      block,
      { covered: covered(query, byBlock.get(block) ?? []), rarity: (sums[position] ?? 0) / highest },
    ]),
  );
}

/** The terms that some of the rows have, each once. */
function termsIn(rows: readonly (readonly number[])[]): readonly number[] {
  return [...(rows[0] ?? []).keys()].filter((term) => rows.some((row) => (row[term] ?? 0) > 0));
}

function weightAt({ terms }: QueryTerms, term: number): number {
  return terms[term]?.weight ?? 0;
}

function highestOf(values: readonly number[]): number {
  return values.reduce((highest, value) => Math.max(highest, value), Number.EPSILON);
}
