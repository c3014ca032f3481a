import { middleX, unionOf, widthOf } from "../numbers/geometry.ts";
import { cluster, median } from "../numbers/statistics.ts";
import type { Line } from "../page/line.ts";
import {
  type AlignedRow,
  alignedRows,
  headPieces,
  joinContinued,
  piecesOf,
  tableOfRows,
} from "./aligned-rows.ts";
import type { AlignedTable } from "./aligned-tables.ts";
import { bandsOf } from "./bands.ts";
import { columnEdges } from "./column-edges.ts";
import { type Extent, headRows } from "./head-cells.ts";
import type { RuleLine } from "./rule-lines.ts";
import { tableEvidence } from "./table-evidence.ts";
import { wrappedRows } from "./wrapped-rows.ts";
import { textOf } from "../page/line-text.ts";
import { markerOf } from "../text/markers.ts";
import { startsAsCaption } from "../text/captions.ts";

const MAX_LINES = 3000;
const MAX_COLUMNS = 30;
/** In points. Cuts of different lines within this distance are one. */
const SAME_CUT = 3;
/** Maximum share of pieces that an edge may cross. */
const MAX_CUT = 0.15;
/** Weight of a frame in the table evidence, against columns of text. */
const FRAME_EVIDENCE = 1;

/** Finds tables between horizontal rules of equal length, without rules between columns. */
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
  if (edges.length === 0) return listedIn(frame);
  if (edges.length >= MAX_COLUMNS) return undefined;
  const rows = bodyRows(body, edges);
  const box = unionOf(lines);
  if (tableEvidence(rows, { box, rules: frame.full, isWrapped: false }) + FRAME_EVIDENCE < 0)
    return undefined;
  const columns = columnsOf(body.flat(), edges);
  const heads =
    head.length > 0
      ? headRows({ pieces: headPieces(head, edges), columns, partial: partialWithin(frame, head) })
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

/** Fewer lines below a head may be a note. */
const LEAST_LISTED = 3;
/** In em. */
const SAME_START = 0.3;

/** A table of one column: a head between rules, below it lines that end before the next word would have to. */
function listedIn({ sections, full }: Frame): AlignedTable | undefined {
  const [[head, ...others] = [], body = []]: readonly (readonly Line[])[] = sections;
  const [top] = full;
  const isOne = others.length === 0 && sections.length === 2 && full.length === 3;
  if (!head || !top || !isOne || body.length < LEAST_LISTED) return undefined;
  const lines = [head, ...body.toSorted((a, b) => a.base - b.base)];
  const isRow = (line: Line, at: number) =>
    Math.abs(line.x0 - head.x0) < SAME_START * line.size &&
    !line.isMonospaced &&
    !/^\p{Ll}/u.test(line.text) &&
    markerOf({ text: line.text, runs: [] }) === undefined &&
    line.hasRoomFor(lines[at + 1] ?? line, top.x1);
  if (!lines.every(isRow)) return undefined;
  const rows = lines.map(({ text }) => [{ column: 0, colspan: 1, rowspan: 1, text }]);
  return {
    ...unionOf(lines),
    table: { columns: 1, rows },
    lines,
    words: lines.flatMap(({ words }) => words),
    isRuled: false,
  };
}

interface Parts {
  readonly head: readonly Line[];
  readonly body: readonly (readonly Line[])[];
}

/** The head ends at the first full-width rule, or at one that begins at the table's left edge. */
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

/** Column edges are the cuts of rules drawn column by column, else the gaps between columns. */
function edgesOf({ full, partial }: Frame, body: readonly Line[]): number[] {
  const cuts = cluster(
    [...full, ...partial].flatMap((rule) => rule.cuts),
    SAME_CUT,
  );
  const crossing = body.filter((line) => isCutByWord(line, cuts)).length;
  if (cuts.length > 0 && crossing <= MAX_CUT * body.length) return cuts;
  const bands = bandsOf(body);
  return bands.some((band) => band.lines.length > 1) ? columnEdges(bands) : [];
}

