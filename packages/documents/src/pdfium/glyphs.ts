import type { Word } from "../layout/page/page.ts";
import type { Pdfium } from "./library.ts";
import { Looks } from "./looks.ts";
import type { PageSpace } from "./space.ts";
import { WordBuilder } from "./word-builder.ts";

/** Further characters of a page are ignored. */
const MAX_CHARACTERS = 400_000;

interface PageText {
  readonly words: readonly Word[];
  readonly glyphs: number;
  readonly unmapped: number;
  readonly isCut: boolean;
}

interface TextSource {
  readonly page: number;
  readonly space: PageSpace;
  readonly isTagged: boolean;
}

/**
 * Reads the characters of a page and joins them into words. It makes five calls per character; the rest is
 * once per text object.
 */
export function readWords(pdfium: Pdfium, source: TextSource): PageText {
  const { call } = pdfium;
  const textPage = call.FPDFText_LoadPage(source.page);
  if (textPage === 0) return { words: [], glyphs: 0, unmapped: 0, isCut: false };
  try {
    return wordsOf(pdfium, textPage, source);
  } finally {
    call.FPDFText_ClosePage(textPage);
  }
}

function wordsOf(pdfium: Pdfium, textPage: number, { space, isTagged }: TextSource): PageText {
  const { call, memory } = pdfium;
  const looks = new Looks(pdfium, textPage, { space: space.matrix, isTagged });
  const builder = new WordBuilder(space.matrix);
  const present = Math.max(0, call.FPDFText_CountChars(textPage));
  const read = Math.min(present, MAX_CHARACTERS);
  const origin = memory.scratch + ORIGIN_OFFSET_BYTES;
  let unmapped = 0;
  let glyphs = 0;
  for (let index = 0; index < read; index += 1) {
    const code = call.FPDFText_GetUnicode(textPage, index);
    if (isSpace(code)) {
      builder.space();
      continue;
    }
    glyphs += 1;
    if (!isVisible(code)) {
      unmapped += 1;
      continue;
    }
    if (call.FPDFText_HasUnicodeMapError(textPage, index) === 1) unmapped += 1;
    const object = call.FPDFText_GetTextObject(textPage, index);
    const style = builder.isSameObject(object) ? undefined : looks.styleOf({ textPage, index, object });
    if (style) builder.setStyle(object, style);
    // Must come last, as styles are read through the same memory.
    call.FPDFText_GetLooseCharBox(textPage, index, memory.scratch);
    call.FPDFText_GetCharOrigin(textPage, index, origin, origin + 8);
    builder.add(code === HYPHEN_AT_LINE_END || code === NO_CHARACTER ? HYPHEN : narrowed(code), memory);
  }
  return { words: builder.finished(), glyphs, unmapped, isCut: present > MAX_CHARACTERS };
}

/** After the four floats of a box. */
const ORIGIN_OFFSET_BYTES = 32;

/** pdfium's two codes for a hyphen at the end of a line. */
const HYPHEN_AT_LINE_END = 2;
const NO_CHARACTER = 0xfffe;
const HYPHEN = 0x2d;

const NO_BREAK_SPACE = 0xa0;
const IDEOGRAPHIC_SPACE = 0x3000;
const REPLACEMENT = 0xfffd;
const BYTE_ORDER_MARK = 0xfeff;
const LAST_CODE = 0x10ffff;

function isSpace(code: number): boolean {
  return (
    code === 0x20 ||
    (code >= 9 && code <= 13) ||
    code === NO_BREAK_SPACE ||
    code === IDEOGRAPHIC_SPACE ||
    (code >= 0x2000 && code <= 0x200a)
  );
}

/** False for control characters and replacement characters. */
function isVisible(code: number): boolean {
  if (code === HYPHEN_AT_LINE_END) return true;
  return code >= 0x20 && code !== REPLACEMENT && code !== BYTE_ORDER_MARK && code <= LAST_CODE;
}

/** Unicode ranges of full-width digits, capital and small letters. */
const WIDE = [
  [0xff10, 0xff19],
  [0xff21, 0xff3a],
  [0xff41, 0xff5a],
] as const;
const FIRST_WIDE = WIDE[0][0];

/** Distance from the ASCII characters. */
const OFFSET = 0xfee0;

/** Maps full-width Latin letters and digits to ASCII, so that search finds the words. */
export function narrowed(code: number): number {
  if (code < FIRST_WIDE) return code;
  return WIDE.some(([first, last]) => code >= first && code <= last) ? code - OFFSET : code;
}
