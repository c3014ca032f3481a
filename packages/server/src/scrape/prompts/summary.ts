import { fenced } from "./fence.ts";

export const VERSION = 2;

export const SCHEMA = {
  type: "object",
  properties: { summary: { type: "string", description: "Two to five sentences." } },
  required: ["summary"],
  additionalProperties: false,
};

export const SYSTEM =
  "Summarise the text of a web page in two to five plain sentences, in the language of the page. Use nothing but its text. Copy figures and names exactly.";

export function userText(page: string): string {
  return fenced(page);
}

/** @param parts summaries of the parts of a page, in order. */
export function textOfParts(parts: string): string {
  return `${fenced(parts)}\n\nThese are summaries of the parts of one page, in order. Summarise the whole page.`;
}
