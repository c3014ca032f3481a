import { type BoilerplateWords, boilerplateWords } from "./boilerplate-words.ts";
import { type MarkdownLine, markdownLines } from "./markdown-lines.ts";

/**
 * Greatest share of a page's words that may be removed as boilerplate. When more looks like it, nothing is
 * removed.
 */
const MAX_SHARE = 0.4;

/** Words. A line that holds a phrase but is not a label is boilerplate only when it is this short. */
const MAX_PHRASE_LINE_LENGTH = 40;

/**
 * Words. In a section that its heading does not own, a line goes only when it is a link or this short.
 */
const MAX_LABEL_LENGTH = 12;

/** Greatest number of words between two headings that form a box. */
const MAX_BOX_LENGTH = 80;
const LOWEST_LEVEL = 6;

/** Maximum headings in a row at the end. More form an outline. */
const MAX_DANGLING = 2;

/** Breadcrumbs are above everything else, in one line or in lines of one link each. */
const BREADCRUMB_LINES = 6;
const BREADCRUMB_MARKS = /\)\s*(?:[/>»›→|·•\\]+|&gt;)\s*(?:\[|[\p{L}\p{N}])/u;

const LABELS = new Map(
  boilerplateWords.flatMap((words) => words.labels.map((label) => [label, words] as const)),
);

/**
 * Returns the numbers (from 0) of lines that are boilerplate: cookie notices, share widgets, sign-ups,
 * comment forms, advertisements, breadcrumbs and lists of related pages. Two signs must agree: the text of a
 * line, and its place or form. Code, tables and images are never included.
 */
export function boilerplateLines(markdown: string): ReadonlySet<number> {
  const lines = markdownLines(markdown);
  const found = new Set([
    ...breadcrumbs(lines, markdown),
    ...labelled(lines),
    ...sections(lines),
    ...danglingHeadings(lines),
  ]);
  const open = [...found].filter((number) => lines[number]?.isKept === false);
  return wordsIn(lines, open) > MAX_SHARE * wordsIn(lines, lines.keys()) ? new Set() : new Set(open);
}

function wordsIn(lines: readonly MarkdownLine[], numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, number) => sum + (lines[number]?.wordCount ?? 0), 0);
}

/** Finds lines of links with separators between them, before the text begins. */
function breadcrumbs(lines: readonly MarkdownLine[], markdown: string): readonly number[] {
  const first = [...lines.keys()].filter((number) => lines[number]?.words !== "").slice(0, BREADCRUMB_LINES);
  const texts = markdown.split("\n");
  return first.filter((number) => {
    const { linkCount = 0, wordCount = 0, headingLevel } = lines[number] ?? {};
    return (
      headingLevel === undefined &&
      linkCount >= 2 &&
      wordCount <= 2 * MAX_LABEL_LENGTH &&
      BREADCRUMB_MARKS.test(texts[number] ?? "")
    );
  });
}

/**
 * Finds lines that consist of a label, or short lines with a phrase. Headings count only when they hold a
 * link and a phrase.
 */
function labelled(lines: readonly MarkdownLine[]): readonly number[] {
  const middle = middleOf(lines);
  return [...lines.keys()].filter((number) => {
    const line = lines[number];
    if (!line || line.wordCount === 0 || line.wordCount > MAX_PHRASE_LINE_LENGTH) return false;
    if (line.headingLevel !== undefined && line.linkCount === 0) return false;
    if (line.headingLevel === undefined && LABELS.has(line.words))
      return line.isOnlyLinks || standsAlone(lines, number);
    return boilerplateWords.some(
      ({ phrases, isLate = false }) => phrases.test(line.words) && (!isLate || number > middle),
    );
  });
}

/** Whether the lines before and after are empty or as short as a label, as in a list of labels. */
function standsAlone(lines: readonly MarkdownLine[], number: number): boolean {
  return [number - 1, number + 1].every((other) => (lines[other]?.wordCount ?? 0) <= MAX_LABEL_LENGTH);
}

/**
 * Finds sections below a heading that is a label: all of a section, a box, or the links and short lines at
 * its start.
 */
