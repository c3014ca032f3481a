import { overlapX } from "./numbers/geometry.ts";
import type { Paragraph } from "./paragraphs.ts";
import type { UsualLook } from "./text-line.ts";
import type { TypedPage, TypedPart } from "./typed-part.ts";

/** Footnotes are set smaller than the text, by this factor at least, and are in this part of the page's height. */
const SMALLER = 0.95;
const LOWER_PART = 0.4;
/** A number or sign before the note. */
const MARK = /^(?:\[?\d{1,3}\]?[.)]?|[*†‡§¶]{1,3}|[a-z][.)]?)(?=\s|\p{L}|$)/u;

/** Finds the notes at the foot of pages, and puts them behind the text of their page, whichever column they are in. */
export function placeFootnotes(pages: readonly TypedPage[], usual: UsualLook): TypedPage[] {
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

/** From the foot of the page up: what is small, has a mark or continues with what has one, and has nothing else below. */
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

/** What has a mark, and what follows it. Small text that begins without one, such as a caption, is not a note. */
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
