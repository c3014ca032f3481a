export type BlockKind = "heading" | "text" | "item" | "quote" | "table" | "code";

/** A line, or the part of it inside a list item or a quote. */
interface MarkdownLine {
  readonly start: number;
  /** Exclusive. The line end belongs to the line. */
  readonly end: number;
  /** Without line end, and without the marks and the indentation of the blocks around it. */
  readonly text: string;
}

export interface MarkdownBlock {
  readonly kind: BlockKind;
  /** Its empty lines follow it. The blocks of a text cover all of its lines. */
  readonly lines: readonly MarkdownLine[];
  /** Level and text of a heading. */
  readonly heading?: { readonly level: number; readonly title: string };
}

type Lines = readonly MarkdownLine[];

/** How a kind of block begins, and where it ends. Checked in order. */
interface BlockRule {
  readonly kind: BlockKind;
  readonly opening: RegExp;
  /** Whether lines that match the opening begin such a block. Default: all. */
  opens?(lines: Lines, at: number): boolean;
  /** True when such a block begins only after an empty line. */
  readonly isAfterBlank?: true;
  /** Index of the first line after the block. Default: the next line. */
  end?(lines: Lines, at: number): number;
}

const FENCE = /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/;
const FORMULA = /^ {0,3}\$\$\s*$/;
const HEADING = /^ {0,3}(#{1,6})(?:\s(.*))?$/;
const UNDERLINE = /^ {0,3}(=+|-+)\s*$/;
const QUOTE = /^ {0,3}> ?/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?=\s|$)/;
const DELIMITER_ROW = /^[\s|:-]*-[\s|:-]*$/;
const CODE_INDENT = 4;

/** CommonMark and tables of GitHub, as far as they decide where blocks begin and end. */
const rules: readonly BlockRule[] = [
  { kind: "code", opening: FENCE, end: fenceEnd },
  {
    kind: "code",
    opening: FORMULA,
    end: (lines, at) => indexAfter(lines, at + 1, ({ text }) => FORMULA.test(text)),
  },
  { kind: "heading", opening: HEADING },
  { kind: "text", opening: /^ {0,3}(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,})$/ },
  {
    kind: "quote",
    opening: QUOTE,
    end: (lines, at) => containerEnd(lines, at, ({ text }) => QUOTE.test(text)),
  },
  { kind: "item", opening: ITEM, end: itemEnd },
  {
    kind: "table",
    opening: /\|/,
    opens: (lines, at) =>
      /\|/.test(lines[at + 1]?.text ?? "") && DELIMITER_ROW.test(lines[at + 1]?.text ?? ""),
    end: (lines, at) => textEnd(lines, at + 2),
  },
  {
    kind: "code",
    opening: /^(?: {4}| {0,3}\t)/,
    isAfterBlank: true,
    end: (lines, at) => indexOf(lines, at, (line) => !isBlank(line) && indentOf(line.text) < CODE_INDENT),
  },
];

export function linesOf(markdown: string): Lines {
  const lines: MarkdownLine[] = [];
  for (let start = 0; start < markdown.length;) {
    const at = markdown.indexOf("\n", start);
    const end = at < 0 ? markdown.length : at + 1;
    lines.push({ start, end, text: markdown.slice(start, at < 0 ? end : at).replace(/\r$/, "") });
    start = end;
  }
  return lines;
}

export function blocksOf(lines: Lines): readonly MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  for (let from = 0; from < lines.length;) {
    // Only the first block has empty lines before it.
    const at = Math.min(
      indexOf(lines, from, (line) => !isBlank(line)),
      lines.length - 1,
    );
    const { end: last, ...block } = blockAt(lines, at);
    const end = indexOf(lines, last, (line) => !isBlank(line));
    blocks.push({ ...block, lines: lines.slice(from, end) });
    from = end;
  }
  return blocks;
}

/** The content of a list item or a quote. Other blocks contain no blocks. */
export function innerLines({ kind, lines }: MarkdownBlock): Lines | undefined {
  if (kind === "quote") return lines.map((line) => ({ ...line, text: line.text.replace(QUOTE, "") }));
  if (kind !== "item") return undefined;
  const first = indexOf(lines, 0, (line) => !isBlank(line));
  const width = contentColumn(lines[first]?.text ?? "");
  return lines.map((line, index) => ({
    ...line,
    text: line.text.slice(index <= first ? width : Math.min(width, indentOf(line.text))),
  }));
}

