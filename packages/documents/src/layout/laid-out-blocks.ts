import type { BlockBody, LaidOutBlock, LaidOutPage, TextRun } from "./laid-out-page.ts";
import { boxOf, overlapX, type Rect, unionOf, widthOf } from "./numbers/geometry.ts";
import { median } from "./numbers/statistics.ts";
import type { Part } from "./page-parts.ts";
import type { Paragraph } from "./paragraphs.ts";
import { isShown, type TypedPage, type TypedPart } from "./typed-part.ts";
import { turnBack } from "./turned.ts";
import { seamOf } from "./text/characters.ts";
import type { TextLine } from "./text-line.ts";

/** In em. Typical advance width of monospaced characters. */
const CODE_WIDTH = 0.6;
/** In em. Baselines further apart have an empty line between them. */
const EMPTY_LINE = 2.1;
const MAX_ITEM_DEPTH = 4;
/** In em. Margin above and below the letters. */
const ROOM = 0.1;

export function laidOutPage(page: TypedPage, levels: ReadonlyMap<TypedPart, number>): LaidOutPage {
  const whole = turnBack({ x0: 0, y0: 0, x1: page.width, y1: page.height }, page.turn, page);
  return {
    number: page.number,
    width: whole.x1,
    height: whole.y1,
    status: page.isPartial ? "partial" : "ok",
    blocks: page.parts.map((part, at) => laidOutBlock(part, { page, levels, at })),
  };
}

interface Context {
  readonly page: TypedPage;
  readonly levels: ReadonlyMap<TypedPart, number>;
  readonly at: number;
}

function laidOutBlock(typed: TypedPart, context: Context): LaidOutBlock {
  const { page } = context;
  return {
    type: typed.type,
    label: typed.label,
    isShown: isShown(typed),
    box: boxOf(turnBack(withRoom(typed.part), page.turn, page)),
    source: page.source,
    confidence: { layout: typed.confidence, ocr: confidenceOf(typed.part) },
    body: bodyOf(typed, context),
    seam: undefined,
    isNextOfList: isNextOfList(page.parts[context.at - 1], typed),
  };
}

/** Shares of the distance of lines, and of the size where no item has two. Items further apart are paragraphs. */
const SET_CLOSE = 1.2;
const SET_CLOSE_ALONE = 2;

function isNextOfList(before: TypedPart | undefined, { label, part }: TypedPart): boolean {
  if (label !== "list_item" || before?.label !== label) return false;
  if (part.kind !== "text" || before.part.kind !== "text" || overlapX(before.part, part) < 0) return false;
  const [last, first] = [before.part.lines.at(-1), part.lines[0]];
  if (!last || !first) return false;
  const within = [before.part, part].flatMap(({ lines }) =>
    lines.slice(1).map(({ base }, at) => base - (lines[at]?.base ?? 0)),
  );
  const limit = within.length > 0 ? SET_CLOSE * median(within) : SET_CLOSE_ALONE * first.size;
  return first.base > last.base && first.base - last.base < limit;
}

/** Adds a margin, so that cropping at the box does not cut letters. */
function withRoom(part: Part): Rect {
  if (part.kind !== "text") return part;
  const [first, last] = [part.lines[0]?.size ?? 0, part.lines.at(-1)?.size ?? 0];
  return { ...unionOf([part]), y0: part.y0 - ROOM * first, y1: part.y1 + ROOM * last };
}

function confidenceOf(part: Part): number | undefined {
  if (part.kind === "table") return part.confidence;
  if (part.kind === "figure") return undefined;
  const known = part.lines.flatMap(({ confidence }) => confidence ?? []);
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined;
}

function bodyOf(typed: TypedPart, context: Context): BlockBody {
  const { part } = typed;
  if (part.kind === "table") return { kind: "table", table: part.table };
  if (part.kind === "figure") return { kind: "text", runs: [plainRun(part.text)] };
  if (typed.label === "code") return { kind: "code", lines: codeLines(part) };
  const runs = textRuns(part.lines);
  if (typed.type === "section_header")
    return { kind: "heading", level: context.levels.get(typed) ?? 1, runs };
  if (typed.label === "list_item") return itemOf(part, context);
  return { kind: "text", runs };
}

