import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectAll } from "@pergamon-dev/html/selection/selection";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import type { Block, DocumentModel, Note, TableBlock } from "./document.ts";
import { blocksHtml, type HtmlStyle } from "./html.ts";
import { escapeText } from "./html-escape.ts";
import { pipeTable } from "./pipe-table.ts";

/** What Markdown has a notation for, and HTML has not. */
const MARKDOWN_STYLE: HtmlStyle = {
  noteReference: (number) => `[^${number}]`,
  embeddedPicture: escapeText,
};

/**
 * GitHub-flavoured Markdown of a document. What a cell covers besides its first row and column is empty; notes
 * are at the end.
 * @param baseUrl - what relative addresses count from
 */
export function documentMarkdown({ blocks, notes }: DocumentModel, baseUrl: string): string {
  const convert = (inner: readonly Block[]) => pageMarkdown(inner, baseUrl);
  const text = partsOf(blocks).map((part) =>
    // Not by the converter of pages, which has to tell data from layout: tables of a document are data.
    part.kind === "table" ? pipeTable(part.table, convert) : convert(part.blocks),
  );
  return [...text, ...notes.map((note) => noteMarkdown(note, convert))]
    .filter((part) => part !== "")
    .join("\n\n");
}

type Part =
  | { readonly kind: "table"; readonly table: TableBlock }
  | { readonly kind: "text"; readonly blocks: readonly Block[] };

/** Tables, and what is between them. */
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

/** As pages are converted, so that the same content is written the same way for every kind of file. */
function pageMarkdown(blocks: readonly Block[], baseUrl: string): string {
  if (blocks.length === 0) return "";
  return toMarkdown(selectAll(parseHtml(blocksHtml(blocks, MARKDOWN_STYLE))), baseUrl);
}

function noteMarkdown({ number, blocks }: Note, convert: (blocks: readonly Block[]) => string): string {
  return `[^${number}]: ${convert(blocks).replace(/\n(?=[^\n])/g, "\n    ")}`;
}
