import { matchesOf } from "./matches.ts";
import type { Span } from "./span.ts";

/** Part lengths are limited by RFC 5321, section 4.5.3.1, which also bounds the match time. */
const ADDRESS =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+'-]{1,64}(?:@|%40)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,24}(?![\p{L}\p{N}])/gu;

/** Obfuscated addresses: `name [at] host [dot] org`. */
const SPELLED_OUT =
  /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64} ?(?:[([{] ?(?:at|@|ät|arroba|chiocciola|arobase) ?[)\]}]) ?[\p{L}\p{N}-]{1,63}(?: ?(?:\.|[([{] ?(?:dot|\.|punkt|punto|point|punt) ?[)\]}]) ?[\p{L}\p{N}-]{2,63}){1,4}/giu;

/** Cheap pre-check for obfuscated addresses, as brackets are rare. */
const BRACKETED_AT = /[([{] ?(?:at|@|ät|arroba|chiocciola|arobase) ?[)\]}]/i;

export function emails(text: string): readonly Span[] {
  const isPossible = text.includes("@") || text.includes("%40");
  const plain = isPossible ? matchesOf(text, { pattern: ADDRESS, entity: "EMAIL" }) : [];
  if (!BRACKETED_AT.test(text)) return plain;
  return [...plain, ...matchesOf(text, { pattern: SPELLED_OUT, entity: "EMAIL" })];
}
