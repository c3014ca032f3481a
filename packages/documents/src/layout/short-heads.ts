import { overlapX } from "./numbers/geometry.ts";
import type { Paragraph } from "./paragraphs.ts";
import { Tally } from "./numbers/statistics.ts";
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
  readonly part: Paragraph;
  readonly text: string;
  readonly isItalic: boolean;
  readonly before: TypedPart | undefined;
  readonly isOverText: boolean;
  /** True with anything right below it. */
  readonly hasBelow: boolean;
}

/**
 * Short lines are headings if nearly all in italics of a document stand above upright text or a table, or if they count on and
 * each stands above text that begins where its number does.
 */
export function withShortHeads(pages: readonly TypedPage[], usual: UsualLook): readonly TypedPage[] {
  const lines = pages.flatMap(({ parts }) => parts.flatMap((_one, at) => shortLine(parts, at, usual)));
  const found = [...italicHeads(lines), ...numberedHeads(lines), ...alikeHeads(lines, pages, usual)];
  const heads = new Set(found.map(({ one }) => one));
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

/** How much larger than the usual text. */
const LARGER = 1.15;
/** Share of the lines of a look that are known as headings. */
const KNOWN_SHARE = 0.3;

/** Bold or large lines that look as headings do. */
function alikeHeads(
  lines: readonly ShortLine[],
  pages: readonly TypedPage[],
  usual: UsualLook,
): readonly ShortLine[] {
  const looks = new Tally<string>();
  for (const { type, part } of pages.flatMap(({ parts }) => parts))
    if (type === "section_header" && part.kind === "text") looks.add(lookOf(part));
  const striking = lines.filter(({ part, hasBelow }) => {
    const [line] = part.lines;
    return (
      hasBelow && line !== undefined && ((line.isBold && !usual.isBold) || line.size > LARGER * usual.size)
    );
  });
  const alike = new Tally<string>();
  for (const { part } of striking) alike.add(lookOf(part));
  return striking.filter(({ part }) => {
    const known = looks.get(lookOf(part));
    return known > 0 && known >= KNOWN_SHARE * (known + alike.get(lookOf(part)));
  });
}

function lookOf({ lines: [line] }: Paragraph): string {
  return `${Math.round((line?.size ?? 0) * 2)} ${line?.isBold} ${line?.isItalic}`;
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
    {
      one,
      part: one.part,
      text,
      isItalic,
      before,
      isOverText: after !== undefined && isOver(one.part, after, isItalic),
      hasBelow: !isInText(one.part, before) && after !== undefined && isRightAbove(one.part, after),
    },
  ];
}

function isOver(head: Paragraph, { part, type, label }: TypedPart, isItalic: boolean): boolean {
  const size = head.lines[0]?.size ?? 0;
  if (!isRightAbove(head, { part })) return false;
  if (part.kind !== "text") return part.kind === "table" && isItalic;
  if (type !== "text") return false;
  if (isItalic) return !part.lines.some((line) => line.isItalic);
  const isText = label === undefined && part.lines.length > 1 && part.text.length > 2 * head.text.length;
  return isText && Math.abs(part.x0 - head.x0) < SAME_START * size;
}

function isRightAbove(head: Paragraph, { part }: Pick<TypedPart, "part">): boolean {
  const size = head.lines[0]?.size ?? 0;
  const white = part.y0 - head.y1;
  return white >= -0.5 * size && white <= MAX_WHITE * size && overlapX(head, part) > 0;
}

/** In em. Lines of a text are closer than a heading to what is above it. */
const WHITE_OF_TEXT = 0.8;

/** True right below text that has no end, as a line of it whose letters only seem bold. */
function isInText({ y0, lines: [line] }: Paragraph, before: TypedPart | undefined): boolean {
  if (before?.part.kind !== "text" || before.type !== "text" || !line) return false;
  const white = y0 - before.part.y1;
  return Math.abs(white) < WHITE_OF_TEXT * line.size && !/[.!?:;。！？]["”'’)\]]*$/.test(before.part.text);
}
