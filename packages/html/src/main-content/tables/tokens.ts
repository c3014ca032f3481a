/** Hash of the empty text. */
export const NO_TEXT = 0x811c9dc5 | 0;

const PRIME = 0x01000193;
const UNDERSCORE = 95;

/** Adds one UTF-16 unit to a hash (FNV-1a). */
export function withCode(hash: number, code: number): number {
  return Math.imul(hash ^ code, PRIME);
}

/** Hash of two adjacent tokens. */
export function joined(first: number, second: number): number {
  return Math.imul(withCode(first, UNDERSCORE) ^ second, PRIME);
}

/** Hash of a token. Underscores separate adjacent tokens. */
export function hashOfToken(token: string): number {
  const [first = "", ...others] = token.split("_");
  return others.reduce((hash, other) => joined(hash, hashOfText(other)), hashOfText(first));
}

export function hashOfText(text: string): number {
  let hash = NO_TEXT;
  for (let at = 0; at < text.length; at++) hash = withCode(hash, text.charCodeAt(at));
  return hash;
}

/** Called for each token with its hash and its place in the text; for adjacent tokens the end is -1. */
export type TokenVisitor = (hash: number, text: string, from: number, to: number) => void;

const MIN_LENGTH = 2;
const MAX_LENGTH = 18;
const MAX_TOKENS = 24;
const MAX_VALUE_LENGTH = 400;

/**
 * Visits the words of a class, id or label in lower case, at most 24 words of 2 to 18 letters: `postBody-x2`
 * has `post` and `body`. Every token's hash begins with `prefix`. Adjacent words inside one name are also
 * visited as a pair: `post_body`.
 */
export function visitNameTokens(value: string, prefix: number, visit: TokenVisitor): void {
  const length = Math.min(value.length, MAX_VALUE_LENGTH);
  let hash = prefix;
  let before = 0;
  let from = 0;
  let previous = 32;
  let left = MAX_TOKENS;
  for (let at = 0; at <= length; at++) {
    const code = at < length ? value.charCodeAt(at) : 32;
    const lower = code | 32;
    const isLetter = lower >= 97 && lower <= 122 && code > 64;
    const isEdge = !isLetter || isHump(previous, code);
    if (isEdge && at - from >= MIN_LENGTH && at - from <= MAX_LENGTH) {
      visit(hash, value, from, at);
      if (before !== 0) visit(joined(before, hash), value, 0, -1);
      if (--left === 0) return;
      before = hash;
    }
    if (isEdge) {
      if (code === 32) before = 0;
      hash = prefix;
      from = isLetter ? at : at + 1;
    }
    if (isLetter) hash = withCode(hash, lower);
    previous = code;
  }
}

/** Whether an upper-case letter after a lower-case one begins another word. */
function isHump(previous: number, code: number): boolean {
  return code >= 65 && code <= 90 && previous >= 97 && previous <= 122;
}
