import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll } from "@pergamon-dev/html/selection/selection";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import {
  type Block,
  type DocumentModel,
  type Inline,
  type Note,
  PLAIN,
  type Slot,
  type TableBlock,
} from "./document.ts";
import { blocksHtml, type HtmlStyle } from "./html.ts";
import { escapeText } from "./html-escape.ts";
import { escapeText as escapeMarkdown, needsEscape } from "@pergamon-dev/html/markdown/escape";
import { foldText } from "@pergamon-dev/html/markdown/fold";

/** Content that Markdown has a notation for, but HTML has not. */
const MARKDOWN_STYLE: HtmlStyle = {
  recordReference: (number) => `[^${number}]`,
  embeddedPicture: escapeText,
};

/**
 * GitHub-flavoured Markdown of a document. A merged cell has its text in its first slot, and the other slots
 * are empty. Notes are at the end.
 * @param baseUrl - relative URLs resolve against it
 */
export function documentMarkdown({ blocks, notes }: DocumentModel, baseUrl: string): string {
  const convert = (inner: readonly Block[]) => pageMarkdown(inner, baseUrl);
  const text = partsOf(blocks).map((part) =>
    // Bypasses the page converter, which must tell data tables from layout tables: all tables of a document
    // are data.
    part.kind === "table" ? pipeTable(part.table, convert) : convert(part.blocks),
  );
  return [...text, ...notes.map((note) => noteMarkdown(note, convert))]
    .filter((part) => part !== "")
    .join("\n\n");
}

type Part =
  | { readonly kind: "table"; readonly table: TableBlock }
  | { readonly kind: "text"; readonly blocks: readonly Block[] };

/** Splits blocks into tables and the content between them. */
function partsOf(blocks: readonly Block[]): readonly Part[] {
  const parts: Part[] = [];
  let start = 0;
  blocks.forEach((block, at) => {
    if (block.kind !== "table") return;
    parts.push({ kind: "text", blocks: blocks.slice(start, at) }, { kind: "table", table: block });
    start = at + 1;
  });
  return [...parts, { kind: "text", blocks: blocks.slice(start) }];
}

/** Uses the converter of web pages, so that the same content looks the same for every kind of file. */
function pageMarkdown(blocks: readonly Block[], baseUrl: string): string {
  if (blocks.length === 0) return "";
  return toMarkdown(selectAll(parseHtml(blocksHtml(blocks, MARKDOWN_STYLE))), baseUrl);
}

function noteMarkdown({ number, blocks }: Note, convert: (blocks: readonly Block[]) => string): string {
  return `[^${number}]: ${convert(blocks).replace(/\n(?=[^\n])/g, "\n    ")}`;
}

/**
 * Rows are padded to the table's width only while the table has at most this many times as many slots as
 * cells.
 */
const MAX_PADDING_RATIO = 3;

/**
 * A pipe table whose first row is the head. A merged cell has its text in its first slot, and the other slots
 * are empty.
 * @param convert - writes blocks as Markdown
 */
export function pipeTable({ rows }: TableBlock, convert: (blocks: readonly Block[]) => string): string {
  const width = rows.reduce((widest, row) => Math.max(widest, row.length), 0);
  if (width === 0) return "";
  const cellCount = rows.reduce((sum, row) => sum + row.length, 0);
  const isPadded = width * rows.length <= cellCount * MAX_PADDING_RATIO;
  const lines = rows.map((row, at) => {
    const cells = row.map((slot) => cellText(slot, convert));
    const missing = at === 0 || isPadded ? width - row.length : 0;
    return `| ${cells.join(" | ")} |${"  |".repeat(missing)}`;
  });
  return [lines[0], `|${" --- |".repeat(width)}`, ...lines.slice(1)].join("\n");
}

function cellText(slot: Slot, convert: (blocks: readonly Block[]) => string): string {
  const [only, ...others] = slot?.blocks ?? [];
  if (!only) return "";
  const text = others.length === 0 ? plainCell(only) : undefined;
  return (
    text ?? convert((slot?.blocks ?? []).flatMap(withoutTable)).replace(/(?:\\?\n)+/g, "<br>")
  ).replaceAll("|", "\\|");
}

/** Markdown has no nested tables, so each row of a table within a cell becomes a line. */
function withoutTable(block: Block): readonly Block[] {
  if (block.kind !== "table") return [block];
  return block.rows.map((row) => ({ kind: "paragraph", content: row.flatMap(cellOfLine) }));
}

function cellOfLine(slot: Slot, at: number): readonly Inline[] {
  const inner = (slot?.blocks ?? []).flatMap(withoutTable);
  const content = inner.flatMap((block) => (block.kind === "paragraph" ? block.content : []));
  return at === 0 ? content : [{ kind: "text", text: " / ", ...PLAIN }, ...content];
}

/** Most cells, and all cells of sheets, are plain text, which needs no parser. */
function plainCell(block: Block): string | undefined {
  if (block.kind !== "paragraph" || block.content.length > 1) return undefined;
  const [run] = block.content;
  if (!run) return "";
  if (run.kind !== "text" || run.isBold || run.isItalic || run.isStruck || run.isCode) return undefined;
  const text = foldText(run.text).trim();
  const surroundings = { before: "", after: "", insideLink: false, hasEmphasis: false };
  return needsEscape(text) ? escapeMarkdown(text, surroundings) : text;
}
