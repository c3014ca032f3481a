/** White space, including the C1 control NEL (U+0085). */
const BLANKS = /[\s\u0085\u00a0]+/g;

/**
 * Characters that show nothing: controls, soft hyphens, zero-width spaces, object marks, and the private use
 * area, where icon fonts keep their icons.
 */
const INVISIBLE = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u200b\u2060\ue000-\uf8ff\ufeff\ufffc]/g;
const NEEDS_FOLDING =
  /[^\S ]|[\0-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ue000-\uf8ff\ufffc]| {2}/;

/** A source line break between characters of a script without spaces: CSS Text 3, section 4.1.3. */
const WRAPPED_LINE =
  /(?<=[\u3001-\u30ff\u3400-\u9fff\uff01-\uff60])[\t ]*\r?\n\s*(?=[\u3001-\u30ff\u3400-\u9fff\uff01-\uff60])/g;

/**
 * C1 controls, which no author writes. They are left over from UTF-8 read as Latin-1, as in
 * `you\u00e2\u0080\u0099re`.
 */
const CONTROL = /[\u0080-\u009f]/;
const READ_AS_LATIN_1 = /[\u00c2-\u00f4][\u0080-\u00bf]{1,3}/g;

/** Invisible marks that only control the direction or joining of the text around them. */
const DIRECTION_MARKS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const JOINERS_ONLY = /^[\s\u200c\u200d]+$/;

/**
 * Folds white space as browsers do; no-break spaces count as spaces. Invisible characters are dropped,
 * including direction marks in text without right-to-left characters, and joiners with nothing to join. A
 * source line break between Chinese or Japanese characters is not a space.
 */
export function foldText(text: string): string {
  if (!NEEDS_FOLDING.test(text)) return text;
  const shown = readAgain(text).replace(INVISIBLE, "");
  const ordered = RIGHT_TO_LEFT.test(shown) ? shown : shown.replace(DIRECTION_MARKS, "");
  if (JOINERS_ONLY.test(ordered)) return " ";
  return ordered.replace(WRAPPED_LINE, "").replace(BLANKS, " ");
}

/** Decodes the text again as UTF-8 when each byte of a character became a character of its own. */
export function readAgain(text: string): string {
  if (!CONTROL.test(text)) return text;
  return text.replace(READ_AS_LATIN_1, (bytes) => {
    const character = Buffer.from(bytes, "latin1").toString("utf8");
    return character.includes("\ufffd") ? bytes : character;
  });
}
