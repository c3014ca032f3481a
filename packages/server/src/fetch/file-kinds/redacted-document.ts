import { relocateBlocks } from "./relocate-blocks.ts";
import { redactMarkdown, redactPieces } from "@pergamon-dev/facts/redaction/redact";
import type { Redaction } from "@pergamon-dev/facts/redaction/span";
import type { DocumentFacts } from "./kind.ts";

/**
 * The pages and blocks of a document without what was taken out of its whole Markdown, and without what only shows
 * when they are looked at by themselves.
 */
export function redactDocument(
  { pages, blocks, ...counts }: DocumentFacts,
  markdown: string,
  redaction: Redaction,
): DocumentFacts {
  const redact = redactPieces(markdown, redaction);
  return {
    ...counts,
    ...(pages && { pages: pages.map((page) => ({ ...page, markdown: redact(page.markdown) })) }),
    ...(blocks && { blocks: redactBlocks(blocks, redact, redactMarkdown(markdown, redaction)) }),
  };
}

function redactBlocks(
  blocks: NonNullable<DocumentFacts["blocks"]>,
  redact: (text: string) => string,
  redacted: string,
): NonNullable<DocumentFacts["blocks"]> {
  const changed = blocks.map((page) => ({
    ...page,
    items: page.items.map((block) => ({ ...block, content: redact(block.content) })),
  }));
  return relocateBlocks(changed, redacted);
}
