import type { AttributeTable } from "./attribute-table.ts";
import { isSpace, lowerCase, NAME_BREAK, nextHash } from "./characters.ts";

const QUOTE = 34;
const APOSTROPHE = 39;
const SLASH = 47;
const EQUALS = 61;
const GREATER = 62;

/** Reads the attributes of one tag at a time into a table. The fields describe the end of the last tag. */
export class AttributeScanner {
  /** Offset after the tag's `>`. */
  position = 0;
  /** False when the input ended inside the tag. */
  closed = false;
  selfClosing = false;
  readonly #source: string;
  readonly #table: AttributeTable;

  constructor(source: string, table: AttributeTable) {
    this.#source = source;
    this.#table = table;
  }

  /** Reads from the end of a tag's name to the end of the tag. */
  scan(nameEnd: number): void {
    const source = this.#source;
    const { length } = source;
    this.selfClosing = false;
    let at = this.#skipSeparators(nameEnd);
    while (at < length && source.charCodeAt(at) !== GREATER) at = this.#skipSeparators(this.#attribute(at));
    this.closed = at < length;
    this.position = at + 1;
  }

  /** Reads the attribute at an offset and returns the offset after it. */
  #attribute(start: number): number {
    const source = this.#source;
    const { length } = source;
    let at = start;
    let hash = 0;
    do {
      hash = nextHash(hash, lowerCase(source.charCodeAt(at)));
      at++;
    } while (at < length && !endsName(source.charCodeAt(at)));
    const isKept = this.#table.addName(hash, start, at);
    const afterName = this.#skipSpaces(at);
    if (afterName >= length || source.charCodeAt(afterName) !== EQUALS) return at;
    return this.#value(this.#skipSpaces(afterName + 1), isKept);
  }

  #value(start: number, isKept: boolean): number {
    const source = this.#source;
    const { length } = source;
    const code = start < length ? source.charCodeAt(start) : GREATER;
    if (code === QUOTE || code === APOSTROPHE) {
      const close = source.indexOf(code === QUOTE ? '"' : "'", start + 1);
      const end = close < 0 ? length : close;
      if (isKept) this.#table.setValue(start + 1, end);
      return end + 1;
    }
    let end = start;
    while (end < length && !endsUnquoted(source.charCodeAt(end))) end++;
    if (isKept) this.#table.setValue(start, end);
    return end;
  }

  #skipSeparators(from: number): number {
    const source = this.#source;
    const { length } = source;
    let at = from;
    for (; at < length; at++) {
      const code = source.charCodeAt(at);
      if (code === SLASH) this.selfClosing = at + 1 < length && source.charCodeAt(at + 1) === GREATER;
      else if (!isSpace(code)) break;
    }
    return at;
  }

  #skipSpaces(from: number): number {
    let at = from;
    while (at < this.#source.length && isSpace(this.#source.charCodeAt(at))) at++;
    return at;
  }
}

function endsName(code: number): boolean {
  return code <= GREATER && (code === EQUALS || NAME_BREAK[code] === 1);
}

function endsUnquoted(code: number): boolean {
  return code === GREATER || isSpace(code);
}