/** Drops the edges of empty columns, such as white space drawn as a column. */
function usedEdges(edges: readonly number[], body: readonly Line[]): number[] {
  const used = new Set(piecesOf(body, edges).flatMap(({ from, to }) => [from, to]));
  return edges.filter((_edge, at) => used.has(at) && [...used].some((column) => column > at));
}

/** @param cuts - from left to right */
function isCutByWord({ words }: Line, cuts: readonly number[]): boolean {
  return words.some(({ x0, x1 }) => x1 > (cuts.find((cut) => x0 < cut - 1) ?? Infinity) + 1);
}

function bodyRows(sections: readonly (readonly Line[])[], edges: readonly number[]): AlignedRow[] {
  const columns = edges.length + 1;
  const wrapped =
    sections.length === 1 ? wrappedRows(piecesOf(sections.flat(), edges), columns, true) : undefined;
  if (wrapped) return wrapped;
  return sections.flatMap((lines) => {
    const bands = bandsOf(lines);
    return joinContinued(alignedRows(bands, edges), sections.length > 1);
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

/** In points. Rules whose ends differ by at most this are equally long. */
const SAME_END = 4;
/** In points. Closer rules are one rule drawn twice. */
const DOUBLE = 4;
const LEAST_WIDTH = 60;
const MAX_RULES = 400;
/** Running text fills at least this share of the width, with at least this many words. */
const FULL_LINE = 0.7;
const RUNNING_WORDS = 8;

/** The area between two rules of equal length with further rules between them, as in printed tables. */
interface Frame {
  /** Lines between the full-width rules, from top to bottom. */
  readonly sections: readonly (readonly Line[])[];
  /** Rules over only some of the columns. */
  readonly partial: readonly RuleLine[];
  readonly full: readonly RuleLine[];
}

/** From top to bottom; frames do not nest. */
function framesOf(rules: readonly RuleLine[], lines: readonly Line[]): Frame[] {
  if (rules.length > MAX_RULES) return [];
  return groupsOf(rules.filter((rule) => rule.x1 - rule.x0 >= LEAST_WIDTH)).flatMap((group) =>
    framesIn(group, rules, lines),
  );
}

/** Groups rules of equal length below each other. */
function groupsOf(rules: readonly RuleLine[]): RuleLine[][] {
  const groups: RuleLine[][] = [];
  for (const rule of rules) {
    const group = groups.find(([first]) => first !== undefined && isSameLength(first, rule));
    const last = group?.at(-1);
    if (!group) groups.push([rule]);
    else if (last && rule.y - last.y < DOUBLE) group[group.length - 1] = rule;
    else group.push(rule);
  }
  return groups.filter(({ length }) => length > 1);
}

function isSameLength(a: RuleLine, b: RuleLine): boolean {
  return Math.abs(a.x0 - b.x0) < SAME_END && Math.abs(a.x1 - b.x1) < SAME_END;
}

function framesIn(group: readonly RuleLine[], rules: readonly RuleLine[], lines: readonly Line[]): Frame[] {
  const frames: Frame[] = [];
  let full: RuleLine[] = [];
  let sections: (readonly Line[])[] = [];
  const close = () => {
    const [top, bottom] = [full[0], full.at(-1)];
    const outer = rowsBeyond(full, sections, lines);
    const head = top && sections.length > 1 && outer.above.length === 0 ? headAbove(top, lines) : outer.above;
    sections = [head, ...sections, outer.below].filter(({ length }) => length > 0);
    if (top && bottom && sections.length > 0)
      frames.push({ sections, full, partial: partialOf(rules, top, bottom) });
    sections = [];
  };
  for (const rule of group) {
    const before = full.at(-1);
    const inside = before ? linesBetween(before, rule, lines) : [];
    if (before && (inside.length === 0 || isRunningText(inside, before))) {
      close();
      full = [];
    } else if (before) sections.push(inside);
    full.push(rule);
  }
  close();
  return frames.filter(({ sections: { length }, partial }) => length > 1 || partial.length > 0);
}

/** Rules that part rows are this many, at distances that differ by at most this share. */
const LEAST_PARTING = 4;
const SAME_DISTANCE = 0.1;

/** Where rules part rows, and there is none at the top or bottom: the first row, or the last. */
function rowsBeyond(
  rules: readonly RuleLine[],
  sections: readonly (readonly Line[])[],
  lines: readonly Line[],
) {
  const [top, bottom] = [rules[0], rules.at(-1)];
  const distances = rules.slice(1).map(({ y }, at) => y - (rules[at]?.y ?? 0));
  const distance = median(distances);
  const isEven = distances.every((one) => Math.abs(one - distance) < SAME_DISTANCE * distance);
  if (!top || !bottom || rules.length < LEAST_PARTING || !isEven) return { above: [], below: [] };
  const pieces = median(sections.map(({ length }) => length));
  const rowFrom = (y: number): readonly Line[] => {
    const own = linesBetween({ ...top, y }, { ...top, y: y + distance }, lines);
    const isRow =
      own.length > 1 &&
      2 * own.length > pieces &&
      own.every((line) => line === own[0] || isBeside(line, own[0] ?? line));
    return isRow && !isRunningText(own, top) ? own : [];
  };
  return { above: rowFrom(top.y - distance), below: rowFrom(bottom.y) };
}

/** In em. The first of rules that are below rows is as far below the head. */
const HEAD_DISTANCE = 1.6;

/** The row above the first rule, where it looks like a head: bold, and no part of a text. */
function headAbove(rule: RuleLine, lines: readonly Line[]): Line[] {
  const size = Math.max(...lines.map((line) => line.size));
  const above = linesBetween({ ...rule, y: rule.y - HEAD_DISTANCE * size }, rule, lines);
  const base = Math.max(...above.map((line) => line.base));
  const head = above.filter(
    (line) => rule.y - line.base < HEAD_DISTANCE * line.size && base - line.base < 0.5 * line.size,
  );
  const isHead = head.length > 1 && head.every((line) => line.isBold && line.words.length < RUNNING_WORDS);
  return isHead ? head : [];
}

function partialOf(rules: readonly RuleLine[], top: RuleLine, bottom: RuleLine): RuleLine[] {
  return rules.filter(
    (rule) =>
      !isSameLength(rule, top) &&
      rule.y > top.y + 1 &&
      rule.y < bottom.y - 1 &&
      rule.x0 > top.x0 - SAME_END &&
      rule.x1 < top.x1 + SAME_END,
  );
}

function linesBetween(top: RuleLine, bottom: RuleLine, lines: readonly Line[]): Line[] {
  return lines.filter((line) => {
    const isBetween = line.base - 0.3 * line.size > top.y && line.base - 0.3 * line.size < bottom.y;
    return isBetween && middleX(line) > top.x0 && middleX(line) < top.x1;
  });
}

/** True for text between two tables, or between rules that belong to no table. */
function isRunningText(lines: readonly Line[], rule: RuleLine): boolean {
  if (lines.some(({ words }) => startsAsCaption(textOf(words.slice(0, 4))))) return true;
  const width = rule.x1 - rule.x0;
  const isRunning = (line: Line) =>
    widthOf(line) > FULL_LINE * width && line.words.length >= RUNNING_WORDS && !keepsCuts(line, rule);
  return lines.some((line) => isRunning(line) && !lines.some((other) => isBeside(other, line)));
}

/** True if no word of the line crosses a cut of the rule. */
function keepsCuts({ words }: Line, { cuts }: RuleLine): boolean {
  return cuts.length > 0 && !words.some(({ x0, x1 }) => cuts.some((cut) => x0 < cut - 1 && x1 > cut + 1));
}

function isBeside(other: Line, line: Line): boolean {
  return other !== line && Math.abs(other.base - line.base) < 0.5 * line.size;
}
