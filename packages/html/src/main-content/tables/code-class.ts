/** Character classes for reading words. */
export const SPACE = 0;
export const LETTER = 1;
export const CAPITAL = 2;
export const DIGIT = 3;
export const COMMA = 4;
export const STOP = 5;
export const MARK = 6;
/** A character of a script that is written without spaces between words. */
export const IDEOGRAPH = 7;

const COMMAS: ReadonlySet<number> = new Set([0x2c, 0xff0c, 0x3001, 0x60c]);
const STOPS: ReadonlySet<number> = new Set([0x2e, 0x21, 0x3f, 0x3002, 0xff01, 0xff1f, 0x61f, 0x6d4, 0x964]);

/** By UTF-16 unit. */
const CLASSES: Uint8Array = Uint8Array.from({ length: 0x10000 }, (_, code) => classOf(code));

export function codeClass(code: number): number {
  return CLASSES[code] ?? MARK;
}

const FOLDED: Uint16Array = Uint16Array.from({ length: 0x10000 }, (_, code) => folded(code));

/** Lower case for Latin, Greek and Cyrillic letters, "0" for ASCII digits, any other unit unchanged. */
export function foldCode(code: number): number {
  return FOLDED[code] ?? code;
}

function folded(code: number): number {
  if (code >= 48 && code <= 57) return 48;
  const isUpper =
    (code >= 65 && code <= 90) ||
    (code >= 0xc0 && code <= 0xde && code !== 0xd7) ||
    (code >= 0x391 && code <= 0x3a9) ||
    (code >= 0x410 && code <= 0x42f);
  return isUpper ? code + 32 : code;
}

function classOf(code: number): number {
  if (COMMAS.has(code)) return COMMA;
  if (STOPS.has(code)) return STOP;
  if (code < 128) return classOfAscii(code);
  if (code === 0xa0 || code === 0x3000 || code === 0xfeff || (code >= 0x2000 && code <= 0x200f)) return SPACE;
  if (code < 0xc0 && code !== 0xaa && code !== 0xb5 && code !== 0xba) return MARK;
  if (isIdeograph(code)) return IDEOGRAPH;
  const isMark = (code >= 0x2010 && code < 0x2c00) || (code >= 0x3001 && code < 0x3040) || code >= 0xd800;
  if (isMark || code === 0xd7 || code === 0xf7) return MARK;
  return code <= 0xde || (code >= 0x391 && code <= 0x3a9) || (code >= 0x410 && code <= 0x42f)
    ? CAPITAL
    : LETTER;
}

function classOfAscii(code: number): number {
  if (code <= 32 || code === 127) return SPACE;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return CAPITAL;
  return code >= 97 && code <= 122 ? LETTER : MARK;
}

/** Han, kana, Thai, Lao, Khmer, Burmese. */
function isIdeograph(code: number): boolean {
  return (
    (code >= 0x3040 && code <= 0x30ff) ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xe00 && code <= 0xeff) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    (code >= 0x1000 && code <= 0x109f)
  );
}
