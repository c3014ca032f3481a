import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { textOf, UNREAD } from "../structured/text-of.ts";
import { type Price, readPrice } from "./price.ts";

export interface PriceCandidate {
  /** The smallest element that contains the whole price. */
  readonly node: number;
  readonly price: Price;
  /** The element's whole text. */
  readonly text: string;
  /** True if a currency stands next to the number. */
  readonly hasCurrency: boolean;
}

const MAX_CANDIDATES = 600;
const MAX_TEXT_LENGTH = 120;
/** Maximum text length of elements around the one with the number. */
const MAX_SPLIT_LENGTH = 45;
/** Maximum levels searched for a currency: `<b>$</b><i>9</i><sup>99</sup>`. */
const MAX_LEVELS = 4;

const SIGNS = String.raw`(?:US|CA|C|AU|A|NZ|NT|R|HK|S|MX)?\s?[$€£¥￥₹₽₩₺₴₪₫₸฿₱]|\b(?:USD|EUR|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN|INR|SAR|AED|PKR|BRL|Rs\.?|Rp|kr\.?)`;
const SIGNS_AFTER = String.raw`[$€£¥￥₹₽₩₺₴₪₫₸฿₱원元円]|zł|Kč|kr\b|лв|руб|р\.|грн|тг|тнг|lei\b|Lei\b|Ft\b|TL\b|USD|EUR|GBP|CHF|CAD|AUD|SEK|NOK|DKK|PLN|INR|SAR|AED|PKR|ر\.س|euros?\b`;
const DIGITS = String.raw`(?:(?<![\p{L}\p{N}])[.,])?\d[\d.,'’ \u00a0\u2009\u202f]{0,15}`;
const PRICED = new RegExp(`(?:${SIGNS})\\s{0,3}${DIGITS}|${DIGITS}\\s{0,3}(?:${SIGNS_AFTER})(?!\\d)`, "u");
const BARE = /^\s*\d{1,3}(?:[\d.,\s\u00a0]{0,12}\d)?\s*(?:,-|\.-)?\s*$/u;
const PRICE_NAME = /price|preis|prix|prezzo|precio|preco|cena|hind|pret/i;
const SMALL = tagSet("sup small");
const CENTS = /cent|frac|decimal|sup|penny/i;

/** Elements that show a price, in document order. Scripts and similar are ignored. */
export function findPriceCandidates(tree: HtmlTree): readonly PriceCandidate[] {
  const found = new Map<number, PriceCandidate>();
  const texts = new Map<number, string>();
  for (let node = 1; node < tree.size && found.size < MAX_CANDIDATES; node++) {
    const tag = tree.tag[node] ?? 0;
    if (UNREAD[tag] === 1) {
      node = (tree.end[node] ?? tree.size) - 1;
      continue;
    }
    if (tag !== TEXT || !hasDigit(tree, node)) continue;
    const candidate = candidateAt(tree, node, texts);
    if (candidate && !found.has(candidate.node)) found.set(candidate.node, candidate);
  }
  return [...found.values()];
}

function hasDigit(tree: HtmlTree, node: number): boolean {
  const digit = { isSeen: false };
  tree.visitText(node, lookForDigit, digit);
  return digit.isSeen;
}

function lookForDigit(source: string, from: number, to: number, digit: { isSeen: boolean }): void {
  for (let at = from; at < to; at++) {
    const code = source.charCodeAt(at);
    if (code < 48 || code > 57) continue;
    digit.isSeen = true;
    return;
  }
}

/**
 * The smallest element around a number that also shows a currency or is named as a price.
 * @param texts - cache of element texts, as numbers often share ancestors
 */
function candidateAt(tree: HtmlTree, node: number, texts: Map<number, string>): PriceCandidate | undefined {
  let bare: PriceCandidate | undefined;
  let at = tree.parent[node] ?? 0;
  for (let level = 0; level < MAX_LEVELS && at > 0; level++, at = tree.parent[at] ?? 0) {
    let text = texts.get(at);
    if (text === undefined) texts.set(at, (text = priceTextOf(tree, at)));
    if (text.length > (level === 0 ? MAX_TEXT_LENGTH : MAX_SPLIT_LENGTH)) break;
    const match = PRICED.exec(text)?.[0];
    const price = match === undefined ? undefined : readPrice(match);
    if (price && price.amount > 0) return { node: at, price, text, hasCurrency: true };
    if (bare || !BARE.test(text) || !PRICE_NAME.test(namesOf(tree, at))) continue;
    const plain = readPrice(text);
    if (plain && plain.amount > 0) bare = { node: at, price: plain, text, hasCurrency: false };
  }
  return bare;
}

/** Text of an element, with a point inserted before cents that are set apart only by their size. */
function priceTextOf(tree: HtmlTree, node: number): string {
  const text = textOf(tree, node, MAX_TEXT_LENGTH + 1);
  const end = tree.end[node] ?? 0;
  if (end - node > 40 || !/\d{3}/.test(text)) return text;
  for (let inner = node + 1; inner < end; inner++) {
    if (tree.tag[inner] === TEXT) continue;
    const isSmall = SMALL[tree.tag[inner] ?? 0] === 1 || CENTS.test(tree.attribute(inner, "class") ?? "");
    const cents = isSmall ? textOf(tree, inner, 9) : "";
    if (!/^\d\d$/.test(cents)) continue;
    return text.replace(new RegExp(`(\\d) ?${cents}(?!\\d)`), `$1.${cents}`);
  }
  return text;
}

const NAMES = [
  "class",
  "id",
  "itemprop",
  "data-testid",
  "data-test",
  "data-qa",
  "data-role",
  "data-auto-id",
  "data-price-type",
];
const NAMED = new AttributeNames(NAMES.join(" "));
const NAMELESS = " ".repeat(NAMES.length - 1);

/** The element's names in its class and similar attributes. */
export function namesOf(tree: HtmlTree, node: number): string {
  if (!tree.mayHave(node, NAMED)) return NAMELESS;
  let names = "";
  for (const name of NAMES) names += ` ${tree.attribute(node, name)?.slice(0, 200) ?? ""}`;
  return names.slice(1);
}
