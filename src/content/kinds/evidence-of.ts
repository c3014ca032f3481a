import { renderMarkdown } from "../documents/render-markdown.ts";
import { parseHtml } from "../html/parser/parse.ts";
import { type Evidence, gatherEvidence } from "../structured/evidence.ts";

/** What some HTML says by itself. */
export function evidenceOfHtml(html: string): Evidence {
  return gatherEvidence({ tree: parseHtml(html), source: () => html, metadata: () => ({}) });
}

/** What a Markdown says by itself. */
export function evidenceOfMarkdown(markdown: string): Evidence {
  return evidenceOfHtml(renderMarkdown(markdown));
}
