import { findEvidence, type PageEvidence, type UnitEvidence } from "./evidence.ts";
import { expectationsOf } from "./expected-answer.ts";
import { queryTerms, weightOf } from "./query-terms.ts";
import { type Case, signals } from "./signals.ts";
import { indexUnits } from "./unit-index.ts";
import type { Unit } from "./units.ts";

/** A unit and how well it fits a query. */
export interface RankedUnit {
  readonly unit: Unit;
  /** Place of the unit on the page. */
  readonly position: number;
  /** The probability of the unit among all of the page by the weights of the signals is its exponential. */
  readonly score: number;
}

/** The units of a page, the best for a query first. */
export interface Ranking {
  readonly units: readonly RankedUnit[];
  /** Share of the query, by what its words say, that the best unit and its block have. 0: the page has none of it. */
  readonly told: number;
}

export function rankUnits(units: readonly Unit[], query: string): Ranking {
  const index = indexUnits(units);
  const page = findEvidence(queryTerms(query, index), index);
  const given = { page, expected: expectationsOf(query), totals: totalsOf(page) };
  const scored = page.units.map((own, position) => ({
    unit: own.unit,
    position,
    score: scoreOf({ ...given, own, before: neighbour(page, own.before), after: neighbour(page, own.after) }),
  }));
  const ranked = scored.toSorted((one, other) => other.score - one.score || one.position - other.position);
  const best = page.units[ranked[0]?.position ?? -1];
  return { units: ranked, told: best ? page.query.known * best.block.covered : 0 };
}

function scoreOf(given: Case): number {
  return signals.reduce((sum, { weight, of }) => sum + weight * of(given), 0);
}

function neighbour({ units }: PageEvidence, position: number | undefined): UnitEvidence | undefined {
  return position === undefined ? undefined : units[position];
}

function totalsOf({ query }: PageEvidence): Case["totals"] {
  const { terms, pairs } = query;
  return {
    terms: Math.max(weightOf(terms), Number.EPSILON),
    pairs: Math.max(
      pairs.reduce((sum, { weight }) => sum + weight, 0),
      Number.EPSILON,
    ),
    highest: Math.max(Number.EPSILON, ...terms.map(({ weight }) => weight)),
  };
}
