import { decodeHTML } from "entities";

const REFERENCE = /&(?:#\d{1,6}|#x[\da-f]{1,6}|[a-z]{2,8});/i;

/** Decodes an attribute or structured data once more, as templates sometimes escape text twice. */
export function decodeAgain(text: string): string {
  return text.includes("&") && REFERENCE.test(text) ? decodeHTML(text) : text;
}
