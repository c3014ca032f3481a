import type { LaidOutBlock, LaidOutPage } from "./laid-out-page.ts";
import { joinTables } from "./joined-tables.ts";
import { laidOutPage } from "./laid-out-blocks.ts";
import type { OutlineEntry } from "./page/page.ts";
import type { PageDraft } from "./page-draft.ts";
import type { Part } from "./page-parts.ts";
import { partsOf } from "./page-parts.ts";
import { typeParts } from "./part-types.ts";
import { type TextLine, usualLook, type UsualLook } from "./text-line.ts";
import { seamOf } from "./text/characters.ts";
import type { TypedPage, TypedPart } from "./typed-part.ts";
import { overlapX, unionOf, widthOf } from "./numbers/geometry.ts";
import type { Paragraph } from "./paragraphs.ts";

/** Second pass: assigns types, which needs all pages. */
export function layOut(
  drafts: readonly PageDraft[],
  outline: readonly OutlineEntry[],
): readonly LaidOutPage[] {
  const usual = usualLook(drafts);
  const typed = typeParts(
    drafts.map((draft) => partsOf(draft, usual)),
    { usual, outline },
  );
  const pages = placeFootnotes(typed, usual);
  const levels = headingLevels(pages);
  const laidOut = pages.map((page) => laidOutPage(page, levels));
  const parts = laidOut.map(({ blocks }, at) =>
    blocks.map((block, own) => [block, pages[at]?.parts[own]?.part] as const),
  );
  return joinTables(joinParagraphs(laidOut, new Map(parts.flat())));
}

/** In points. The next column begins above the end of the one before by at least this, whose text has two lines. */
const LEAST_COLUMN = 30;
const TWO_LINES = 20;

/** Marks paragraphs that continue one from the previous page or column. */
function joinParagraphs(
  pages: readonly LaidOutPage[],
  parts: ReadonlyMap<LaidOutBlock, Part | undefined>,
): LaidOutPage[] {
  let open: Open | undefined;
  return pages.map((page) => {
    const blocks = page.blocks.map((block) => {
      const isText = block.type === "text" && block.label === undefined && block.body.kind === "text";
      if (!isText) {
        // Tables, captions and footnotes may be between the two halves of a paragraph.
        if (endsText(block)) open = undefined;
        return block;
      }
      const text = textOf(block);
      const part = parts.get(block);
      const next = { text, block, page: page.number, lines: part?.kind === "text" ? part.lines : [] };
      const seam = open && goesOn(open, next) ? seamOf(open.text, text) : undefined;
      open = next;
      if (!seam) return block;
      const name = seam.dropsHyphen ? "closed hyphen" : seam.space === " " ? "space" : "none";
      return { ...block, seam: name } as const;
    });
    return { ...page, blocks };
  });
}

interface Open {
  readonly text: string;
  readonly block: LaidOutBlock;
  readonly page: number;
  readonly lines: readonly TextLine[];
}

function endsText({ isShown, body }: LaidOutBlock): boolean {
  return isShown || body.kind === "heading";
}

function textOf({ body }: LaidOutBlock): string {
  return body.kind === "text" ? body.runs.map(({ text }) => text).join("") : "";
}

function goesOn(before: Open, after: Open): boolean {
  const isBeside =
    isInNextColumn(before.block, after.block) && (isTall(before.block) || isAsWide(before, after));
  if (before.page === after.page && !isBeside) return false;
  if (/[\p{Ll},\-–]$/u.test(before.text) && /^\p{Ll}/u.test(after.text)) return true;
  if (ENDS_OPEN.test(before.text) && GOES_ON.test(after.text) && isTall(before.block)) return true;
  return /[\p{Ll},]$/u.test(before.text) && /^\p{Lu}/u.test(after.text) && endsFull(before, after);
}

/** In em. Lines of running text end at the edge of their column, up to this. */
const SAME_END = 1;
/** Share of the width of what follows in the next column. */
const LEAST_WIDTH = 0.75;

function isAsWide({ lines: [line] }: Open, { lines }: Open): boolean {
  return line !== undefined && lines.length > 0 && widthOf(line) > LEAST_WIDTH * widthOf(unionOf(lines));
}

