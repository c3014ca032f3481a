import { fenced } from "./fence.ts";

export const VERSION = 1;

export const SCHEMA = {
  type: "object",
  properties: {
    lines: {
      type: "array",
      items: { type: "integer" },
      description: "Numbers of the lines that matter for the query, at most 8.",
    },
  },
  required: ["lines"],
  additionalProperties: false,
};

export const SYSTEM =
  "You choose the lines of one web page that matter for a query. You get the lines with their numbers and answer with numbers alone.";

export function userText(page: string, query: string): string {
  return `${fenced(page)}\n\nQuery: ${query}`;
}
