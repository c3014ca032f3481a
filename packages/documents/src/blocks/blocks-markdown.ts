import type { DocumentBlock, PageBlocks } from "../model/blocks.ts";
import type { BlockBody, LaidOutBlock, LaidOutPage, TablePiece, TextRun } from "../layout/laid-out-page.ts";
import { escapeHeadingEnd, escapeLineStart } from "@pergamon-dev/html/markdown/escape";
import { type InlineLooks, writeInline } from "./inline-markdown.ts";
import { hasSpans, type Table, type TableCell } from "../layout/tables/table.ts";

interface DocumentMarkdown {
  readonly markdown: string;
  readonly pages: readonly { readonly pageNumber: number; readonly markdown: string }[];
  /** Width and height are those of a rendered page, which are unknown here. */
  readonly blocks: readonly PageBlocks[];
}

/** Writes the Markdown of the pages, and records each block's span in it. */
export function writeMarkdown(
  pages: readonly LaidOutPage[],
  options: { readonly pageMarkers: boolean },
): DocumentMarkdown {
  const writer = new Writer(options.pageMarkers);
  const placed = pages.map((page) => page.blocks.map((block) => writer.add(block, page.number)));
  const { markdown } = writer;
  const spans = placed.map((page) => page.map(({ span }) => span));
  return {
    markdown,
    pages: pages.map(({ number }, at) => ({ pageNumber: number, markdown: cut(markdown, spans[at] ?? []) })),
    blocks: pages.map((page, at) => pageBlocks(page, spans[at] ?? [], markdown)),
  };
}

type Span = readonly [start: number, end: number] | undefined;

/** The end of the span moves back when a line-end hyphen is removed. */
interface Placed {
  span: Span;
}

class Writer {
  readonly #hasMarkers: boolean;
  #markdown = "";
  #last: { readonly block: LaidOutBlock; readonly placed: Placed; readonly page: number } | undefined;
  /** Page of the last marker or of the first block. */
  #page: number | undefined;
  /** By depth: the column where the text of the last list item began. */
  #columns: readonly number[] = [];

  constructor(hasMarkers: boolean) {
    this.#hasMarkers = hasMarkers;
  }

  get markdown(): string {
    return this.#markdown;
  }