/** True if the last line has no room left, and the next text looks like it: large letters begin names and nouns, too. */
function endsFull(before: Open, after: Open): boolean {
  const { lines } = before;
  const [last, next] = [lines.at(-1), after.lines[0]];
  if (!last || !next || after.lines.length + lines.length < LEAST_LINES) return false;
  const isFull =
    lines.length > 1 ? unionOf(lines).x1 - last.x1 < SAME_END * last.size : isAsWide(before, after);
  const isAlike = last.isBold === next.isBold && last.isItalic === next.isItalic;
  const isIndented = after.lines.slice(1).some(({ x0 }) => x0 < next.x0 - 0.5 * next.size);
  return isFull && isAlike && !isIndented && Math.abs(last.size - next.size) < 0.05 * last.size;
}

const LEAST_LINES = 3;

/** Letters that are neither large nor small, of scripts whose sentences end with a sign. */
const GOES_ON = /^(?!\p{sc=Thai}|\p{sc=Lao}|\p{sc=Khmer}|\p{sc=Myanmar})\p{Lo}/u;
const ENDS_OPEN = /(?!\p{sc=Thai}|\p{sc=Lao}|\p{sc=Khmer}|\p{sc=Myanmar})[\p{Lo}\p{M}\u060c\u3001\uff0c,]$/u;

function isTall({ box }: LaidOutBlock): boolean {
  return box[3] - box[1] > TWO_LINES;
}

/**
 * True if the block begins above the end of the one before and beside it: to its left, where text runs from the right. Single
 * lines side by side are not columns.
 */
function isInNextColumn(before: LaidOutBlock, { box: [x0, y0, x1] }: LaidOutBlock): boolean {
  const isBeside = x0 > before.box[2] || x1 < before.box[0];
  return y0 < before.box[3] - LEAST_COLUMN && isBeside;
}

const MAX_DEPTH = 6;
/** Matches section numbers such as "2", "2.1" or "2.1.3", but not quantities. */
const NUMBER = /^([1-9]\d?(?:\.\d{1,2})*)\.?\s+\p{L}/u;
/** Fewer numbered headings say nothing about the document's structure. */
const LEAST_NUMBERED = 2;
/** In half points. Headings of the same level differ by at most this much. */
const SAME_SIZE = 1;

/** Heading levels from 1: from tags, else from section numbers, else from font sizes. */
function headingLevels(pages: readonly TypedPage[]): ReadonlyMap<TypedPart, number> {
  const headings = pages.flatMap(({ parts }) => parts.filter(({ type }) => type === "section_header"));
  const untold = headings.filter(({ level }) => level === undefined);
  const levelOf = levelsByNumber(untold) ?? levelsBySize(untold);
  return new Map(
    headings.map((heading) => [heading, Math.min(MAX_DEPTH, heading.level ?? levelOf(heading))]),
  );
}

type LevelOf = (heading: TypedPart) => number;

function levelsBySize(headings: readonly TypedPart[]): LevelOf {
  const sizes = [...new Set(headings.map(sizeOf))].sort((a, b) => b - a);
  return (heading) => depthOf(heading) ?? sizes.indexOf(sizeOf(heading)) + 1;
}

/**
 * A section number gives the depth. A heading without a number gets the depth of the numbered headings of its
 * size. A heading before all of them that is larger than all is the title above them.
 */
function levelsByNumber(headings: readonly TypedPart[]): LevelOf | undefined {
  const numbered = headings.filter((heading) => depthOf(heading) !== undefined);
  if (numbered.length < LEAST_NUMBERED) return undefined;
  const sizes = sizesByDepth(numbered);
  const [deepest, largest] = [sizes.length, Math.max(...sizes)];
  const before = headings.slice(0, headings.indexOf(numbered[0] as TypedPart));
  const titleLevels = before.some((heading) => sizeOf(heading) > largest + SAME_SIZE) ? 1 : 0;
  return (heading) => {
    const depth = depthOf(heading);
    if (depth !== undefined) return depth + titleLevels;
    const size = sizeOf(heading);
    if (size > largest + SAME_SIZE) return 1;
    const alike = sizes.findIndex((other) => size >= other - SAME_SIZE);
    return (alike < 0 ? deepest + 1 : alike + 1) + titleLevels;
  };
}

