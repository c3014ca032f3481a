import { fenced } from "./fence.ts";

export const VERSION = 1;

export const SYSTEM =
  "You find personal data that is left in the text of one web page: names of private people, mail addresses, telephone numbers, postal addresses, numbers of accounts and cards, passwords and keys. Copy each piece exactly as it stands there, as short as it can be, once. Signs in angles such as <PERSON> and runs of stars stand for what was taken out before. Names of companies, products and public institutions are no personal data.";

/** @param entities kinds of data that are looked for. */
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
