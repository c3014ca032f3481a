import { unionOf } from "./numbers/geometry.ts";
import type { Paragraph } from "./paragraphs.ts";
import type { TypedPart } from "./typed-part.ts";

/** Share of the page's height. A title stands above it. */
const TITLE_EDGE = 0.5;
/** Text with this many lines or more is body text, not a list of authors. */
const TEXT_LINES = 4;
/** In points. Author columns next to each other end at nearly the same height. */
const SAME_END = 4;
const MAX_NAME_LINES = 2;
const MAX_NAME_WORDS = 9;

/** Footnote marks and affiliation numbers after a name. */
const MARKS = /[\s\d,∗*†‡§¶]+$/u;
const NAME_WORD =
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]*,?|de|da|di|del|della|der|den|van|von|la|le|bin|al|and|und|et|y|&)$/u;
const MAIL = /[\w.}-]\s?@\s?[\w-]+\.\w/u;

/**
 * Turns headings that are author names below the title back into text, and puts neighbouring authors
 * together. Mail addresses among them are the evidence that they are authors.
 */
export function withBylines(parts: readonly TypedPart[], pageHeight: number): readonly TypedPart[] {
  const title = parts.findIndex(
    (one) => one.type === "section_header" && one.part.y1 < TITLE_EDGE * pageHeight,
  );
  const end = title < 0 ? 0 : endOfByline(parts, title);
  const byline = parts.slice(title + 1, end);
  if (!byline.some(hasMail)) return parts;
  const area = { y0: parts[title]?.part.y1 ?? 0, y1: unionOf(byline.map(({ part }) => part)).y1 };
  const rest = parts.slice(end);
  const beside = rest.filter(({ part }) => part.y0 >= area.y0 && part.y1 <= area.y1 + SAME_END);
  const authors = beside.some(hasMail) ? [...byline, ...beside] : byline;
  const others = rest.filter((one) => !authors.includes(one));
  return [
    ...parts.slice(0, title + 1),
    ...authors.map((one) => (isName(one) ? asText(one) : one)),
    ...others,
  ];
}

function hasMail({ part }: TypedPart): boolean {
  return part.kind === "text" && MAIL.test(part.text);
}

/** The body begins behind the last address, at the latest at the first long text, or at the heading right above it. */
function endOfByline(parts: readonly TypedPart[], title: number): number {
  const last = parts.findLastIndex((one, at) => at < startOfText(parts, title) && hasMail(one));
  return Math.max(last, title) + 1;
}

function startOfText(parts: readonly TypedPart[], title: number): number {
  const text = parts.findIndex((one, at) => at > title && isText(one));
  const end = text < 0 ? parts.length : text;
  return parts[end - 1]?.type === "section_header" && end - 1 > title ? end - 1 : end;
}

function isText({ part, type }: TypedPart): boolean {
  return (
    part.kind === "table" ||
    (part.kind === "text" && type === "text" && part.lines.length >= TEXT_LINES && !MAIL.test(part.text))
  );
}

function isName({ part, type }: TypedPart): boolean {
  if (type !== "section_header" || part.kind !== "text" || part.lines.length > MAX_NAME_LINES) return false;
  const words = nameOf(part).split(/\s+/u);
  return words.length >= 2 && words.length <= MAX_NAME_WORDS && words.every((word) => NAME_WORD.test(word));
}

function nameOf({ text }: Paragraph): string {
  return text
    .replace(MARKS, "")
    .replaceAll(/[∗*†‡§¶\d]+/gu, "")
    .replaceAll(/\s*,(?:\s*,)*\s*/gu, ", ")
    .trim();
}

function asText(one: TypedPart): TypedPart {
  return { ...one, type: "text", level: undefined, confidence: undefined };
}
