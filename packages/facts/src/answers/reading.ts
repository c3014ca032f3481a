import { countTokens } from "@pergamon-dev/kit/count-tokens";
import { passagesOf } from "./passages.ts";
import { rankUnits } from "./rank.ts";
import { type Unit, unitsOf } from "./units.ts";

/** The part of a page that a model reads to answer. */
interface Reading {
  /** Units in page order. `number` is the unit's index among all units of the page. */
  readonly lines: readonly { readonly number: number; readonly text: string }[];
  /** False if some of the page did not fit. */
  readonly isWhole: boolean;
}

/** The units that fit into `maxTokens`: the first ones, or the most relevant ones for a query. */
export function readingOf(markdown: string, maxTokens: number, query?: string): Reading {
  const { units, isWhole } = unitsOf(markdown);
  const sizes = units.map(({ text }) => countTokens(text) + LINE_TOKENS);
  const fits = roomFor(maxTokens);
  const positions = sizes.every(roomFor(maxTokens))
    ? [...units.keys()]
    : inOrderOfWorth(units, query).filter((position) => fits(sizes[position] ?? 0));
  const lines = positions
    .toSorted((one, other) => one - other)
    .map((number) => ({ number, text: units[number]?.text ?? "" }));
  return { lines, isWhole: isWhole && lines.length === units.length };
}

/** The units at these indices, unchanged, one per line. */
export function passagesAt(markdown: string, positions: readonly number[]): string {
  const { units } = unitsOf(markdown);
  const chosen = [...new Set(positions)].flatMap((position) => {
    const unit = units[position];
    return unit ? [{ unit, position, score: 0 }] : [];
  });
  return passagesOf(chosen, markdown).join("\n");
}

/** Tokens of the line number and the line end. */
const LINE_TOKENS = 3;

/** Returns a function that adds up sizes and tells whether the sum still fits. */
function roomFor(most: number): (size: number) => boolean {
  let used = 0;
  return (size) => (used += size) <= most;
}

function inOrderOfWorth(units: readonly Unit[], query: string | undefined): readonly number[] {
  if (query === undefined) return [...units.keys()];
  return rankUnits(units, query).units.map(({ position }) => position);
}
