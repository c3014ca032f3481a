import type { Block as SourceBlock, CellSlot, Document as SourceDocument, Table } from "@firecrawl/anydoc";

import type { Block, DocumentModel, Slot, TableBlock } from "./model/document.ts";
import { type NoteNumbers, readInlines } from "./office-inlines.ts";
import { readList } from "./office-lists.ts";

/** What the parser found, as far as it is read: without the data of pictures and without anchors. */
export function modelOf({ blocks, notes }: SourceDocument): DocumentModel {
  const numbers: NoteNumbers = new Map(notes.map(({ id }, at) => [id, at + 1]));
  return {
    blocks: readBlocks(blocks, numbers),
    notes: notes.map((note, at) => ({ number: at + 1, blocks: readBlocks(note.blocks, numbers) })),
  };
}

function readBlocks(blocks: readonly SourceBlock[], numbers: NoteNumbers): readonly Block[] {
  return blocks.flatMap((block) => readBlock(block, numbers));
}

/** None for a block that shows nothing, several for one that only lays out the page. */
function readBlock(block: SourceBlock, numbers: NoteNumbers): readonly Block[] {
  const { level = 1, content = [], list, table, blocks = [], lang = "", text = "" } = block;
  // The parser's types name an enumeration that it does not have at run time.
  switch (block.kind as string) {
    case "heading":
      return withContent("heading", level, readInlines(content, numbers));
    case "paragraph":
      return withContent("paragraph", level, readInlines(content, numbers));
    case "list":
      return list ? [readList(list, (item) => readBlocks(item.blocks, numbers))] : [];
    case "table":
      return table ? readTable(table, numbers) : [];
    case "blockQuote":
      return [{ kind: "quote", blocks: readBlocks(blocks, numbers) }];
    case "codeBlock":
      return [{ kind: "code", language: lang, text }];
    case "rule":
      return [{ kind: "rule" }];
    default:
      return [];
  }
}

function withContent(
  kind: "heading" | "paragraph",
  level: number,
  content: ReturnType<typeof readInlines>,
): readonly Block[] {
  if (content.length === 0) return [];
  return [kind === "heading" ? { kind, level, content } : { kind, content }];
}

/** A table that only lays out the page is what its cells hold. */
function readTable({ grid, headerRows, kind }: Table, numbers: NoteNumbers): readonly Block[] {
  const rows = grid.map((row) => row.map((slot) => readSlot(slot, numbers)));
  const table: TableBlock = { kind: "table", headerRows, rows };
  return (kind as string) === "layout" ? rows.flat().flatMap((slot) => slot?.blocks ?? []) : [table];
}

function readSlot({ cell }: CellSlot, numbers: NoteNumbers): Slot {
  return cell && { blocks: readBlocks(cell.blocks, numbers), columns: cell.colSpan, rows: cell.rowSpan };
}
