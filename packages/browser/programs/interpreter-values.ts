/** Values as they cross the border of the interpreter, and as its console prints them. */

/** What comes back of a call. */
export interface CallAnswer {
  readonly error?: string;
  readonly list?: readonly CallAnswer[];
  readonly bytes?: string;
  readonly page?: string;
  readonly ref?: string;
  readonly value?: unknown;
}

const BASE64_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function show(value: unknown): string {
  if (typeof value === "string") return value;
  if (value instanceof Error) return `${value.name}: ${value.message}`;
  if (typeof value === "function") return `[Function: ${value.name || "anonymous"}]`;
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** @param names what objects are called outside of the interpreter. */
export function encode(value: unknown, names: WeakMap<object, string>): unknown {
  if (typeof value === "function") return { $function: String(value) };
  if (value instanceof RegExp) return { $pattern: value.source, flags: value.flags };
  if (typeof value !== "object" || value === null) return value;
  const name = names.get(value);
  if (name !== undefined) return { $ref: name };
  if (Array.isArray(value)) return value.map((one) => encode(one, names));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, encode(one, names)]));
}

/** Bytes whose `toString("base64")` is known already. The interpreter has no `atob`. */
export function bytesOf(base64: string): Uint8Array {
  const digits = base64.replace(/=+$/, "");
  const bytes = new Uint8Array(Math.floor((digits.length * 3) / 4));
  let bits = 0;
  let count = 0;
  let at = 0;
  for (const digit of digits) {
    bits = ((bits << 6) | BASE64_LETTERS.indexOf(digit)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes[at] = (bits >> count) & 255;
    at += 1;
  }
  const toString = (encoding?: string) => (encoding === "base64" ? base64 : show([...bytes]));
  return Object.assign(bytes, { toString });
}
