import type { Selection } from "../selection/selection.ts";
import { Conversion } from "./conversion.ts";
import { rules } from "./rules.ts";

/**
 * GitHub-flavoured Markdown of a selection, in one walk over its nodes. Blocks are separated by one blank
 * line; there is no blank line at either end.
 * @param baseUrl - what relative addresses count from
 */
export function toMarkdown(selection: Selection, baseUrl: string): string {
  const conversion = new Conversion(selection, baseUrl, rules);
  for (const root of selection.roots) {
    conversion.visit(root);
    conversion.boundary();
  }
  return conversion.writer.toString();
}
