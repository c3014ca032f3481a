import type { DocumentBlock, DocumentPageBlocks } from "../../api/document-blocks.ts";

/** How far from the end of the block before it a block is looked for, in UTF-16 units. */
const NEIGHBOURHOOD = 400;

/**
 * Blocks with spans in a Markdown that was changed after they were written. A block that is not found as it is, near
 * where it has to be, has none (contract, section 2.6).
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
