import type { TextArea } from "../areas.ts";
import { unionOf } from "../numbers/geometry.ts";
import { joinLines } from "../text/characters.ts";
import type { FoundTable } from "./ruled-tables.ts";

/** Pages with more texts are not searched. */
const MAX_TEXTS = 100;
/** A head, and below it rows of a label and texts. */
const LEAST_ROWS = 3;
const LEAST_COLUMNS = 3;
const MAX_LABEL_WORDS = 5;
/** In points. Texts of a column begin within this distance. */
const SAME_START = 2;
/** In em. Rows are further apart than lines of a text. */
const ROW_GAP = 0.8;

interface CrossTable {
  readonly table: FoundTable;
  readonly texts: readonly TextArea[];
}

/**
 * A table without rules, whose texts have several lines: labels at the left of all rows but the first, and a head above all columns
 * but the first. In columns of running text neither is so.
 */
export function crossTableOf(texts: readonly TextArea[]): CrossTable | undefined {
  if (texts.length < LEAST_ROWS * LEAST_COLUMNS - 1 || texts.length > MAX_TEXTS) return undefined;
  const strips = stripsOf(texts);
  for (const [at, head] of strips.entries()) {
    if (head.length < LEAST_COLUMNS - 1 || !head.every(isShort)) continue;
    const rows: (readonly TextArea[])[] = [];
    for (const strip of strips.slice(at + 1)) {
      if (!isRowBelow(head, strip, rows[0])) break;
      rows.push(strip);
    }
    const isWrapped = rows.flat().some(({ lines }) => lines.length > 1);
    if (rows.length + 1 >= LEAST_ROWS && isWrapped) return tableOf([head, ...rows]);
  }
  return undefined;
}

/** Texts beside each other, from the left, with white space above and below all of them. */
function stripsOf(texts: readonly TextArea[]): TextArea[][] {
  const strips: TextArea[][] = [];
  let bottom = -Infinity;
  for (const text of texts.toSorted((a, b) => a.y0 - b.y0)) {
    const size = text.lines[0]?.size ?? 0;
    if (text.y0 - bottom > ROW_GAP * size) strips.push([text]);
    else strips.at(-1)?.push(text);
    bottom = Math.max(bottom, text.y1);
  }
  return strips.map((strip) => strip.toSorted((a, b) => a.x0 - b.x0));
}

function isShort({ lines }: TextArea): boolean {
  return lines.length === 1 && (lines[0]?.words.length ?? 0) <= MAX_LABEL_WORDS;
}

function isRowBelow(
  head: readonly TextArea[],
  [label, ...cells]: readonly TextArea[],
  first: readonly TextArea[] | undefined,
): boolean {
  if (!label || cells.length !== head.length) return false;
  const starts = cells.every(({ x0 }, at) => isNear(x0, head[at]?.x0 ?? 0));
  const isLabel = (label.lines[0]?.words.length ?? 0) <= MAX_LABEL_WORDS && label.lines.length < LEAST_ROWS;
  return starts && isLabel && label.x1 < (cells[0]?.x0 ?? 0) && isNear(label.x0, first?.[0]?.x0 ?? label.x0);
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < SAME_START;
}

function tableOf([head = [], ...rows]: readonly (readonly TextArea[])[]): CrossTable {
  const texts = [head, ...rows].flat();
  const cellOf = (text: string, column: number) => ({ column, colspan: 1, rowspan: 1, text });
  const cellsOf = (row: readonly TextArea[], from: number) =>
    row.map(({ lines }, at) => cellOf(joinLines(lines.map(({ text }) => text)), from + at));
  const table = {
    columns: head.length + 1,
    rows: [[cellOf("", 0), ...cellsOf(head, 1)], ...rows.map((row) => cellsOf(row, 0))],
  };
  const words = texts.flatMap(({ lines }) => lines.flatMap((line) => line.words));
  return { table: { ...unionOf(texts), table, words, isRuled: false }, texts };
}
