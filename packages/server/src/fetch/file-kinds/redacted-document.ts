import { relocateBlocks } from "./relocate-blocks.ts";
import { redactMarkdown, redactPieces } from "@pergamon-dev/facts/redaction/redact";
import type { Redaction } from "@pergamon-dev/facts/redaction/span";
import type { DocumentFacts } from "./kind.ts";

/**
 * Pages and blocks of a document without the personal data in its whole Markdown, and without data that is
 * only detected in a single page or block.
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
