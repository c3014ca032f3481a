import { fenced } from "./fence.ts";

export const VERSION = 2;

export const SCHEMA = {
  type: "object",
  properties: {
    lines: { type: "array", items: { type: "integer" }, description: "Numbers of the lines to remove." },
  },
  required: ["lines"],
  additionalProperties: false,
};

export const SYSTEM =
  "Find the remaining boilerplate in the text of a web page: cookie notices, navigation, advertisements, share and follow buttons, newsletter forms, related links, comment forms. Each line has a number. Answer only with the numbers of boilerplate lines. Keep all content: headings, lists, tables, code, images and links.";

export function userText(page: string): string {
  return fenced(page);
}
