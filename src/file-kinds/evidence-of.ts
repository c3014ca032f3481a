import { escapePlaceholders } from "../judgement/pii/replace.ts";
import { renderMarkdown } from "../documents/blocks/render-markdown.ts";
import { parseHtml } from "../page-content/html/parser/parse.ts";
import { type Evidence, gatherEvidence } from "../facts/structured/evidence.ts";

/** What some HTML says by itself. */
export function evidenceOfHtml(html: string): Evidence {
  return gatherEvidence({ tree: parseHtml(html), source: () => html, metadata: () => ({}) });
}

/** What a Markdown says by itself. What stands for personal data in it is text, not elements that hold what follows. */
export function evidenceOfMarkdown(markdown: string): Evidence {
  return evidenceOfHtml(renderMarkdown(escapePlaceholders(markdown)));
}
