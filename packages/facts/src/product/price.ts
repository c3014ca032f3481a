import { currencyIn, usesDecimalComma } from "./currencies.ts";

export interface Price {
  /** In the main unit of the currency. */
  readonly amount: number;
  /** ISO 4217; undefined if the page does not say. */
  readonly currency: string | undefined;
  /** As the page shows it; undefined if read from data. */
  readonly formatted: string | undefined;
}

/** Longer texts are not prices. */
const MAX_LENGTH = 200;
const MAX_AMOUNT = 1e9;

/** Digits with separators: `1,299.00`, `1.299,00`, `1 299`, `1,29,900`, `.99`. */
const NUMBER =
  /(?<![\p{L}\p{N}.,])[.,]\d+|\d{1,3}(?:[ '’\u00a0\u2009\u202f]\d{3}(?!\d))+(?:[.,]\d{1,2}(?!\d))?|\d+(?:[.,]\d+)*/u;
const SPACES = /[ '’\u00a0\u2009\u202f]/gu;

/** The first price in visible text. For a range, the lowest. */
export function readPrice(text: string): Price | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const currency = currencyIn(text);
  const digits = NUMBER.exec(text)?.[0];
  if (digits === undefined) return undefined;
  const amount = amountOf(digits, currency);
  const formatted = text.replace(/\s+/g, " ").trim();
  return isAmount(amount) ? { amount, currency, formatted } : undefined;
}

/** Machine-written numbers that are not prices: negative, with an exponent, or in another base. */
const OTHER_NUMBER = /^(?:-[\d.,]+|[+-]?[\d.]+e[+-]?\d+|0[xob][\da-f]+)$/i;

/** A price from data: a number, or text that is usually a plain number. */
export function readDataPrice(value: unknown): Price | undefined {
  if (typeof value === "number")
    return isAmount(value) ? { amount: value, currency: undefined, formatted: undefined } : undefined;
  if (typeof value !== "string") return undefined;
  const text = value.trim();
  if (OTHER_NUMBER.test(text)) return undefined;
  if (!/^\d+(?:\.\d+)?$/.test(text)) return readPrice(text);
  return isAmount(Number(text))
    ? { amount: Number(text), currency: undefined, formatted: undefined }
    : undefined;
}

function isAmount(amount: number): boolean {
  return Number.isFinite(amount) && amount >= 0 && amount < MAX_AMOUNT;
}

/**
 * Parses digits with separators. A point or comma before three digits is ambiguous, so the currency decides.
 */
function amountOf(digits: string, currency: string | undefined): number {
  const number = digits.replace(SPACES, "");
  const comma = number.lastIndexOf(",");
  const point = number.lastIndexOf(".");
  if (comma < 0 && point < 0) return Number(number);
  const [last, other] = comma > point ? [",", "."] : [".", ","];
  const decimals = number.length - 1 - number.lastIndexOf(last);
  const isRepeated = number.indexOf(last) !== number.lastIndexOf(last);
  const isMixed = number.includes(other);
  if (isRepeated && !isMixed && decimals !== 2) return Number(number.replaceAll(last, ""));
  const isGroup =
    decimals === 3 && !isMixed && /^[1-9]/.test(number) && (last === "," || usesDecimalComma(currency));
  if (isGroup) return Number(number.replaceAll(last, ""));
  const at = number.lastIndexOf(last);
  return Number(`${number.slice(0, at).replace(/[.,]/g, "")}.${number.slice(at + 1)}`);
}
