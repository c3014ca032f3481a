import { countMoney, MONEY } from "./money.ts";
import type { Unit } from "./units.ts";
import { stemOf, wordsOf } from "./words.ts";

/** Stems of a query that begin like this many letters of others may be forms of them. */
export const BEGINNING_LENGTH = 4;

/** The words of one unit. */
export interface UnitWords {
  readonly words: ReadonlySet<string>;
  readonly stems: readonly string[];
  /** How often each stem occurs, and `MONEY`. */
  readonly counts: ReadonlyMap<string, number>;
}

/** The words of a page, unit by unit. */
export interface UnitIndex {
  readonly units: readonly Unit[];
  readonly words: readonly UnitWords[];
  /** In how many units each stem occurs. */
  readonly frequency: ReadonlyMap<string, number>;
  /** The stems of the page by their first letters. */
  readonly byBeginning: ReadonlyMap<string, readonly string[]>;
  /** Words in a unit. */
  readonly averageLength: number;
}

export function indexUnits(units: readonly Unit[]): UnitIndex {
  const words = units.map(({ text }) => unitWords(text));
  const total = words.reduce((sum, { stems }) => sum + stems.length, 0);
  const frequency = countedBy(words.flatMap(({ counts }) => [...counts.keys()]));
  return {
    units,
    words,
    frequency,
    byBeginning: groupedByBeginning(frequency.keys()),
    averageLength: Math.max(1, total / Math.max(1, units.length)),
  };
}

function unitWords(text: string): UnitWords {
  const words = wordsOf(text);
  const stems = words.map(stemOf);
  const counts = countedBy([...stems, ...Array<string>(countMoney(text)).fill(MONEY)]);
  return { words: new Set(words), stems, counts };
}

export function countedBy<Value>(values: Iterable<Value>): ReadonlyMap<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

function groupedByBeginning(stems: Iterable<string>): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const stem of stems) {
    if (stem.length < BEGINNING_LENGTH) continue;
    const beginning = stem.slice(0, BEGINNING_LENGTH);
    const group = groups.get(beginning);
    if (group) group.push(stem);
    else groups.set(beginning, [stem]);
  }
  return groups;
}

/** How much it says that a word occurs which is in so many of all units (the common formula of BM25). */
export function rarity(among: number, all: number): number {
  return Math.log(1 + (all - among + 0.5) / (among + 0.5));
}
