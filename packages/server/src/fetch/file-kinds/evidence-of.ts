import { escapePlaceholders } from "@pergamon-dev/facts/redaction/replace";
import { renderMarkdown } from "./render-markdown.ts";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { type Evidence, gatherEvidence } from "@pergamon-dev/facts/structured/evidence";

/** Evidence from HTML alone, without metadata. */
export function evidenceOfHtml(html: string): Evidence {
  return gatherEvidence({ tree: parseHtml(html), source: () => html, metadata: () => ({}) });
}

/**
 * Evidence from Markdown alone. Placeholders for personal data are text, not elements that contain what
 * follows.
 */
export function evidenceOfMarkdown(markdown: string): Evidence {
  return evidenceOfHtml(renderMarkdown(escapePlaceholders(markdown)));
}
