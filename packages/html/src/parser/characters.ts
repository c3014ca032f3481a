/** Whether a code unit is white space in the sense of HTML: tab, line feed, form feed, carriage return, space. */
export function isSpace(code: number): boolean {
  return code === 32 || (code <= 13 && code >= 9 && code !== 11);
}

/** By code unit up to `>`: 1 for those that end a tag name: white space, `/`, `>`. */
export const NAME_BREAK: Uint8Array = Uint8Array.from({ length: 63 }, (_, code) =>
  isSpace(code) || code === 47 || code === 62 ? 1 : 0,
);

/** Whether a code unit is an ASCII letter. */
export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** Whether a stretch of the source holds nothing but white space. */
export function isBlankBetween(source: string, from: number, to: number): boolean {
  let at = from;
  while (at < to && isSpace(source.charCodeAt(at))) at++;
  return at === to;
}

/** ASCII lower case of a code unit. */
export function lowerCase(code: number): number {
  return code <= 90 && code >= 65 ? code | 32 : code;
}

/** Whether a lower-case name is at an offset of the source, in any case. */
export function isNameAt(source: string, from: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if (name.charCodeAt(i) !== lowerCase(source.charCodeAt(from + i))) return false;
  }
  return true;
}

/** One more code unit in the hash of a name. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 33) + code) | 0;
}

/** Hash of a lower-case name. */
export function hashOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = nextHash(hash, name.charCodeAt(i));
  return hash;
}
