import { textOf } from "../structured/text-of.ts";
import { type PageLayout, STRUCK } from "./page-layout.ts";
import type { PriceCandidate } from "./price-candidates.ts";

/** What a price that was asked before is introduced with: at the end of the text before it. */
const SAID_OLD =
  /(?<![\p{L}\d])(?:was|were|formerly|previously|originally|(?:regular|list|old|original|retail) price|reg\.?|rrp|msrp|srp|compare at|uvp|statt|vorher|zuvor|bisher|ehemals|alter preis|au lieu de|avant|prix (?:conseillé|barré)|ancien prix|antes|en lugar de|en vez de|precio (?:anterior|original)|pvpr|prima|invece di|anziché|prezzo (?:di listino|consigliato|precedente)|antes de|preço (?:anterior|original)|voorheen|adviesprijs|van|zamiast|poprzednia cena|istället för|ord\.? ?pris|tidigare|førpris|původně)\s{0,3}[:(]?\s{0,3}$/iu;
const MAX_TEXT_LENGTH = 160;
const MAX_BEFORE = 40;

/** Whether a price is struck out, or said to be that of before. */
export function isOldPrice(candidate: PriceCandidate, { tree, inside }: PageLayout): boolean {
  const { node, text, price } = candidate;
  if (((inside[node] ?? 0) & STRUCK) !== 0) return true;
  const start = price.formatted === undefined ? -1 : text.indexOf(price.formatted);
  if (start < 0) return false;
  const own = text.slice(Math.max(0, start - MAX_BEFORE), start);
  if (/[\p{L}\d]/u.test(own)) return SAID_OLD.test(own);
  const around = textOf(tree, tree.parent[node] ?? 0, MAX_TEXT_LENGTH);
  const at = around.indexOf(text);
  return SAID_OLD.test(around.slice(Math.max(0, at - MAX_BEFORE), Math.max(0, at)));
}
