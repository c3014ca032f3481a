import { decodeHTML } from "entities";

const REFERENCE = /&(?:#\d{1,6}|#x[\da-f]{1,6}|[a-z]{2,8});/i;

/** Text of an attribute or of structured data, where templates sometimes escape what is escaped already. */
export function decodeAgain(text: string): string {
  return text.includes("&") && REFERENCE.test(text) ? decodeHTML(text) : text;
}
