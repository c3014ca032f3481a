import { type Paragraph, paragraphOf } from "./paragraphs.ts";
import type { TypedPart } from "./typed-part.ts";

/** White between the lines of one heading, in sizes. */
const MAX_WHITE = 2.5;
/** Lines of one heading that are set like a paragraph are nearer. */
const NO_WHITE = 0.7;
const MAX_LINES = 4;
const NUMBER = /^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVX]+\.)\s/;

/** Headings of several lines that stand far apart: one heading when they look alike and the first one is not complete. */
export function joinHeadings(parts: readonly TypedPart[]): TypedPart[] {
  const joined: TypedPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const heading = before && joinedHeading(before, part);
    if (heading) joined[joined.length - 1] = heading;
    else joined.push(part);
  }
  return joined;
}

function joinedHeading(before: TypedPart, after: TypedPart): TypedPart | undefined {
  if (before.type !== "section_header" || after.type !== "section_header") return undefined;
  if (before.part.kind !== "text" || after.part.kind !== "text") return undefined;
  const [last, first] = [before.part.lines.at(-1), after.part.lines[0]];
  if (!last || !first || before.part.lines.length + after.part.lines.length > MAX_LINES) return undefined;
  const isAlike = last.isBold === first.isBold && Math.abs(last.size - first.size) < 0.03 * last.size;
  const white = first.y0 - last.y1;
  const isBelow =
    white > -0.5 * last.size && white < MAX_WHITE * last.size && first.x0 < last.x1 && last.x0 < first.x1;
  const isTight = white < NO_WHITE * last.size && first.x0 > last.x0 - 0.5 * last.size;
  const goesOn =
    isUnfinished(before.part.text, after.part.text) || (isTight && isOneNumber(before.part, after.part));
  if (!isAlike || !isBelow || !goesOn) return undefined;
  return { ...before, part: paragraphOf([...before.part.lines, ...after.part.lines], false) };
}

function isUnfinished(before: string, after: string): boolean {
  return (/[\p{L}\p{N},&–-]$/u.test(before) && /^\p{Ll}/u.test(after)) || /\s[&–]$/u.test(before);
}

/** Right below a heading with a number, one without is the rest of it. */
function isOneNumber({ text: before }: Paragraph, { text: after }: Paragraph): boolean {
  return NUMBER.test(before) && !NUMBER.test(after) && !/[.!?]$/.test(before);
}
