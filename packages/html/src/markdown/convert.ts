import type { Selection } from "../selection/selection.ts";
import { Conversion } from "./conversion.ts";
import { rules } from "./rules.ts";

/**
 * Converts a selection to GitHub-flavoured Markdown in one walk over its nodes. One blank line separates
 * blocks; there is no blank line at either end.
 * @param baseUrl - URL that relative URLs resolve against
 */
export function toMarkdown(selection: Selection, baseUrl: string): string {
  const conversion = new Conversion(selection, baseUrl, rules);
  for (const root of selection.roots) {
    conversion.visit(root);
    conversion.boundary();
  }
  conversion.notes.finish(conversion);
  return conversion.writer.toString();
}
