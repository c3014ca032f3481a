import type { DocumentBlock, DocumentPageBlocks } from "../../api/document-blocks.ts";

/** Distance from the end of the previous block within which a block is searched, in UTF-16 units. */
const NEIGHBOURHOOD = 400;

/**
 * Finds the spans of blocks in Markdown that was changed after the blocks were written. A block that is not
 * found unchanged near its expected place gets no span (contract, section 2.6).
 */
export function relocateBlocks(
  pages: readonly DocumentPageBlocks[],
  markdown: string,
): readonly DocumentPageBlocks[] {
  let end = 0;
  const relocate = (block: DocumentBlock): DocumentBlock => {
    if (block.markdownSpan === null || block.content === "") return { ...block, markdownSpan: null };
    const near = markdown.slice(end, end + NEIGHBOURHOOD + block.content.length);
    const at = near.indexOf(block.content);
    if (at < 0) return { ...block, markdownSpan: null };
    const start = end + at;
    end = start + block.content.length;
    return { ...block, markdownSpan: [start, end] };
  };
  return pages.map((page) => ({ ...page, items: page.items.map(relocate) }));
}
