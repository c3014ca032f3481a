import { setImmediate } from "node:timers/promises";

import { endOfValue } from "./foreign/json-bounds.ts";

/** Longer texts are decoded in pieces, between which other work runs. A piece takes some 5 ms. */
const PIECE_LENGTH = 1024 * 1024;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const UNICODE = 0x75;
/** Length of `\u0000`. */
const UNICODE_LENGTH = 6;

/**
 * The value of a JSON object that this service has written, without spaces. Its members, and the pieces of
 * long texts among them, are decoded in turns.
 */
export async function decodeMembers(json: string): Promise<Readonly<Record<string, unknown>>> {
  if (json.length <= PIECE_LENGTH) return JSON.parse(json) as Readonly<Record<string, unknown>>;
  const members: [string, unknown][] = [];
  for (let start = 1; start < json.length - 1; await setImmediate()) {
    const { value: name, end: colon } = await decodeText(json, start);
    const isText = json.charCodeAt(colon + 1) === QUOTE;
    const { value, end } = await (isText ? decodeText : decodeValue)(json, colon + 1);
    members.push([String(name), value]);
    start = end + 1;
  }
  return Object.fromEntries(members);
}

interface Decoded {
  readonly value: unknown;
  /** Position of the character behind it. */
  readonly end: number;
}

async function decodeText(json: string, start: number): Promise<Decoded> {
  let value = "";
  for (let at = start + 1; ; await setImmediate()) {
    const end = endOfPiece(json, at);
    value += JSON.parse(`"${json.slice(at, end)}"`) as string;
    if (end >= json.length || json.charCodeAt(end) === QUOTE) return { value, end: end + 1 };
    at = end;
  }
}

async function decodeValue(json: string, start: number): Promise<Decoded> {
  const end = endOfValue(json, start);
  await setImmediate();
  return { value: JSON.parse(json.slice(start, end)), end };
}

/** Returns where the piece or the whole text ends. It never splits an escape sequence. */
function endOfPiece(json: string, start: number): number {
  const limit = Math.min(start + PIECE_LENGTH, json.length);
  let at = start;
  while (at < limit && json.charCodeAt(at) !== QUOTE) {
    if (json.charCodeAt(at) !== BACKSLASH) at += 1;
    else at += json.charCodeAt(at + 1) === UNICODE ? UNICODE_LENGTH : 2;
  }
  return at;
}
