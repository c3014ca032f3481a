import { ownProperty } from "@pergamon-dev/kit/own-property";
import { readPrice } from "../product/price.ts";

const SCALES: Readonly<Record<string, number>> = {
  k: 1e3,
  m: 1e6,
  mn: 1e6,
  million: 1e6,
  b: 1e9,
  bn: 1e9,
  billion: 1e9,
};
const SCALED = /^[^\d]{0,4}(\d+(?:\.\d+)?)\s?(k|m|mn|million|bn?|billion)\b/i;
const PLAIN = /^[-+\u2212]?\d+(?:\.\d+)?(?:e[-+]?\d{1,2})?$/i;
const MAX_LENGTH = 200;

/** Parses numbers in text or data: `1.299,00 €`, `12 pages`, `3.4k`. Undefined if there is none. */
export function readNumber(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.length > MAX_LENGTH) return undefined;
  const text = value.trim();
  if (PLAIN.test(text)) return Number(text.replace("\u2212", "-"));
  const scaled = SCALED.exec(text);
  const scale = ownProperty(SCALES, scaled?.[2]?.toLowerCase() ?? "");
  if (scaled && scale !== undefined) return Math.round(Number(scaled[1]) * scale);
  const amount = readPrice(text)?.amount;
  return amount !== undefined && /^[-\u2212]\s?\d/.test(text) ? -amount : amount;
}
