import { unionOf } from "../numbers/geometry.ts";
import { cluster } from "../numbers/statistics.ts";
import type { Line } from "../page/line.ts";
import { type AlignedRow, alignedRows, joinContinued, piecesOf, tableOfRows } from "./aligned-rows.ts";
import type { AlignedTable } from "./aligned-tables.ts";
import { bandsOf } from "./bands.ts";
import { columnEdges } from "./column-edges.ts";
import { type Frame, framesOf } from "./frames.ts";
import { type Extent, headRows } from "./head-cells.ts";
import type { RuleLine } from "./rule-lines.ts";
import { tableEvidence } from "./table-evidence.ts";
import { wrappedRows } from "./wrapped-rows.ts";

const MAX_LINES = 3000;
const MAX_COLUMNS = 30;
/** Cuts of lines no further apart than this, in points, are one. */
const SAME_CUT = 3;
/** Share of the pieces that an edge may go through. */
const MAX_CUT = 0.15;
/** The weight of a frame among the other signs that distinguish a table from columns of text. */
const FRAME_EVIDENCE = 1;

/** Tables between horizontal lines of one length, without lines between their columns. */
export function framedTables(lines: readonly Line[], rules: readonly RuleLine[]): AlignedTable[] {
  if (lines.length > MAX_LINES) return [];
  const taken = new Set<Line>();
  return framesOf(rules, lines).flatMap((frame) => {
    const table = tableIn(frame);
    if (!table || table.lines.some((line) => taken.has(line))) return [];
    for (const line of table.lines) taken.add(line);
    return [table];
  });
}

function tableIn(frame: Frame): AlignedTable | undefined {
  const lines = frame.sections.flat();
  const { head, body } = partsOf(frame);
  if (body.length === 0) return undefined;
  const edges = usedEdges(edgesOf(frame, body.flat()), body.flat());
  if (edges.length === 0 || edges.length >= MAX_COLUMNS) return undefined;
  const rows = bodyRows(body, edges);
  const box = unionOf(lines);
  if (tableEvidence(rows, { box, rules: frame.full, isWrapped: false }) + FRAME_EVIDENCE < 0)
    return undefined;
  const columns = columnsOf(body.flat(), edges);
  const heads =
    head.length > 0
      ? headRows({ pieces: piecesOf(head, edges), columns, partial: partialWithin(frame, head) })
      : [];
  const { rows: written } = tableOfRows(rows, edges.length + 1);
  return {
    ...box,
    table: { columns: edges.length + 1, rows: [...heads, ...written] },
    lines,
    words: lines.flatMap(({ words }) => words),
    isRuled: false,
  };
}

interface Parts {
  readonly head: readonly Line[];
  readonly body: readonly (readonly Line[])[];
}

/** The head ends at the first line over the whole width, or at one that begins where the table does. */
function partsOf({ sections, partial, full: [top] }: Frame): Parts {
  const [first = [], ...others] = sections;
  if (others.length > 0) return { head: first, body: others };
  const border = partial.findLast(({ x0 }) => top !== undefined && x0 - top.x0 < SAME_CUT);
  if (!border) return { head: [], body: sections };
  const isHead = ({ base }: Line) => base < border.y;
  return { head: first.filter(isHead), body: [first.filter((line) => !isHead(line))] };
}

function partialWithin({ partial }: Frame, head: readonly Line[]): RuleLine[] {
  const { y0, y1 } = unionOf(head);
  return partial.filter(({ y }) => y > y0 && y < y1);
}

/** Where lines are drawn column by column, their cuts; else the gaps between the columns. */
function edgesOf({ full, partial }: Frame, body: readonly Line[]): number[] {
  const cuts = cluster(
    [...full, ...partial].flatMap((rule) => rule.cuts),
    SAME_CUT,
  );
  const crossing = body.filter((line) => cuts.some((cut) => isCutByWord(line, cut))).length;
  if (cuts.length > 0 && crossing <= MAX_CUT * body.length) return cuts;
  const bands = bandsOf(body);
  return bands.some((band) => band.lines.length > 1) ? columnEdges(bands) : [];
}

/** Without those of columns in which nothing stands, such as white that is drawn as a column. */
function usedEdges(edges: readonly number[], body: readonly Line[]): number[] {
  const used = new Set(piecesOf(body, edges).flatMap(({ from, to }) => [from, to]));
  return edges.filter((_edge, at) => used.has(at) && [...used].some((column) => column > at));
}

function isCutByWord({ words }: Line, cut: number): boolean {
  return words.some(({ x0, x1 }) => x0 < cut - 1 && x1 > cut + 1);
}

function bodyRows(sections: readonly (readonly Line[])[], edges: readonly number[]): AlignedRow[] {
  const columns = edges.length + 1;
  const wrapped =
    sections.length === 1 ? wrappedRows(piecesOf(sections.flat(), edges), columns, true) : undefined;
  if (wrapped) return wrapped;
  return sections.flatMap((lines) => {
    const bands = bandsOf(lines);
    return joinContinued(alignedRows(bands, edges));
  });
}

function columnsOf(body: readonly Line[], edges: readonly number[]): Extent[] {
  const pieces = piecesOf(body, edges).filter(({ from, to }) => from === to);
  return [...edges, 0].map((_edge, at) => {
    const own = pieces.filter(({ from }) => from === at).map(({ line }) => line);
    const [left, right] = [edges[at - 1], edges[at]];
    if (own.length > 0) return unionOf(own);
    return { x0: left ?? (right ?? 0) - 1, x1: right ?? (left ?? 0) + 1 };
  });
}
