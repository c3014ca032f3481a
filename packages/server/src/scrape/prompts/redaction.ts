import { fenced } from "./fence.ts";

export const VERSION = 2;

export const SYSTEM =
  "Find the remaining personal data in the text of a web page: names of private people, email addresses, telephone numbers, postal addresses, account and card numbers, passwords and keys. Copy each piece once, exactly as written and as short as possible. Markers such as <PERSON> and runs of asterisks replace data that was removed before. Names of companies, products and public institutions are not personal data.";

/** @param entities kinds of personal data to find. */
export function schemaOf(entities: readonly string[]): object {
  const span = {
    type: "object",
    properties: { text: { type: "string" }, kind: { type: "string", enum: entities } },
    required: ["text", "kind"],
    additionalProperties: false,
  };
  return {
    type: "object",
    properties: { spans: { type: "array", items: span } },
    required: ["spans"],
    additionalProperties: false,
  };
}

export function userText(page: string): string {
  return fenced(page);
}
