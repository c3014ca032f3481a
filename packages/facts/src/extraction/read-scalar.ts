import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import { currencyIn } from "../product/currencies.ts";
import { readPrice } from "../product/price.ts";
import { saysInStock, saysOutOfStock } from "../product/stock.ts";
import { isTakenOut } from "../redaction/replace.ts";
import type { Concept } from "./concepts.ts";
import { personIn } from "../structured/person-name.ts";
import { isoDate, readDate } from "./read-date.ts";
import { readNumber } from "./read-number.ts";
import { labelKey } from "./words.ts";
import type { ScalarType, ScalarShape } from "./schema/value-shape.ts";

interface Reading {
  readonly wanted: ScalarShape;
  readonly concept: Concept | undefined;
  readonly baseUrl: string;
  /** Default: false. */
  readonly isMonthFirst?: boolean;
}

const MAX_LENGTH = 20_000;
const MAX_WORDS_OF_NAME = 6;

/** Converts a page's value to the schema's type; undefined if it does not fit. */
export function readScalar(value: unknown, reading: Reading): unknown {
  const { wanted } = reading;
  const ready = prepared(value, reading);
  if (ready === undefined) return undefined;
  if (wanted.choices) return choiceOf(ready, wanted.choices);
  const types: readonly ScalarType[] = wanted.types.length > 0 ? wanted.types : ["string"];
  for (const type of types) {
    const read = READERS[type](ready, reading);
    if (read !== undefined && isWithin(read, wanted)) return read;
  }
  return undefined;
}

/** The enum choice that matches the value in any spelling. */
function choiceOf(value: unknown, choices: readonly unknown[]): unknown {
  const key = keyOf(value);
  const exact = choices.find((choice) => choice !== null && keyOf(choice) === key);
  if (exact !== undefined) return exact;
  const said = ` ${key} `;
  const named = choices.filter(
    (choice) => typeof choice === "string" && said.includes(` ${labelKey(choice)} `),
  );
  return named.length === 1 ? named[0] : stockChoice(value, choices);
}

function keyOf(value: unknown): string {
  return labelKey(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

/** `InStock`, `in stock` and `available` match each other. */
function stockChoice(value: unknown, choices: readonly unknown[]): unknown {
  const isIn = stockOf(value);
  if (isIn === undefined) return undefined;
  return choices.find((choice) => typeof choice === "string" && stockOf(choice) === isIn);
}

const READERS: Readonly<Record<ScalarType, (value: unknown, reading: Reading) => unknown>> = {
  string: (value, reading) => readText(value, reading),
  number: (value) => readNumber(value),
  integer(value) {
    const number = readNumber(value);
    return number === undefined ? undefined : Math.round(number);
  },
  boolean: (value) => readBoolean(value),
};

function readBoolean(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = String(value).trim();
  if (/^(?:true|yes|ja|oui|sí|si|1|✓|✔|included)$/iu.test(text)) return true;
  if (/^(?:false|no|nein|non|0|✗|✘|none|not included)$/iu.test(text)) return false;
  return stockOf(text);
}

function stockOf(value: unknown): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = String(value).replace(/^https?:\/\/schema\.org\//i, "");
  if (/^(?:InStock|OnlineOnly|LimitedAvailability|InStoreOnly|PreOrder|BackOrder|available)$/i.test(text))
    return true;
  if (/^(?:OutOfStock|SoldOut|Discontinued|unavailable)$/i.test(text)) return false;
  const spaced = text.replaceAll("_", " ");
  if (saysOutOfStock(spaced)) return false;
  return saysInStock(spaced) ? true : undefined;
}

const TELEPHONE = /\+?\(?\d[\d\s().\-/]{5,22}\d/;

/**
 * Per concept, prepares a value before it is read as a type. Undefined means that the value does not fit the
 * concept.
 */
const PREPARE: Partial<Record<Concept, (text: string, reading: Reading) => string | undefined>> = {
  author: (text) =>
    personIn(text) ??
    (/^https?:/.test(text) || isTooLongAName(text) ? undefined : text.replace(/^by\s+/i, "")),
  isbn13: (text) => /97[89][\d\s–-]{10,14}/.exec(text)?.[0].replace(/\D/g, "").slice(0, 13),
  isbn10: (text) => /(?<![\dXx-])\d[\d\s-]{8,11}[\dXx](?![\dXx])/.exec(text)?.[0].replace(/[^\dXx]/g, ""),
  isbn: (text) => /(?:97[89][\d\s–-]{10,14}|\d[\d\s-]{8,11}[\dXx])/.exec(text)?.[0].replace(/[^\dXx]/g, ""),
  currency: (text) => (/^[A-Z]{3}$/.test(text) ? text : currencyIn(text)),
  published: datedText,
  modified: datedText,
  start: datedText,
  end: datedText,
  location: namedPlace,
  address: namedPlace,
  email: (text) => /[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+/.exec(text)?.[0],
  phone: (text) => TELEPHONE.exec(text)?.[0],
  rating: (text) => /\d+(?:[.,]\d+)?/.exec(text)?.[0].replace(",", "."),
  ratingCount: (text) => /\d[\d.,\s]*\d|\d/.exec(text)?.[0].replace(/[.,\s](?=\d{3})/g, ""),
};

function isTooLongAName(text: string): boolean {
  return text.length > 60 || text.split(/\s+/).length > MAX_WORDS_OF_NAME;
}

/** Telephone numbers, prices, mail addresses and URLs are not places. A short number may be a rank. */
function namedPlace(text: string): string | undefined {
  const isNumber = !/\p{L}/u.test(text) && (TELEPHONE.exec(text)?.[0] === text || /\p{Sc}/u.test(text));
  const isAddressOfNet = /^(?:[a-z]+:\/\/|mailto:|tel:)\S+$|^\S+@\S+$/iu.test(text);
  return isNumber || isAddressOfNet ? undefined : text;
}

function datedText(text: string): string | undefined {
  return readDate(text) || /^(?:1[5-9]|20)\d\d$/.test(text.trim()) ? text : undefined;
}

function prepared(value: unknown, reading: Reading): unknown {
  if (typeof value !== "string") return value;
  const text = value.slice(0, MAX_LENGTH).trim();
  const prepare = reading.concept && PREPARE[reading.concept];
  return text === "" || isTakenOut(text) ? undefined : prepare ? prepare(text, reading) : text;
}

function readText(value: unknown, { wanted, concept, baseUrl, isMonthFirst }: Reading): string | undefined {
  const text = String(value);
  const format = wanted.format ?? "";
  if (format === "date" || format === "date-time") return readDay(text, format, isMonthFirst);
  if (format === "uri" || format === "url" || concept === "url" || concept === "image")
    return resolveUrl(text, baseUrl);
  if (format === "email") return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text) ? text : undefined;
  if (concept === "price" && typeof value === "string") return readPrice(text) && text;
  return text;
}

function readDay(text: string, format: string, isMonthFirst?: boolean): string | undefined {
  if (format === "date-time" && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(text)) return text;
  const date = readDate(text, isMonthFirst);
  if (!date || date.day === undefined) return undefined;
  return format === "date" ? isoDate(date) : `${isoDate(date)}T00:00:00Z`;
}

/** Checks the schema's limits on size and form. */
export function isWithin(value: unknown, wanted: ScalarShape): boolean {
  if (typeof value === "number") return value >= wanted.least && value <= wanted.greatest;
  if (typeof value !== "string") return true;
  const isLong = value.length >= wanted.shortest && value.length <= wanted.longest;
  return isLong && (!wanted.pattern || value.length > 1000 || wanted.pattern.test(value));
}
