import { isIban, passesLuhn } from "./check-digits.ts";
import { matchesOf } from "./matches.ts";
import type { Span } from "./span.ts";

const IBAN = /(?<![A-Za-z0-9])[A-Za-z]{2}\d{2}(?:[ -]?[A-Za-z0-9]){11,30}(?![A-Za-z0-9])/g;

/** Length of the country code and check digits. No other IBAN begins within them. */
const IBAN_START = 4;

const CARD = /(?<![\w.,#$€£-])\d(?:[ -]?\d){11,18}(?![\w-])/g;

/** Prefixes and digit counts of payment card networks. */
const NETWORKS: readonly { readonly prefix: RegExp; readonly lengths: readonly number[] }[] = [
  { prefix: /^4/, lengths: [16, 19] },
  { prefix: /^(?:5[1-5]|2[2-7])/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^3(?:0[0-5]|09|[689])/, lengths: [14, 16, 19] },
  { prefix: /^(?:6011|64[4-9]|65|62|60|81|82|508)/, lengths: [16, 17, 18, 19] },
  { prefix: /^35/, lengths: [16, 17, 18, 19] },
  { prefix: /^(?:50|5[6-9]|6[0-9])/, lengths: [16, 17, 18, 19] },
];

/** Words before a number that mark it as a card number. */
const CARD_WORDS =
  /\b(?:card|cc|karte|kreditkarte|carte|tarjeta|carta|kaart|karty|cart[aã]o)\b[^\n|]{0,40}$/i;

/** Words before a number that mark it as another number with the same check digit. */
const OTHER_WORDS =
  /\b(?:imei|sku|ean|gtin|isbn|issn|asin|artikel\w*|order|bestell\w*|commande|pedido|ordine|zam[oó]wieni\w*|encomenda|ref\w*|tracking|serial|siret|siren)\b[^\n|]{0,20}$/i;

/** The number may be in the next table cell or, after a word for number, on the next line. */
const ACCOUNT_WORD = new RegExp(
  String.raw`(?:account|acct|routing|sort[ _-]?code|iban|konto(?:nummer)?|compte|cuenta|conto|rekening\w{0,12}|\b(?:bankleitzahl|blz|clabe|rib|aba|bsb|ccc))` +
    String.raw`(?:[ _.-]{0,2}(?:numbers?|num|no|nr|#)\.?(?: ?\([^()\n]{1,12}\))?\s{0,2})?(?: (?:is|est|ist|es|è))?[ :=|*"']{0,6}` +
    String.raw`(?<value>\d{2,6}(?:[ -]?\d{1,6}){1,5})(?![\w-])`,
  "gi",
);
const DATE = /^(?:\d{4}-\d\d?-\d\d?|\d\d?-\d\d?-\d{4})$/;

const CRYPTO =
  /(?<![A-Za-z0-9])(?:0x[a-fA-F0-9]{40}|bc1[ac-hj-np-z02-9]{25,71}|[13][1-9A-HJ-NP-Za-km-z]{32,33})(?![A-Za-z0-9])/g;

/** Quick check: card and account numbers have at least this many digits close together. */
const DIGITS = /\d[^\n]{0,3}\d[^\n]{0,3}\d[^\n]{0,3}\d/;

export function financial(text: string): readonly Span[] {
  return [...(DIGITS.test(text) ? numbered(text) : []), ...wallets(text)];
}

function numbered(text: string): readonly Span[] {
  return [
    ...ibans(text),
    ...matchesOf(text, {
      pattern: CARD,
      entity: "FINANCIAL",
      accepts: (value, match) => isCard(value, before(match)),
    }),
    ...matchesOf(text, {
      pattern: ACCOUNT_WORD,
      entity: "FINANCIAL",
      accepts: (value) => digitsOf(value).length >= 6 && !DATE.test(value),
    }),
  ];
}

function wallets(text: string): readonly Span[] {
  return matchesOf(text, {
    pattern: CRYPTO,
    entity: "FINANCIAL",
    accepts: (value) => /\d/.test(value) && /[a-z]/i.test(value),
  });
}

/** Text after an account number may look like part of it, even the next number, so it is searched again. */
function ibans(text: string): readonly Span[] {
  const spans: Span[] = [];
  const pattern = new RegExp(IBAN);
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    const length = ibanLength(match[0]);
    if (length > 0) spans.push({ start: match.index, end: match.index + length, entity: "FINANCIAL" });
    pattern.lastIndex = match.index + Math.max(length, IBAN_START);
  }
  return spans;
}

/** Length of the longest prefix with valid check digits; 0 if there is none. */
function ibanLength(text: string): number {
  const parts = text.split(/(?=[ -])/);
  for (let count = parts.length; count > 0; count--) {
    const value = parts.slice(0, count).join("");
    if (isInOneCase(value) && isIban(value)) return value.length;
  }
  return 0;
}

/** A word after the number rarely has the same case as its letters. */
function isInOneCase(value: string): boolean {
  return value === value.toUpperCase() || value === value.toLowerCase();
}

function isCard(value: string, context: string): boolean {
  const digits = digitsOf(value);
  if (!passesLuhn(digits) || /^(\d)\1+$/.test(digits)) return false;
  if (CARD_WORDS.test(context)) return true;
  if (OTHER_WORDS.test(context)) return false;
  return NETWORKS.some(({ prefix, lengths }) => prefix.test(digits) && lengths.includes(digits.length));
}

function before({ input, index }: RegExpExecArray): string {
  return input.slice(Math.max(0, index - 60), index);
}

function digitsOf(value: string): string {
  return value.replace(/\D/g, "");
}
