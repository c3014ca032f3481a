import { renderMarkdown } from "./render-markdown.ts";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import type { FileParts, ReadTools } from "./kind.ts";

/** HTML parts of a document that was read as Markdown. */
export function renderedParts(markdown: string, { stage }: ReadTools): Pick<FileParts, "html" | "tree"> {
  const html = stage("render", () => renderMarkdown(markdown));
  return { html, ...parsedParts(html, { stage }) };
}

export function parsedParts(
  html: () => string,
  { stage }: Pick<ReadTools, "stage">,
): Pick<FileParts, "tree"> {
  return { tree: stage("parse", () => parseHtml(html())) };
}
