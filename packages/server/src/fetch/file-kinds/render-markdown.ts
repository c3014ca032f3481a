import MarkdownIt from "markdown-it";

/**
 * Tables with spans are HTML within the Markdown of documents. Other text has its angle brackets escaped
 * there.
 */
const OPTIONS = { html: true, linkify: false, typographer: false };

/** Renders the Markdown of a document as HTML (contract, section 3.16b). */
export function renderMarkdown(markdown: string): string {
  return new MarkdownIt("default", OPTIONS).render(markdown);
}
