import { escapePlaceholders } from "@pergamon-dev/facts/redaction/replace";
import { renderMarkdown } from "./render-markdown.ts";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { type Evidence, gatherEvidence } from "@pergamon-dev/facts/structured/evidence";

/** What some HTML says by itself. */
export function evidenceOfHtml(html: string): Evidence {
  return gatherEvidence({ tree: parseHtml(html), source: () => html, metadata: () => ({}) });
}

/** What a Markdown says by itself. What stands for personal data in it is text, not elements that hold what follows. */
export function evidenceOfMarkdown(markdown: string): Evidence {
  return evidenceOfHtml(renderMarkdown(escapePlaceholders(markdown)));
}
