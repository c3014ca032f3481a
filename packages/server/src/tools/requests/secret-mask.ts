/** Removes secrets from answers and from stored data. */
export interface SecretMask {
  text(text: string): string;
  /** Masks names and texts of plain data, at any depth. */
  data<Data>(data: Data): Data;
}

/** Shorter secrets would also match ordinary words. */
const MIN_MASKED_CHARACTERS = 6;
const MASK = "***";

/**
 * @param secrets of printable ASCII characters. They are found literally, URL-encoded, escaped and within
 * base64.
 */
export function openSecretMask(secrets: readonly string[]): SecretMask {
  const sources = secrets
    .filter((secret) => secret.length >= MIN_MASKED_CHARACTERS)
    // A longer secret is matched before a shorter one that it begins with.
    .toSorted((one, other) => other.length - one.length)
    .flatMap((secret) => [plainSource(secret), ...base64Sources(secret)]);
  if (sources.length === 0) return { text: (text) => text, data: (data) => data };
  const pattern = new RegExp(sources.join("|"), "g");
  const text = (given: string) => given.replaceAll(pattern, MASK);
  return {
    text,
    data: (data) =>
      JSON.stringify(data ?? null).search(pattern) === -1 ? data : (mapTexts(data, text) as typeof data),
  };
}

/** Matches each character literally, escaped as in JSON, or URL-encoded once or more often. */
function plainSource(secret: string): string {
  return Array.from(secret, (character) => {
    const hex = codeOf(character).toString(16).padStart(2, "0");
    const encoded = `%(?:25){0,3}${anyCase(hex)}`;
    const escaped = /["\\/]/.test(character) ? String.raw`\\{0,7}` : "";
    return `(?:${escaped}${quote(character)}|${encoded}${character === " " ? String.raw`|\+` : ""})`;
  }).join("");
}

/**
 * The part of the secret's base64 that does not depend on its position in a group of three bytes. The
 * URL-safe alphabet writes two characters differently.
 */
function base64Sources(secret: string): readonly string[] {
  return [0, 1, 2].map((offset) => {
    const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
    const firstOwn = Math.ceil((offset * 8) / 6);
    const lastOwn = Math.floor((bytes.byteLength * 8) / 6);
    const text = bytes.toString("base64");
    const end = text.slice(lastOwn).replaceAll("=", "");
    // When the secret ends the encoded text, its last characters are known too.
    return `${base64Source(text.slice(firstOwn, lastOwn))}(?:${base64Source(end)}(?:=|%(?:25){0,3}3[Dd]){0,2})?`;
  });
}

function base64Source(text: string): string {
  return Array.from(text, (character) => {
    if (character === "+") return "(?:[+-]|%(?:25){0,3}2[Bb])";
    if (character === "/") return String.raw`(?:\\{0,7}[/_]|%(?:25){0,3}2[Ff])`;
    return character;
  }).join("");
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

function anyCase(hex: string): string {
  return Array.from(hex, (digit) => (/[a-f]/.test(digit) ? `[${digit}${digit.toUpperCase()}]` : digit)).join(
    "",
  );
}

function quote(character: string): string {
  return /[\w ]/.test(character) ? character : `\\${character}`;
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [map(name), mapTexts(item, map)]));
}
