import type { OcrWord } from "./ocr/ocr-engine.ts";

/** What engines read in bullets, filled and hollow. */
const SIGN = /^(?:[eo°¢«»©®*+·●•]|e[«»©°]|eo)$/;
/** Letters among them, which are words of some languages: those are before words in lower case. */
const LETTERS = /^[eo]/;

/** Bullets are lower than the words next to them. */
const MAX_HEIGHT = 0.75;
/** Of the lines that begin where a bullet does, those that begin with one: at the margin of a text, hardly any do. */
const LEAST_SHARE = 0.6;
/** Pixels at 200 dpi. */
const SAME_START = 6;

/** The words of lines, with bullets where signs or letters were read in them. */
export function withBullets(lines: readonly (readonly OcrWord[])[]): readonly (readonly OcrWord[])[] {
  const marked = lines.map(beginsLikeItem);
  return lines.map((line, at) => {
    const [first, ...others] = line;
    if (!first || marked[at] !== true || !isListed(first, lines, marked)) return line;
    return [{ ...first, text: "•" }, ...others];
  });
}

function beginsLikeItem([sign, next]: readonly OcrWord[]): boolean {
  if (!sign || !next || !SIGN.test(sign.text)) return false;
  const isLow = sign.y1 - sign.y0 < MAX_HEIGHT * (next.y1 - next.y0);
  return isLow && (!LETTERS.test(sign.text) || !/^\p{Ll}+[\p{P}]?$/u.test(next.text));
}

function isListed(
  sign: OcrWord,
  lines: readonly (readonly OcrWord[])[],
  marked: readonly boolean[],
): boolean {
  let [alike, items] = [0, 0];
  lines.forEach(([first], at) => {
    if (!first || Math.abs(first.x0 - sign.x0) > SAME_START) return;
    alike += 1;
    if (marked[at] === true) items += 1;
  });
  return items >= LEAST_SHARE * alike;
}
