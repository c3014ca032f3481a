/** Bounds of external JSON. They are checked before the text is parsed. */
export interface JsonBounds {
  /** Length of the text as UTF-8. */
  readonly maxBytes: number;
  /** Members of all objects and items of all lists, together. */
  readonly maxValues: number;
  /** Members of all objects alone, where each may cause a separate complaint. */
  readonly maxMembers?: number;
}

/** Bounds of JSON that the main thread parses itself: at most some 15 ms of work. */
export const MAIN_THREAD_JSON = { maxBytes: 1024 * 1024, maxValues: 50_000 } as const satisfies JsonBounds;

/** Deeper texts are refused. Nothing in the API is nested this deep. */
const MAX_DEPTH = 128;

const MAX_BYTES_PER_CHARACTER = 3;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const SPACE = 0x20;

/**
 * Returns why a JSON text would cost too much to process, in words that continue from the name of the text;
 * undefined when it would not. Broken JSON is counted as far as it can be read.
 */
export function jsonProblem(json: string, bounds: JsonBounds = MAIN_THREAD_JSON): string | undefined {
  if (isLonger(json, bounds.maxBytes)) return `is longer than ${bounds.maxBytes} bytes`;
  const { maxValues, maxMembers = maxValues } = bounds;
  let [depth, members, values] = [0, 0, 0];
  for (let index = 0; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    if (character === QUOTE) index = endOfString(json, index);
    else if (character === COLON) members += 1;
    else if (character === COMMA) values += 1;
    else if (character === LIST_END || character === OBJECT_END) depth -= 1;
    else if (character === LIST || character === OBJECT) {
      depth += 1;
      if (!isClosedAt(json, index + 1)) values += 1;
    }
    if (depth > MAX_DEPTH) return `is nested deeper than ${MAX_DEPTH} levels`;
    if (members > maxMembers) return `has more than ${maxMembers} members`;
    if (values > maxValues) return `has more than ${maxValues} values`;
  }
  return undefined;
}

/** Counts the bytes only when the number of characters leaves it open. */
function isLonger(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * MAX_BYTES_PER_CHARACTER > maxBytes && Buffer.byteLength(text) > maxBytes;
}

/** True when nothing lies between an opening bracket and its closing one. A long gap counts as content. */
function isClosedAt(json: string, start: number): boolean {
  let index = start;
  while (index < start + MAX_DEPTH && json.charCodeAt(index) <= SPACE) index += 1;
  const character = json.charCodeAt(index);
  return character === LIST_END || character === OBJECT_END;
}

/**
 * Returns the position of the quote that closes the string opening at `start`. A string without escapes is
 * searched, which is ten times as fast as walking; a string with an escaped quote is walked.
 */
function endOfString(json: string, start: number): number {
  const end = json.indexOf('"', start + 1);
  if (end === -1) return json.length;
  return json.charCodeAt(end - 1) === BACKSLASH ? walkString(json, start) : end;
}

function walkString(json: string, start: number): number {
  let index = start + 1;
  while (index < json.length && json.charCodeAt(index) !== QUOTE) {
    index += json.charCodeAt(index) === BACKSLASH ? 2 : 1;
  }
  return index;
}

/** Returns the position behind the value that begins at `start`. */
export function endOfValue(json: string, start: number): number {
  let depth = 0;
  for (let index = start; index < json.length; index += 1) {
    const character = json.charCodeAt(index);
    const isEnd = character === LIST_END || character === OBJECT_END;
    if (depth === 0 && (isEnd || character === COMMA)) return index;
    if (character === QUOTE) index = endOfString(json, index);
    else if (isEnd) depth -= 1;
    else if (character === LIST || character === OBJECT) depth += 1;
  }
  return json.length;
}
