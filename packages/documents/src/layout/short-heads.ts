import { overlapX } from "./numbers/geometry.ts";
import type { Paragraph } from "./paragraphs.ts";
import type { UsualLook } from "./text-line.ts";
import type { TypedPage, TypedPart } from "./typed-part.ts";

/** Fewer lines say nothing about how a document sets its heads. */
const LEAST_ITALIC = 2;
const LEAST_NUMBERED = 3;
/** Share of all short lines in italics. */
const HEADS_SHARE = 0.8;
const MAX_CHARACTERS = 80;
const MAX_LINES = 2;
/** In em, to what stands below a head, and from its left edge: the text of an item is further in. */
const MAX_WHITE = 2.5;
const SAME_START = 0.3;
/** Share of the usual size. Smaller lines are notes and captions. */
const LEAST_SIZE = 0.93;

const TITLE = /^(?:\d+(?:\.\d+)*\.?\s+)?[\p{Lu}\p{Lo}].*[^.,;:!?…。，；：！？]$/u;
const NUMBERED = /^(\d{1,3})\.?\s/;

interface ShortLine {
  readonly one: TypedPart;
  readonly text: string;
  readonly isItalic: boolean;
  readonly before: TypedPart | undefined;
  readonly isOverText: boolean;
}

/**
 * Short lines are headings if nearly all in italics of a document stand above upright text or a table, or if they count on and
 * each stands above text that begins where its number does.
 */
export function withShortHeads(pages: readonly TypedPage[], usual: UsualLook): readonly TypedPage[] {
  const lines = pages.flatMap(({ parts }) => parts.flatMap((_one, at) => shortLine(parts, at, usual)));
  const heads = new Set([...italicHeads(lines), ...numberedHeads(lines)].map(({ one }) => one));
  if (heads.size === 0) return pages;
  const typed = (one: TypedPart): TypedPart =>
    heads.has(one) ? { ...one, type: "section_header", label: undefined } : one;
  return pages.map((page) => ({ ...page, parts: page.parts.map(typed) }));
}

function italicHeads(lines: readonly ShortLine[]): readonly ShortLine[] {
  const italic = lines.filter(({ isItalic }) => isItalic);
  const heads = italic.filter(({ isOverText }) => isOverText);
  const below = heads.filter(({ before }) => before?.type === "section_header").length;
  const areHeads =
    heads.length >= LEAST_ITALIC && heads.length >= HEADS_SHARE * italic.length && 2 * below <= heads.length;
  return areHeads ? heads.filter(({ before }) => before?.type !== "figure") : [];
}

function numberedHeads(lines: readonly ShortLine[]): readonly ShortLine[] {
  const numbered = lines.filter(({ text }) => NUMBERED.test(text));
  const numbers = numbered.map(({ text }) => Number(NUMBERED.exec(text)?.[1]));
  const countOn = numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1);
  const areHeads =
    numbered.length >= LEAST_NUMBERED && countOn && numbered.every(({ isOverText }) => isOverText);
  return areHeads ? numbered : [];
}

function shortLine(parts: readonly TypedPart[], at: number, usual: UsualLook): ShortLine[] {
  const [before, one, after] = [parts[at - 1], parts[at], parts[at + 1]];
  if (
    !one ||
    one.part.kind !== "text" ||
    one.type !== "text" ||
    one.label === "code" ||
    one.label === "footnote"
  )
    return [];
  const { lines, text } = one.part;
  const isShort = lines.length <= MAX_LINES && text.length <= MAX_CHARACTERS && TITLE.test(text);
  if (!isShort || (lines[0]?.size ?? 0) < LEAST_SIZE * usual.size) return [];
  const isItalic = lines.every(({ runs }) => runs.every((run) => run.isItalic || !/\p{L}/u.test(run.text)));
  return [
    { one, text, isItalic, before, isOverText: after !== undefined && isOver(one.part, after, isItalic) },
  ];
}

function isOver(head: Paragraph, { part, type, label }: TypedPart, isItalic: boolean): boolean {
  const size = head.lines[0]?.size ?? 0;
  const white = part.y0 - head.y1;
  if (white < -0.5 * size || white > MAX_WHITE * size || overlapX(head, part) <= 0) return false;
  if (part.kind !== "text") return part.kind === "table" && isItalic;
  if (type !== "text") return false;
  if (isItalic) return !part.lines.some((line) => line.isItalic);
  const isText = label === undefined && part.lines.length > 1 && part.text.length > 2 * head.text.length;
  return isText && Math.abs(part.x0 - head.x0) < SAME_START * size;
}
