import type { Attribute } from "./tree.ts";
import { isSpace, NAME_BREAK } from "./characters.ts";

/** Attributes kept per tag; a tag with more is hostile. */
const ATTRIBUTES_MAX = 1024;

const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;

/** Steps through the attributes of one tag without allocating; the fields tell where the current one stands. */
export class AttributeCursor {
  /** After the current attribute; after `next` was false, after the tag's `>`. */
  position = 0;
  /** Whether the tag's `>` was reached; false when the input ended first. */
  closed = false;
  selfClosing = false;
  nameStart = 0;
  nameEnd = 0;
  valueStart = 0;
  /** Equal to `valueStart` when there is no value. */
  valueEnd = 0;
  readonly #source: string;
  readonly #end: number;

  constructor(source: string, end: number) {
    this.#source = source;
    this.#end = end;
  }

  startAt(position: number): void {
    this.position = position;
    this.closed = false;
    this.selfClosing = false;
  }

  /** Moves to the next attribute; false at the end of the tag. */
  next(): boolean {
    const source = this.#source;
    const start = this.#skipSeparators(this.position);
    if (start >= this.#end || source.charCodeAt(start) === GREATER) {
      this.closed = start < this.#end;
      this.position = start + 1;
      return false;
    }
    this.nameStart = start;
    this.nameEnd = this.#endOfName(start + 1);
    const afterName = this.#skipSpaces(this.nameEnd);
    if (afterName < this.#end && source.charCodeAt(afterName) === EQUALS) this.#readValue(afterName + 1);
    else this.valueStart = this.valueEnd = this.position = this.nameEnd;
    return true;
  }

  #skipSeparators(from: number): number {
    let at = from;
    while (at < this.#end) {
      const code = this.#source.charCodeAt(at);
      if (code === SLASH) this.selfClosing = this.#source.charCodeAt(at + 1) === GREATER;
      else if (!isSpace(code)) break;
      at++;
    }
    return at;
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (at < this.#end && isSpace(this.#source.charCodeAt(at))) at++;
    return at;
  }

  #endOfName(from: number): number {
    let at = from;
    while (at < this.#end) {
      const code = this.#source.charCodeAt(at);
      if (code <= GREATER && (code === EQUALS || NAME_BREAK[code] === 1)) break;
      at++;
    }
    return at;
  }

  #readValue(afterEquals: number): void {
    const source = this.#source;
    const start = this.#skipSpaces(afterEquals);
    const code = start < this.#end ? source.charCodeAt(start) : GREATER;
    if (code === QUOTE || code === APOSTROPHE) {
      const close = source.indexOf(code === QUOTE ? '"' : "'", start + 1);
      this.valueStart = start + 1;
      this.valueEnd = close < 0 || close > this.#end ? this.#end : close;
      this.position = this.valueEnd + 1;
      return;
    }
    let at = start;
    while (at < this.#end) {
      const next = source.charCodeAt(at);
      if (next === GREATER || isSpace(next)) break;
      at++;
    }
    this.valueStart = start;
    this.valueEnd = this.position = at;
  }
}

/** The attributes between two offsets: lower-case names, first occurrence only, at most 1,024. */
export function parseAttributes(
  source: string,
  from: number,
  to: number,
  decode: (raw: string) => string,
): readonly Attribute[] {
  const cursor = new AttributeCursor(source, to);
  cursor.startAt(from);
  const attributes: Attribute[] = [];
  const seen = new Set<string>();
  while (attributes.length < ATTRIBUTES_MAX && cursor.next()) {
    const name = source.slice(cursor.nameStart, cursor.nameEnd).toLowerCase();
    if (seen.has(name)) continue;
    seen.add(name);
    attributes.push([name, decode(source.slice(cursor.valueStart, cursor.valueEnd))]);
  }
  return attributes;
}