function sections(lines: readonly MarkdownLine[]): readonly number[] {
  const middle = middleOf(lines);
  const purposes = headingPurposes(lines);
  const often = new Map<string, number>();
  const kindOf = (number: number, { purpose }: BoilerplateWords) =>
    `${lines[number]?.headingLevel} ${purpose}`;
  for (const [number, purpose] of purposes) {
    const kind = kindOf(number, purpose);
    often.set(kind, (often.get(kind) ?? 0) + 1);
  }
  return [...purposes].flatMap(([number, purpose]) => {
    const { headingLevel = 1, words = "" } = lines[number] ?? {};
    const isLabel = LABELS.has(words);
    const end = endOfSection(lines, number, headingLevel);
    const section = numbersFrom(number, end);
    const isOnly = often.get(kindOf(number, purpose)) === 1;
    // Comments below each of several posts are part of what readers came for.
    if (purpose.purpose === "comments" && !isOnly) return [];
    if (purpose.ownsSection && isOnly) {
      const isLate = number > middle;
      const box = numbersFrom(number, endOfSection(lines, number, LOWEST_LEVEL));
      const isBox = wordsIn(lines, box) <= MAX_BOX_LENGTH && (isLate || purpose.isLate !== true);
      const owned = isLabel && isLate ? section : isBox ? box : [];
      if (owned.length > 0 && !owned.some((inside) => lines[inside]?.isKept)) return owned;
    }
    const links = numbersFrom(number, endOfLinks(lines, number, end));
    // When text of the section stays, the heading belongs to it.
    if (links.length === section.length) return section;
    return isLabel && links.some((inside) => lines[inside]?.isOnlyLinks) ? links : [];
  });
}

/**
 * The purpose of each heading that is a label. The first heading of a page is its title, even when it reads
 * like one, such as "most read".
 */
function headingPurposes(lines: readonly MarkdownLine[]): ReadonlyMap<number, BoilerplateWords> {
  const headings = [...lines.keys()].filter((number) => lines[number]?.headingLevel !== undefined).slice(1);
  return new Map(
    headings.flatMap((number) => {
      const { words = "", wordCount = 0 } = lines[number] ?? {};
      if (wordCount > MAX_LABEL_LENGTH) return [];
      const purpose = LABELS.get(words) ?? boilerplateWords.find((one) => one.headings?.test(words));
      return purpose ? [[number, purpose] as const] : [];
    }),
  );
}

/** Finds headings at the end with nothing below them: what they announced was not content. */
function danglingHeadings(lines: readonly MarkdownLine[]): readonly number[] {
  let number = lines.length - 1;
  const dangling: number[] = [];
  for (; number > 0 && dangling.length < MAX_DANGLING; number -= 1) {
    const { words = "", headingLevel, linkCount = 0, isKept = false } = lines[number] ?? {};
    if (words === "" && !isKept) continue;
    if (headingLevel === undefined || headingLevel === 1 || linkCount > 0) break;
    dangling.push(number);
  }
  return number > 0 ? dangling : [];
}

/** The number of the line with as much of the page before it as after it. */
function middleOf(lines: readonly MarkdownLine[]): number {
  const half = wordsIn(lines, lines.keys()) / 2;
  let before = 0;
  return lines.findIndex(({ wordCount }) => (before += wordCount) > half);
}

function endOfSection(lines: readonly MarkdownLine[], number: number, level: number): number {
  let end = number + 1;
  while (end < lines.length && (lines[end]?.headingLevel ?? Infinity) > level) end += 1;
  return end;
}

/** Exclusive end of the lines below a heading that are links, short, or empty. */
function endOfLinks(lines: readonly MarkdownLine[], number: number, end: number): number {
  let last = number + 1;
  while (last < end && isLinkOrLabel(lines[last])) last += 1;
  return last;
}

function isLinkOrLabel(line: MarkdownLine | undefined): boolean {
  if (!line || line.wordCount === 0) return line?.isKept !== true;
  return (
    !line.isKept &&
    (line.isOnlyLinks || (line.wordCount <= MAX_LABEL_LENGTH && line.headingLevel === undefined))
  );
}

function numbersFrom(start: number, end: number): readonly number[] {
  return Array.from({ length: Math.max(0, end - start) }, (_, offset) => start + offset);
}