/** Typical size per depth. No depth is larger than the one above it. */
function sizesByDepth(numbered: readonly TypedPart[]): readonly number[] {
  const sizes: number[] = [];
  for (let depth = 1; depth <= MAX_DEPTH; depth++) {
    const own = numbered.filter((heading) => depthOf(heading) === depth).map(sizeOf);
    if (own.length === 0) continue;
    const middle = own.toSorted((a, b) => a - b)[Math.floor(own.length / 2)] as number;
    sizes[depth - 1] = middle;
  }
  return Array.from(sizes, (size, at) => size ?? Math.max(...sizes.slice(at).filter(Number)));
}

/** Number of components of the section number: 2 for "2.1". */
function depthOf({ part }: TypedPart): number | undefined {
  const number = part.kind === "text" ? NUMBER.exec(part.text)?.[1] : undefined;
  return number?.split(".").length;
}

/** In half points. */
function sizeOf({ part }: TypedPart): number {
  return part.kind === "text" ? Math.round((part.lines[0]?.size ?? 0) * 2) : 0;
}

/**
 * Footnotes are smaller than the body text by at least this factor, and lie in this bottom share of the page.
 */
const SMALLER = 0.95;
const LOWER_PART = 0.4;
/** A note begins with a number, a letter or a sign. */
const MARK = /^(?:\[?\d{1,3}\]?[.)]?|[*†‡§¶]{1,3}|[a-z][.)]?)(?=\s|\p{L}|$)/u;

/** Finds footnotes and moves them after the text of their page, from whichever column they are in. */
function placeFootnotes(pages: readonly TypedPage[], usual: UsualLook): TypedPage[] {
  return pages.map((page) => {
    const notes = notesOf(page, usual);
    if (notes.size === 0) return page;
    const isText = (part: TypedPart) => !notes.has(part) && !part.isFurniture;
    const end = page.parts.findLastIndex(isText) + 1;
    const before = page.parts.slice(0, end).filter((part) => !notes.has(part));
    const after = page.parts.slice(end).filter((part) => !notes.has(part));
    const placed = page.parts.filter((part) => notes.has(part)).map(footnote);
    return { ...page, parts: [...before, ...placed, ...after] };
  });
}

function footnote(part: TypedPart): TypedPart {
  return { ...part, type: "text", label: "footnote", level: undefined };
}

/**
 * Works upwards from the foot of the page. A note is small, has a mark or continues a marked one, and has
 * only notes below it.
 */
function notesOf({ parts, height }: TypedPage, usual: UsualLook): ReadonlySet<TypedPart> {
  const small: TypedPart[] = [];
  const others: TypedPart[] = parts.filter(({ isFurniture }) => !isFurniture);
  const fromFoot = others.toSorted((a, b) => b.part.y0 - a.part.y0);
  for (const typed of fromFoot) {
    const { part } = typed;
    if (part.kind !== "text" || part.y0 < LOWER_PART * height || !isSmall(part, usual)) continue;
    const below = others.filter((other) => other.part.y0 > part.y0 && overlapX(other.part, part) > 0);
    if (below.every((other) => small.includes(other))) small.push(typed);
  }
  return new Set(columnsOf(small).flatMap(beginningWithMark));
}

function isSmall({ lines }: Paragraph, { size }: UsualLook): boolean {
  return lines.every((line) => line.size <= SMALLER * size);
}

/** Parts below each other, from top to bottom. */
function columnsOf(parts: readonly TypedPart[]): TypedPart[][] {
  const columns: TypedPart[][] = [];
  for (const part of parts.toSorted((a, b) => a.part.y0 - b.part.y0)) {
    const column = columns.find(([first]) => first !== undefined && overlapX(first.part, part.part) > 0);
    if (column) column.push(part);
    else columns.push([part]);
  }
  return columns;
}

/**
 * Keeps the first marked text and all that follows it. Small text before it without a mark, such as a
 * caption, is not a note.
 */
function beginningWithMark(column: readonly TypedPart[]): readonly TypedPart[] {
  const first = column.findIndex(
    ({ part, type }) => type === "text" && part.kind === "text" && isMarked(part),
  );
  const notes = first < 0 ? [] : column.slice(first);
  return notes.every(({ type }) => type === "text" || type === "page_footer") ? notes : [];
}

function isMarked({ lines, text, isUnderRule }: Paragraph): boolean {
  const [first] = lines[0]?.runs ?? [];
  if (first?.script === "raised" && MARK.test(first.text.trim())) return true;
  return isUnderRule && MARK.test(text);
}