function blockAt(lines: Lines, at: number): Omit<MarkdownBlock, "lines"> & { readonly end: number } {
  const isPlain = PLAIN.test(lines[at]?.text ?? "");
  const rule = isPlain ? undefined : rules.find((one) => opensAt(one, lines, at));
  if (!rule) {
    const end = textEnd(lines, at + 1);
    const under = UNDERLINE.exec(lines[end]?.text ?? "")?.[1];
    if (under === undefined) return { kind: "text", end };
    const title = lines
      .slice(at, end)
      .map(({ text }) => text.trim())
      .join(" ");
    return { kind: "heading", heading: { level: under.startsWith("=") ? 1 : 2, title }, end: end + 1 };
  }
  const end = rule.end?.(lines, at) ?? at + 1;
  if (rule.kind !== "heading") return { kind: rule.kind, end };
  const [, marks = "", title = ""] = HEADING.exec(lines[at]?.text ?? "") ?? [];
  return { kind: "heading", heading: { level: marks.length, title: withoutClosing(title.trim()) }, end };
}

/** Removes the marks that may close a heading. */
function withoutClosing(title: string): string {
  const last = title.lastIndexOf(" ") + 1;
  return /^#+$/.test(title.slice(last)) ? title.slice(0, last).trim() : title;
}

/** Lines that begin no block. Most do not. */
const PLAIN = /^[A-Za-z["'(!<\u00c0-\uffff][^|]*$/;

function opensAt({ opening, opens, isAfterBlank }: BlockRule, lines: Lines, at: number): boolean {
  const before = lines[at - 1];
  if (isAfterBlank && before && !isBlank(before)) return false;
  return opening.test(lines[at]?.text ?? "") && (opens?.(lines, at) ?? true);
}

function isOpening(lines: Lines, at: number): boolean {
  if (PLAIN.test(lines[at]?.text ?? "")) return false;
  return rules.some((rule) => !rule.isAfterBlank && opensAt(rule, lines, at));
}

/** End of a paragraph or a table. An underline, which makes the paragraph a heading, ends it, too. */
function textEnd(lines: Lines, from: number): number {
  return indexOf(
    lines,
    from,
    (line, at) => isBlank(line) || UNDERLINE.test(line.text) || isOpening(lines, at),
  );
}

function fenceEnd(lines: Lines, at: number): number {
  const [, ticks, tildes = ""] = FENCE.exec(lines[at]?.text ?? "") ?? [];
  const fence = ticks ?? tildes;
  const closes = ({ text }: MarkdownLine) => {
    const mark = text.trim();
    return (
      mark.startsWith(fence) && mark.replaceAll(fence.charAt(0), "") === "" && indentOf(text) < CODE_INDENT
    );
  };
  return indexAfter(lines, at + 1, closes);
}

function itemEnd(lines: Lines, at: number): number {
  const width = contentColumn(lines[at]?.text ?? "");
  return containerEnd(lines, at, (line) => isBlank(line) || indentOf(line.text) >= width);
}

/** A line behind text continues it, unless it opens a block of its own. */
function containerEnd(lines: Lines, at: number, isInside: (line: MarkdownLine) => boolean): number {
  return indexOf(lines, at + 1, (line, index) => {
    if (isInside(line)) return false;
    const before = lines[index - 1];
    return isBlank(line) || !before || isBlank(before) || isOpening(lines, index);
  });
}

/** Column at which the content of a list item begins. */
function contentColumn(text: string): number {
  const marker = ITEM.exec(text)?.[0].length ?? 0;
  const space = /^\s*/.exec(text.slice(marker))?.[0].length ?? 0;
  return marker + (space > CODE_INDENT || marker + space === text.length ? 1 : space);
}

function indentOf(text: string): number {
  const [space = ""] = /^[ \t]*/.exec(text) ?? [];
  return space.includes("\t") ? space.replaceAll("\t", "    ").length : space.length;
}

function isBlank({ text }: MarkdownLine): boolean {
  return text.trim() === "";
}

/** Index of the first line from there on that meets the condition, else the number of lines. */
function indexOf(lines: Lines, from: number, meets: (line: MarkdownLine, at: number) => boolean): number {
  let at = from;
  for (let line = lines[at]; line && !meets(line, at); line = lines[at]) at += 1;
  return at;
}

function indexAfter(lines: Lines, from: number, meets: (line: MarkdownLine) => boolean): number {
  return Math.min(indexOf(lines, from, meets) + 1, lines.length);
}
