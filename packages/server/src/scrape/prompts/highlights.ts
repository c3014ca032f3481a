import { fenced } from "./fence.ts";

export const VERSION = 2;

export const SCHEMA = {
  type: "object",
  properties: {
    lines: {
      type: "array",
      items: { type: "integer" },
      description: "Numbers of the lines that are relevant to the query, at most 8.",
    },
  },
  required: ["lines"],
  additionalProperties: false,
};

export const SYSTEM =
  "Choose the lines of a web page that are relevant to a query. Each line has a number. Answer only with numbers.";

export function userText(page: string, query: string): string {
  return `${fenced(page)}\n\nQuery: ${query}`;
}
