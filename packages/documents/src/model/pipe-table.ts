import { escapeText as escapeMarkdown, needsEscape } from "@pergamon-dev/html/markdown/escape";
import { foldText } from "@pergamon-dev/html/markdown/fold";
import { type Block, type Inline, PLAIN, type Slot, type TableBlock } from "./document.ts";

/** Rows are filled up to the table's width while the table is at most this much larger than its cells. */
const MAX_PADDING_RATIO = 3;

/**
 * A pipe table with a column for each of the table's, its first row as the head. What a cell covers besides its first
 * row and column is empty.
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

/** A table within a cell: a line for each of its rows, as Markdown has no nested tables. */
function withoutTable(block: Block): readonly Block[] {
  if (block.kind !== "table") return [block];
  return block.rows.map((row) => ({ kind: "paragraph", content: row.flatMap(cellOfLine) }));
}

function cellOfLine(slot: Slot, at: number): readonly Inline[] {
  const inner = (slot?.blocks ?? []).flatMap(withoutTable);
  const content = inner.flatMap((block) => (block.kind === "paragraph" ? block.content : []));
  return at === 0 ? content : [{ kind: "text", text: " / ", ...PLAIN }, ...content];
}

/** Most cells, and all those of sheets, hold nothing but characters: these need no parser. */
function plainCell(block: Block): string | undefined {
  if (block.kind !== "paragraph" || block.content.length > 1) return undefined;
  const [run] = block.content;
  if (!run) return "";
  if (run.kind !== "text" || run.isBold || run.isItalic || run.isStruck || run.isCode) return undefined;
  const text = foldText(run.text).trim();
  const surroundings = { before: "", after: "", insideLink: false, hasEmphasis: false };
  return needsEscape(text) ? escapeMarkdown(text, surroundings) : text;
}
