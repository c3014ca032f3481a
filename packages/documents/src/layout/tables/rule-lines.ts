import type { HorizontalRule } from "./rulings.ts";

/** In points. Pieces of one rule differ by at most this in height, and in the gap between their ends. */
const SAME_HEIGHT = 1.6;
const SAME_END = 2.5;

/** A horizontal rule, joined from the pieces it is drawn in. */
export interface RuleLine extends HorizontalRule {
  /** x positions where pieces meet. Table rules are often drawn cell by cell. */
  readonly cuts: readonly number[];
}

/** @param rules - from top to bottom */
export function ruleLines(rules: readonly HorizontalRule[]): RuleLine[] {
  const rows: HorizontalRule[][] = [];
  for (const rule of rules) {
    const row = rows.at(-1);
    if (row?.[0] && rule.y - row[0].y < SAME_HEIGHT) row.push(rule);
    else rows.push([rule]);
  }
  return rows.flatMap((row) => joinPieces(row.sort((a, b) => a.x0 - b.x0)));
}

function joinPieces(pieces: readonly HorizontalRule[]): RuleLine[] {
  const lines: RuleLine[] = [];
  for (const { x0, x1, y } of pieces) {
    const before = lines.at(-1);
    if (before && x0 <= before.x1 + SAME_END) {
      const meets = x0 > before.x1 - SAME_END && x1 > before.x1 + SAME_END;
      const cuts = meets ? [...before.cuts, (before.x1 + x0) / 2] : before.cuts;
      lines[lines.length - 1] = { ...before, x1: Math.max(before.x1, x1), cuts };
    } else lines.push({ x0, x1, y, cuts: [] });
  }
  return lines;
}
