import { type Band, bandsOf } from "./bands.ts";
import { alignedRows, joinContinued, tableOfRows } from "./aligned-rows.ts";
import { columnEdges } from "./column-edges.ts";
import { unionOf } from "./geometry.ts";
import type { Line } from "./line.ts";
import type { FoundTable } from "./ruled-tables.ts";
import type { HorizontalRule } from "./rulings.ts";
import { tableEvidence } from "./table-evidence.ts";

/** A row further below than this, in sizes, belongs to something else. */
const FARTHEST_ROW = 3.2;
/** Rows of one piece that a table may have between those of several. */
const MOST_SINGLE_ROWS = 2;
const MOST_COLUMNS = 30;

/** A table without rules around its cells, and the lines it has taken. */
export interface AlignedTable extends FoundTable {
  readonly lines: readonly Line[];
}

/** Neighbouring rows whose pieces stand in the same columns. */
export function alignedTables(lines: readonly Line[], rules: readonly HorizontalRule[]): AlignedTable[] {
  const bands = bandsOf(lines);
  const found: AlignedTable[] = [];
  for (let at = 0; at < bands.length; at++) {
    const end = endOfRun(bands, at);
    const table = end > at ? alignedTable(bands.slice(at, end), rules) : undefined;
    if (!table) continue;
    found.push(table);
    at = end - 1;
  }
  return found;
}

/** Where the rows that may be one table end, exclusive; the start itself where no table begins. */
function endOfRun(bands: readonly Band[], start: number): number {
  if ((bands[start]?.lines.length ?? 0) < 2) return start;
  let end = start + 1;
  let singles = 0;
  for (let at = start + 1; at < bands.length; at++) {
    const [before, band] = [bands[at - 1], bands[at]];
    if (!before || !band) break;
    if (band.top - before.base > FARTHEST_ROW * Math.max(before.size, band.size)) break;
    singles = band.lines.length < 2 ? singles + 1 : 0;
    if (singles > MOST_SINGLE_ROWS) break;
    if (singles === 0) end = at + 1;
  }
  return end;
}

function alignedTable(bands: readonly Band[], rules: readonly HorizontalRule[]): AlignedTable | undefined {
  if (bands.filter((band) => band.lines.length > 1).length < 2) return undefined;
  const edges = columnEdges(bands);
  if (edges.length === 0 || edges.length >= MOST_COLUMNS) return undefined;
  const rows = alignedRows(bands, edges);
  const lines = bands.flatMap((band) => band.lines);
  const box = unionOf(lines);
  if (tableEvidence(rows, { box, rules }) < 0) return undefined;
  const table = tableOfRows(joinContinued(rows), edges.length + 1);
  return { ...box, table, lines, words: lines.flatMap(({ words }) => words), isRuled: false };
}
