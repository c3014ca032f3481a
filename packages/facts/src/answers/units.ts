import { type Span, sentencesOf } from "./sentences.ts";

export type LineKind = "heading" | "text" | "item" | "row" | "code";

/** The smallest part of a page that is shown or left out: a sentence, a table row, a line of code. */
export interface Unit extends Span {
  /** Unchanged from the page. */
  readonly text: string;
  readonly kind: LineKind;
  /** Index of its line and of its block. A block is a group of lines without an empty line. */
  readonly line: number;
  readonly block: number;
  /** Headings above it, outermost first. */
  readonly headings: readonly string[];
}

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^\s{0,3}(#{1,6})\s+/;
const MARKER = /^\s*(?:>\s?)*\s*(?:(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?)?/;
const ROW = /^\s*\|.*\|\s*$/;
/** Lines without a letter or a digit, such as rules and table borders. */
const EMPTY = /^[^\p{L}\p{N}]*$/u;
/** A line with only an image or a linked image. */
const ONLY_IMAGE = /^\s*\[?!\[[^\]]*\]\([^)]*\)(?:\]\([^)]*\))?\s*$/;

interface Place {
  readonly line: number;
  readonly block: number;
  readonly headings: readonly string[];
}

/** Ranking this many units takes about a second. Prose reaches it at about 1 MB. */
const MAX_UNITS = 10_000;

/** The units from the start of the page, in order. */
interface PageUnits {
  readonly units: readonly Unit[];
  /** False if the page is too long, so that its end is missing. */
  readonly isWhole: boolean;
}

/** The text of every unit occurs unchanged in the Markdown. */
export function unitsOf(markdown: string): PageUnits {
  const units: Unit[] = [];
  let headings: readonly { readonly level: number; readonly text: string }[] = [];
  let isCode = false;
  let [line, block, start] = [0, 0, 0];
  for (const text of markdown.split("\n")) {
    if (units.length >= MAX_UNITS) return { units: units.slice(0, MAX_UNITS), isWhole: false };
    const place: Place = { line, block, headings: headings.map((heading) => heading.text) };
    if (FENCE.test(text)) isCode = !isCode;
    else if (isCode) addWhole(units, { text, start, kind: "code" }, place);
    else if (text.trim() === "") block += 1;
    else addLine(units, { text, start }, place);
    const level = isCode ? undefined : HEADING.exec(text)?.[1]?.length;
    if (level !== undefined) {
      const own = { level, text: text.replace(HEADING, "").trim() };
      headings = [...headings.filter((heading) => heading.level < level), own];
    }
    line += 1;
    start += text.length + 1;
  }
  return { units: units.slice(0, MAX_UNITS), isWhole: units.length <= MAX_UNITS };
}

interface Line {
  readonly text: string;
  readonly start: number;
}

function addLine(units: Unit[], { text, start }: Line, place: Place): void {
  if (EMPTY.test(text) || ONLY_IMAGE.test(text)) return;
  if (ROW.test(text)) return addWhole(units, { text, start, kind: "row" }, place);
  const heading = HEADING.exec(text)?.[0];
  const marker = heading ?? MARKER.exec(text)?.[0] ?? "";
  if (heading !== undefined) return addWhole(units, behind(text, start, marker, "heading"), place);
  const { kind, ...rest } = behind(text, start, marker, /\S/.test(marker) ? "item" : "text");
  for (const span of sentencesOf(rest.text)) {
    const sentence = rest.text.slice(span.start, span.end);
    if (EMPTY.test(sentence)) continue;
    units.push({
      ...place,
      kind,
      text: sentence,
      start: rest.start + span.start,
      end: rest.start + span.end,
    });
  }
}

function behind(text: string, start: number, marker: string, kind: LineKind) {
  return { text: text.slice(marker.length), start: start + marker.length, kind };
}

/** A unit that is a longer line is shown only in part. */
const MAX_CHARACTERS = 4000;

function addWhole(units: Unit[], line: Line & { readonly kind: LineKind }, place: Place): void {
  const text = line.text.trim().slice(0, MAX_CHARACTERS);
  if (EMPTY.test(text)) return;
  const start = line.start + line.text.indexOf(text);
  units.push({ ...place, kind: line.kind, text, start, end: start + text.length });
}
