/** Whether a code unit is white space in the sense of HTML: tab, line feed, form feed, carriage return, space. */
export function isSpace(code: number): boolean {
  return code === 32 || (code <= 13 && code >= 9 && code !== 11);
}

/** By code unit up to `>`: 1 for units that end a tag name: white space, `/`, `>`. */
export const NAME_BREAK: Uint8Array = Uint8Array.from({ length: 63 }, (_, code) =>
  isSpace(code) || code === 47 || code === 62 ? 1 : 0,
);

export function isLetter(code: number): boolean {
  const lower = code | 32;
  return lower >= 97 && lower <= 122;
}

/** Whether the source holds nothing but white space in [`from`, `to`). */
export function isBlankBetween(source: string, from: number, to: number): boolean {
  let at = from;
  while (at < to && isSpace(source.charCodeAt(at))) at++;
  return at === to;
}

/** ASCII lower case of a code unit. */
export function lowerCase(code: number): number {
  return code <= 90 && code >= 65 ? code | 32 : code;
}

/** Whether a lower-case name is at an offset of the source. The source may have any case. */
export function isNameAt(source: string, from: number, name: string): boolean {
  for (let i = 0; i < name.length; i++) {
    if (name.charCodeAt(i) !== lowerCase(source.charCodeAt(from + i))) return false;
  }
  return true;
}

/** Adds one code unit to the hash of a name. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 33) + code) | 0;
}

export function hashOf(name: string): number {
  let hash = 0;
  for (let i = 0; i < name.length; i++) hash = nextHash(hash, name.charCodeAt(i));
  return hash;
}
