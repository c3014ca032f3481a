import { type CountryCode, isValidPhoneNumber } from "libphonenumber-js/min";

import { lazy } from "@pergamon-dev/kit/lazy";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Span } from "./span.ts";

const CANDIDATE =
  /(?<![\p{L}\p{N}_/#$€£-])(?<!\d[.,])(?:\+ ?|\()?\d(?:[ \u00A0\u202F\t()./‑–-]{0,3}\d){5,16}(?:,? ?(?:x|ext\.?|extension|poste|durchwahl|int\.|toestel) ?\d{1,6})?(?![\p{L}\p{N}_]|-\d|[.,]\d)/giu;

/**
 * Language → regions whose number plans apply to numbers without a country code; all regions if the language
 * is unknown.
 */
const REGIONS: Readonly<Record<string, readonly CountryCode[]>> = {
  en: ["US", "GB", "AU", "IN"],
  de: ["DE", "AT", "CH"],
  fr: ["FR", "BE", "CH"],
  es: ["ES", "MX", "AR", "CO"],
  it: ["IT", "CH"],
  nl: ["NL", "BE"],
  pl: ["PL"],
  pt: ["BR", "PT"],
  sv: ["SE", "FI"],
  da: ["DK", "NO"],
  cs: ["CZ", "SK"],
  tr: ["TR"],
};

/** Labels of phone numbers before the number. */
const LABEL =
  /(?:\b(?:tel|t[eé]l[eé]phone?|tel[eé]fono?s?|telefone|telefoon|telefon|telefonnummer|phone|mobile?|m[oó]vil|cell(?:ulare|ular|phone)?|handy|mobil|mobiel|portable|fax|telefax|hotline|whatsapp|call(?:ing)?|ring|dial|text|sms|contact|reach(?: \w+)?(?: at| on)?|answer(?:ing)? at|messages? to|appel(?:er|ez)|llam[ae]r?|chiam(?:are|a|ate)|bel(?:len)?|rufen sie|ruf(?:nummer)?|zadzwo[nń]|kom[oó]rka|ligue|number is|my number|gsm|questions?|fragen|enquiries|inquiries|kontakt|help ?line|support)\b|☎|📞|📱)[^\n|\d]{0,24}$/iu;

/** A label on the line above, ending with a colon. */
const LABEL_ABOVE = /\b(?:phone|tel|telephone|fax|mobile|cell)(?: number)? ?: {0,3}\n\s{0,8}$/i;

/** Labels of phone numbers after the number. */
const LABEL_BEHIND = /^\s{0,2}[-(,]?\s?(?:office|fax|mobile|cell|home|work|phone|tel\b|toll[- ]free)/i;

/** Words before a number that mark it as something else. */
const OTHER =
  /(?:\b(?:isbn|issn|ean|gtin|upc|sku|asin|imei|doi|pmid|order|ticket|invoice|receipt|reference|ref|version|build|model|part|serial|case|item|article|artikel(?:nummer)?|art|bestell(?:nummer|ung)|kunden(?:nummer)?|auftrag|rechnung|commande|r[eé]f[eé]rence|facture|pedido|referencia|factura|ordine|fattura|riferimento|bestelling|factuur|zam[oó]wieni[ea]|hrb|hra|siret|siren|siren|nip|regon|kvk|btw|vat|cif|nif|p\.? ?iva|c\.?f\.?|ust(?:-id)?(?:nr)?|tracking|id|no|nr|pages?|pp|§|zip|code|iban|konto|account|card|cc)\b|[#№])[^\n|\p{L}]{0,14}$/iu;

const DATE = /^(?:(?:19|20)\d\d[-./ ]\d{1,2}[-./ ]\d{1,2}|\d{1,2}[-./ ]\d{1,2}[-./ ](?:19|20)\d\d)(?!\d)/;
const YEARS = /^\(?(?:1[0-9]|20)\d\d ?[-–/ ] ?(?:1[5-9]|20)\d\d$/;
const NETWORK_ADDRESS = /^\d{1,3}(?:\.\d{1,3}){3}$/;
const GROUPED_NUMBER = /^\d{1,3}(?:[. \u00A0\u202F]000|[.,]\d{3})+$/;
const NORTH_AMERICAN = /^(?:1[ .-]?)?(?:\([2-9]\d\d\) ?|[2-9]\d\d[.-])\d{3}[.-]\d{4}(?!\d)/;

interface Candidate {
  readonly value: string;
  readonly digits: string;
  readonly before: string;
  readonly behind: string;
}

type Rule = (candidate: Candidate) => boolean;

/** Rules against a phone number. */
const OBJECTIONS: readonly Rule[] = [
  ({ digits }) => digits.length < 7 || digits.length > 16,
  ({ digits }) => /^(\d)\1+$/.test(digits),
  ({ value }) => DATE.test(value) || YEARS.test(value) || NETWORK_ADDRESS.test(value),
  ({ value, before }) => GROUPED_NUMBER.test(value) && !LABEL.test(before),
  ({ value }) => /^97[89][- ]?\d/.test(value) && value.replace(/\D/g, "").length === 13,
  ({ value, before }) => OTHER.test(before) && !value.startsWith("+"),
];

/** Rules for a phone number; one is enough. */
function reasons(isNumberOf: (value: string) => boolean): readonly Rule[] {
  return [
    ({ value, digits }) => value.startsWith("+") && digits.length >= 8,
    ({ value, digits }) => /^00[1-9]\d{0,2}[ ()./-]/.test(value) && digits.length >= 9,
    ({ before, behind }) => LABEL.test(before) || LABEL_ABOVE.test(before) || LABEL_BEHIND.test(behind),
    ({ value }) => NORTH_AMERICAN.test(value),
    (candidate) => (isGrouped(candidate.value) || standsAlone(candidate)) && isNumberOf(candidate.value),
    (candidate) => /^0[1-9]\d{7,11}$/.test(candidate.value) && standsAlone(candidate),
  ];
}

/** True for a separate list or table entry, which is typical of phone numbers but not of quantities. */
function standsAlone({ digits, before, behind }: Candidate): boolean {
  return (
    digits.length >= 9 &&
    digits.length <= 11 &&
    /(?:^|[\n|,;:]) {0,3}$/.test(before) &&
    /^ {0,3}(?:$|[\n|,;.])/.test(behind)
  );
}

/** Further numbers in a text count as valid, as a look-up in every plan is slow. */
const MAX_LOOK_UPS = 2000;

/** Tells whether a number is valid in the plans of these regions. */
function openNumberPlans(regions: () => readonly CountryCode[]): (value: string) => boolean {
  const known = new Map<string, boolean>();
  return (value) => {
    const isValid =
      known.get(value) ??
      (known.size >= MAX_LOOK_UPS || regions().some((region) => isValidPhoneNumber(value, region)));
    known.set(value, isValid);
    return isValid;
  };
}

/** True for three groups of digits, or for two that begin with a 0 or a bracket. */
function isGrouped(value: string): boolean {
  const groups = value.split(/[^\d]+/).filter(Boolean);
  return (groups.length >= 2 && /^\(?0|^\(/.test(value)) || groups.length >= 3;
}

export function phones(text: string): readonly Span[] {
  if (!/\d[^\n]{0,3}\d[^\n]{0,3}\d/.test(text)) return [];
  const wanted = reasons(openNumberPlans(lazy(() => regionsOf(text))));
  const spans: Span[] = [];
  for (const match of text.matchAll(CANDIDATE)) {
    const candidate = candidateOf(text, match.index, match[0]);
    if (OBJECTIONS.some((objects) => objects(candidate))) continue;
    if (!wanted.some((speaksFor) => speaksFor(candidate))) continue;
    spans.push({ start: match.index, end: match.index + match[0].length, entity: "PHONE" });
  }
  return spans;
}

function regionsOf(text: string): readonly CountryCode[] {
  const languages = likelyLanguages(text);
  return (languages.length > 0 ? languages : Object.keys(REGIONS)).flatMap(
    (code) => ownProperty(REGIONS, code) ?? [],
  );
}

/** Characters around a number that are searched for labels. */
const CONTEXT_CHARACTERS = 48;

function candidateOf(text: string, index: number, value: string): Candidate {
  const end = index + value.length;
  return {
    value,
    digits: value.replace(/(?:x|ext|poste|durchwahl|int|toestel).*$/i, "").replace(/\D/g, ""),
    before: text.slice(Math.max(0, index - CONTEXT_CHARACTERS), index),
    behind: text.slice(end, end + CONTEXT_CHARACTERS),
  };
}

/** Common function words that identify a language: one line per language. */
const SMALL_WORDS: Readonly<Record<string, string>> = {
  en: "the and of to is for with that this our are you from was on at by as not his her",
  de: "und der die das ist nicht mit für von den dem ein eine auf zu im wir sie auch bei wird",
  fr: "le les des est et une dans pour que qui par sur au avec pas nous vous sont la du en",
  es: "el los las una con para por que del se es y como más su al la en de está fue",
  it: "il che di per una con del della non è sono gli dei alla nel più come le da ed",
  nl: "de het een van en niet is op voor met dat zijn aan te door bij naar ook wordt uit",
  pl: "w i na z się nie do jest to że po od przez dla oraz jak są był ul który",
  pt: "o os as um uma de da do em para com não que por é na no mais se foi dos",
  sv: "och att det som på är av för en med till den inte ett om har från vid var",
  da: "og at det er på af til en med den for ikke som et har der fra var ved",
  cs: "a v je na se že s do to z pro jako ve by od jsou byl která při",
  tr: "ve bir bu için ile da de olarak olan en daha çok gibi sonra kadar",
};

const LANGUAGE_OF_WORD = languagesByWord();

/** Only this many characters of a text are sampled. */
const SAMPLE_CHARACTERS = 6000;

/** Fewer function words do not identify a language. */
const LEAST_WORDS = 4;

/** Codes of the most likely languages, likeliest first; empty if there is no evidence. */
function likelyLanguages(text: string): readonly string[] {
  const counts = new Map<string, number>();
  for (const word of text
    .slice(0, SAMPLE_CHARACTERS)
    .toLowerCase()
    .match(/\p{L}+/gu) ?? []) {
    for (const language of LANGUAGE_OF_WORD.get(word) ?? [])
      counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const ranked = [...counts].sort((a, b) => b[1] - a[1]);
  if ((ranked[0]?.[1] ?? 0) < LEAST_WORDS) return [];
  return ranked.slice(0, 2).map(([language]) => language);
}

function languagesByWord(): ReadonlyMap<string, readonly string[]> {
  const languages = new Map<string, string[]>();
  for (const [language, words] of Object.entries(SMALL_WORDS)) {
    for (const word of words.split(" ")) languages.set(word, [...(languages.get(word) ?? []), language]);
  }
  return languages;
}