function plainRun(text: string) {
  return { text, isBold: false, isItalic: false, isMonospaced: false, script: undefined, url: undefined };
}

function itemOf(part: Paragraph, { page, at }: Context): BlockBody {
  const { marker } = part;
  // Markdown has no lettered list items, so letters stay in the text, and boxes say whether they are checked.
  const written = marker?.label || marker?.isBox ? "" : (marker?.text ?? "");
  const runs = runsFrom(textRuns(part.lines), written.length);
  return { kind: "item", depth: depthOf(part, page, at), marker: markdownMarker(written), runs };
}

function markdownMarker(text: string): string {
  const number = /^\(?(\d+[.)])/.exec(text)?.[1];
  return number ?? "-";
}

/** Indentation depth: counts the directly preceding items that begin further left. */
function depthOf(part: Paragraph, page: TypedPage, at: number): number {
  let depth = 0;
  let left = part.x0;
  for (let before = at - 1; before >= 0 && depth < MAX_ITEM_DEPTH; before--) {
    const typed = page.parts[before];
    if (typed?.part.kind !== "text" || typed.label !== "list_item") break;
    const step = left - typed.part.x0;
    const size = part.lines[0]?.size ?? 0;
    if (step < -20 * size || step > 20 * size) break;
    if (step <= 0.6 * size) continue;
    depth++;
    left = typed.part.x0;
  }
  return depth;
}

/** Code lines with their indentation. Wide vertical gaps become an empty line. */
function codeLines({ lines, x0 }: Paragraph): string[] {
  return lines.flatMap((line, at) => {
    const width = line.text.length > 0 ? widthOf(line) / line.text.length : CODE_WIDTH * line.size;
    const code = " ".repeat(Math.max(0, Math.round((line.x0 - x0) / width))) + line.text;
    const before = lines[at - 1];
    return before && line.base - before.base > EMPTY_LINE * line.size ? ["", code] : [code];
  });
}

/** Joins lines into runs: removes hyphens at line ends and merges neighbours with the same look. */
function textRuns(lines: readonly TextLine[]): TextRun[] {
  const runs: TextRun[] = [];
  let text = "";
  for (const line of lines) {
    const { dropsHyphen, space } = seamOf(text, line.text);
    if (dropsHyphen) dropLastCharacter(runs);
    line.runs.forEach((run, at) => append(runs, { ...run, text: at === 0 ? space + run.text : run.text }));
    text = line.text;
  }
  return runs.map((run) => ({ ...run, text: run.text.replaceAll("\u00ad", "").replace(/ {2,}/g, " ") }));
}

function append(runs: TextRun[], { text, isBold, isItalic, isMonospaced, script, url }: TextRun): void {
  const run = { text, isBold, isItalic, isMonospaced, script, url };
  const before = runs.at(-1);
  if (before && isAlike(before, run)) runs[runs.length - 1] = { ...before, text: before.text + text };
  else runs.push(run);
}

function isAlike(a: TextRun, b: TextRun): boolean {
  const isSameLook = a.isBold === b.isBold && a.isItalic === b.isItalic && a.isMonospaced === b.isMonospaced;
  return isSameLook && a.script === b.script && a.url === b.url;
}

function dropLastCharacter(runs: TextRun[]): void {
  const last = runs.pop();
  if (last) runs.push({ ...last, text: last.text.slice(0, -1) });
}

/** Drops the first `start` characters. */
function runsFrom(runs: readonly TextRun[], start: number): TextRun[] {
  let skipped = start;
  return runs.flatMap((run) => {
    const text = run.text.slice(skipped);
    skipped = Math.max(0, skipped - run.text.length);
    return text === "" ? [] : [{ ...run, text }];
  });
}
