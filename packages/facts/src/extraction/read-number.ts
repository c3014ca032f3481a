import { ownProperty } from "@pergamon-dev/kit/own-property";
import { readPrice } from "../product/price.ts";

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  tsd: 1e3,
  m: 1e6,
  mn: 1e6,
  mio: 1e6,
  b: 1e9,
  bn: 1e9,
  mrd: 1e9,
};
/** Words for a million and for a thousand millions, by how they begin in many languages. */
const WORDS: readonly (readonly [begins: RegExp, scale: number])[] = [
  [/^mil[ljh]?i?[oóõ]/i, 1e6],
  [/^mill?i?ard|^miljard|^billion$/i, 1e9],
];
/** Letters alone are units where nothing says that they count money: metres, minutes, bytes, kelvin. */
const SCALED =
  /^(?<before>[^\d]{0,4})(?<digits>\d+(?:[.,]\d{1,2})?)(?<gap>\s?)(?<scale>k|tsd|m|mn|mio|bn?|mrd|\p{L}{5,12})\.?(?![\p{L}\p{N}²³/·^])/iu;
const MONEY = /\p{Sc}|(?<!\p{L})(?:[A-Z]{3}|euros?|dollars?)(?!\p{L})/u;
const PLAIN = /^[-+\u2212]?\d+(?:\.\d+)?(?:e[-+]?\d{1,2})?$/i;
const MAX_LENGTH = 200;

/** Parses numbers in text or data: `1.299,00 €`, `12 pages`, `3.4k`. Undefined if there is none. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.length > MAX_LENGTH) return undefined;
  const text = value.trim();
  if (PLAIN.test(text)) return Number(text.replace("\u2212", "-"));
  const scaled = scaledNumber(text);
  if (scaled !== undefined) return scaled;
  const amount = readPrice(text)?.amount;
  return amount !== undefined && /^[-\u2212]\s?\d/.test(text) ? -amount : amount;
}

function scaledNumber(text: string): number | undefined {
  const { digits = "", gap = "", scale = "" } = SCALED.exec(text)?.groups ?? {};
  if (scale === "") return undefined;
  const number = Number(digits.replace(",", "."));
  const word = WORDS.find(([begins]) => begins.test(scale))?.[1];
  if (word !== undefined) return Math.round(number * word);
  const factor = ownProperty(SCALES, scale.toLowerCase());
  if (factor === undefined) return undefined;
  const isUnit =
    scale.length === 1 && !MONEY.test(text) && !(scale === "k" || (gap === "" && /[KMB]/.test(scale)));
  return isUnit ? undefined : Math.round(number * factor);
}