  add(block: LaidOutBlock, page: number): Placed {
    const placed: Placed = { span: undefined };
    if (!block.isShown) return placed;
    const indent = this.#indentOf(block, page);
    const isJoined = block.seam !== undefined && this.#last?.block.body.kind === block.body.kind;
    const text = writeBlock(isJoined ? block : { ...block, seam: undefined }, indent);
    if (text === "") return placed;
    if (isJoined) this.#join(block);
    else this.#part(block, page);
    placed.span = [this.#markdown.length, this.#markdown.length + text.length];
    this.#markdown += text;
    this.#last = { block, placed, page };
    return placed;
  }

  #indentOf({ body }: LaidOutBlock, page: number): number {
    if (body.kind !== "item") {
      this.#columns = [];
      return 0;
    }
    if (this.#last?.page !== page) this.#columns = [];
    const outer = this.#columns.slice(0, body.depth);
    const indent = outer.at(-1) ?? 0;
    this.#columns = [...outer, indent + body.marker.length + 1];
    return indent;
  }

  /** Continues the last block. A hyphen that broke a word is removed, which shortens that block's span. */
  #join({ seam, body }: LaidOutBlock): void {
    const span = this.#last?.placed.span;
    if (seam === "space") this.#markdown += " ";
    if (body.kind === "table" && !body.piece?.isMarkup) this.#markdown += "\n";
    if (seam !== "closed hyphen" || !span || !/[-\u00ad\u2010]$/.test(this.#markdown)) return;
    this.#markdown = this.#markdown.slice(0, -1);
    if (this.#last) this.#last.placed.span = [span[0], span[1] - 1];
  }

  #part(block: LaidOutBlock, page: number): void {
    const isNewPage = this.#page !== undefined && this.#page !== page;
    this.#page = page;
    if (this.#last === undefined) return;
    if (isNewPage && this.#hasMarkers) this.#markdown += `\n\n---\n\n<!-- page ${page} -->\n\n`;
    else this.#markdown += !isNewPage && this.#isNextItem(block) ? "\n" : "\n\n";
  }

  #isNextItem(block: LaidOutBlock): boolean {
    return block.body.kind === "item" && this.#last?.block.body.kind === "item";
  }
}

/** The Markdown between the first and last block of a page. */
function cut(markdown: string, spans: readonly Span[]): string {
  const written = spans.flatMap((span) => (span ? [span] : []));
  const [first, last] = [written[0], written.at(-1)];
  return first && last ? markdown.slice(first[0], last[1]) : "";
}

function pageBlocks(page: LaidOutPage, spans: readonly Span[], markdown: string): PageBlocks {
  const placed = page.blocks.map((block, at) => ({ block, span: spans[at] }));
  const items = withWholeLists(placed).map((one, at) => documentBlock({ ...one, at, page }, markdown));
  const [width, height] = [pixelsOf(page.width), pixelsOf(page.height)];
  return { pageNumber: page.number, width, height, status: page.status, items };
}

type PlacedBlock = Pick<BlockOnPage, "block" | "span">;

/** Items that are set as one list become one block, with the place of all of them. */
function withWholeLists(blocks: readonly PlacedBlock[]): readonly PlacedBlock[] {
  const whole: PlacedBlock[] = [];
  for (const one of blocks) {
    const before = one.block.isNextOfList ? whole.pop() : undefined;
    whole.push(before ? joinedItems(before, one) : one);
  }
  return whole;
}

function joinedItems({ block, span }: PlacedBlock, item: PlacedBlock): PlacedBlock {
  const [one, other] = [block.box, item.block.box];
  const [x0, y0] = [Math.min(one[0], other[0]), Math.min(one[1], other[1])];
  const box = [x0, y0, Math.max(one[2], other[2]), Math.max(one[3], other[3])] as const;
  const all = span && item.span ? ([span[0], item.span[1]] as const) : (span ?? item.span);
  return { block: { ...block, label: "list", box }, span: all };
}

/** Pixels at the rendering resolution. @param points 0 for a page that could not be read. */
function pixelsOf(points: number): number | null {
  return points === 0 ? null : Math.round((points / POINTS_PER_INCH) * RENDERED_DPI);
}

const POINTS_PER_INCH = 72;
const RENDERED_DPI = 200;

interface BlockOnPage {
  readonly block: LaidOutBlock;
  readonly at: number;
  readonly page: LaidOutPage;
  readonly span: Span;
}

function documentBlock({ block, at, page, span }: BlockOnPage, markdown: string): DocumentBlock {
  const { layout, ocr } = block.confidence;
  return {
    id: `p${page.number}.b${at}`,
    type: block.type,
    label: block.label ?? null,
    bbox: sharesOf(block, page),
    content: span ? markdown.slice(span[0], span[1]) : plainText(block),
    markdownSpan: span ? [span[0], span[1]] : null,
    readingOrder: at,
    source: block.source,
    confidence: { layout: layout ?? null, ocr: ocr ?? null },
  };
}

/** The block's box as fractions of the page; null if it lies off the page. */
function sharesOf({ box }: LaidOutBlock, { width, height }: LaidOutPage): DocumentBlock["bbox"] {
  const [x0, x1] = [shareOf(box[0], width), shareOf(box[2], width)];
  const [y0, y1] = [shareOf(box[1], height), shareOf(box[3], height)];
  return x0 < x1 && y0 < y1 ? [x0, y0, x1, y1] : null;
}

function shareOf(value: number, whole: number): number {
  return whole > 0 ? Math.round(Math.min(1, Math.max(0, value / whole)) * 1e4) / 1e4 : 0;
}

const ALL_LOOKS: InlineLooks = { bold: true, italic: true, monospaced: true };
/** Headings are already bold. */
const IN_HEADING: InlineLooks = { bold: false, italic: false, monospaced: true };

/** Markdown of one block; "" without text. `indent` applies to list items, in characters. */
function writeBlock({ body, seam }: LaidOutBlock, indent: number): string {
  const isJoined = seam !== undefined;
  switch (body.kind) {
    case "table":
      return body.table.rows.length > 0 ? writeTable(body.table, body.piece) : "";
    case "code":
      return writeCode(body.lines);
    case "heading":
      return writeHeading(body);
    case "item":
      return `${" ".repeat(indent)}${body.marker} ${writeRuns(body.runs)}`.trimEnd();
    case "text":
      return isJoined ? writeRuns(body.runs) : escapeLineStart(writeRuns(body.runs), "");
  }
}

function writeRuns(runs: readonly TextRun[]): string {
  return writeInline(runs, ALL_LOOKS);
}

function writeHeading({ level, runs }: Extract<BlockBody, { kind: "heading" }>): string {
  const text = writeInline(runs, IN_HEADING);
  return text === "" ? "" : `${"#".repeat(level)} ${escapeHeadingEnd(text)}`;
}

/** The fence is longer than any run of backticks inside. */
function writeCode(lines: readonly string[]): string {
  const text = lines.join("\n");
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(Math.max(3, longest + 1));
  return text.trim() === "" ? "" : `${fence}\n${text}\n${fence}`;
}

/** Content of a block that the Markdown leaves out. */
function plainText({ body }: LaidOutBlock): string {
  return body.kind === "text" ? body.runs.map(({ text }) => text).join("") : "";
}

/**
 * A pipe table, or HTML if cells span rows or columns. For a table over several pages, writes the given
 * piece.
 */
function writeTable(table: Table, piece?: TablePiece): string {
  const whole = piece ?? { isMarkup: hasSpans(table), isFirst: true, isLast: true };
  return whole.isMarkup ? writeHtml(table, whole) : writePipes(table, whole);
}

function writeHtml({ rows }: Table, { isFirst, isLast }: TablePiece): string {
  const lines = rows.map((row) => `<tr>${row.map(writeCell).join("")}</tr>`);
  return `${isFirst ? "<table>" : ""}${lines.join("")}${isLast ? "</table>" : ""}`;
}

function writeCell({ colspan, rowspan, text }: TableCell): string {
  const spans = (colspan > 1 ? ` colspan="${colspan}"` : "") + (rowspan > 1 ? ` rowspan="${rowspan}"` : "");
  return `<td${spans}>${escapeHtml(text)}</td>`;
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function writePipes({ rows, columns }: Table, { isFirst }: TablePiece): string {
  const [first, ...others] = rows.map((row) => writeRow(row, columns));
  return [first, ...(isFirst ? [`|${" --- |".repeat(columns)}`] : []), ...others].join("\n");
}

function writeRow(row: readonly TableCell[], columns: number): string {
  const cells = Array.from({ length: columns }, () => "");
  for (const { column, text } of row) cells[column] = text.replaceAll("|", "\\|");
  return `| ${cells.join(" | ")} |`;
}
