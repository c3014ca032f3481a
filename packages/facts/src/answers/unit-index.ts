import { countMoney, MONEY } from "./money.ts";
import type { Unit } from "./units.ts";
import { stemOf, wordsOf } from "./words.ts";

/** Only stems with this many equal first letters are compared as forms of the same word. */
export const BEGINNING_LENGTH = 4;

export interface UnitWords {
  readonly words: ReadonlySet<string>;
  readonly stems: readonly string[];
  /** Occurrences of each stem and of `MONEY`. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface UnitIndex {
  readonly units: readonly Unit[];
  readonly words: readonly UnitWords[];
  /** Number of units that contain each stem. */
  readonly frequency: ReadonlyMap<string, number>;
  /** Stems of the page by their first letters. */
  readonly byBeginning: ReadonlyMap<string, readonly string[]>;
  /** Mean number of words per unit. */
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

/** Inverse document frequency as in BM25: information of a stem that `among` of `all` units contain. */
export function rarity(among: number, all: number): number {
  return Math.log(1 + (all - among + 0.5) / (among + 0.5));
}
