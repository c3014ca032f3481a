import { fenced } from "./fence.ts";

export const VERSION = 1;

export const SCHEMA = {
  type: "object",
  properties: {
    lines: { type: "array", items: { type: "integer" }, description: "Numbers of the lines to leave out." },
  },
  required: ["lines"],
  additionalProperties: false,
};

export const SYSTEM =
  "You find what is left of boilerplate in the text of one web page: cookie notices, navigation, advertisements, rows for sharing and following, newsletters, related links, comment forms. You get the lines with their numbers and answer with the numbers of boilerplate lines alone. Keep everything that readers came for: headings, lists, tables, code, pictures and links of the content.";

export function userText(page: string): string {
  return fenced(page);
}
