import type { Word } from "../layout/page/page.ts";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LEFT_TO_RIGHT = /^[^\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]+$/;
const SIGN = /^[.,:;!?\u060c\u061b\u061f]$/;

/** In em. Blanks are wider. */
const LETTER_GAP = 0.15;
/** In em. Boxes of joined letters overlap. */
const OVERLAP = 0.35;
const SAME_BASE = 0.2;

/**
 * Joins letters that a file draws one by one from right to left, or in the order in which they stand, to the words that
 * they are, and what is read from the left among them.
 */
export function joinRightToLeft(words: readonly Word[]): readonly Word[] {
  if (!words.some(({ text }) => RIGHT_TO_LEFT.test(text))) return words;
  const places = new Map(words.map((word, at) => [word, at]));
  const hasSpaceBetween = (one: Word, other: Word): boolean => {
    const [from, to] = [places.get(one) ?? 0, places.get(other) ?? 0];
    return Math.abs(to - from) === 1 && words[Math.max(from, to)]?.isBehindSpace === true;
  };
  const joined = new Map<Word, Word>();
  const taken = new Set<Word>();
  for (const row of rowsOf(words)) {
    let first: Word | undefined;
    let last: Word | undefined;
    for (const word of row.toSorted((a, b) => b.x1 - a.x1)) {
      const open: Word | undefined = first && (joined.get(first) ?? first);
      const text = open && last && !hasSpaceBetween(last, word) ? textOf(open, word) : undefined;
      last = word;
      if (first && open && text !== undefined) {
        const [x0, x1] = [Math.min(open.x0, word.x0), Math.max(open.x1, word.x1)];
        joined.set(first, Object.assign({}, open, { text, x0, x1 }));
        taken.add(word);
      } else first = word;
    }
  }
  return words.flatMap((word) => (taken.has(word) ? [] : [joined.get(word) ?? word]));
}

/** Upright words on one base, which marks above and below their letters leave a little. */
function rowsOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const rows: Word[][] = [];
  for (const word of words.filter(({ look }) => look.angle === 0).toSorted((a, b) => a.base - b.base)) {
    const last = rows.at(-1)?.at(-1);
    if (last && word.base - last.base < SAME_BASE * word.look.size) rows.at(-1)?.push(word);
    else rows.push([word]);
  }
  return rows;
}

/** Of both words, where the second goes on with the first at its left. */
function textOf(right: Word, left: Word): string | undefined {
  const { size } = right.look;
  const gap = right.x0 - left.x1;
  const isNext =
    gap < LETTER_GAP * size && gap > -OVERLAP * size && Math.abs(right.base - left.base) < SAME_BASE * size;
  if (!isNext || left.look.size !== size) return undefined;
  const isLatin = [left, right].every(({ text }) => LEFT_TO_RIGHT.test(text) && !SIGN.test(text));
  if (isLatin) return left.text + right.text;
  const goesOn = RIGHT_TO_LEFT.test(left.text) || SIGN.test(left.text);
  return RIGHT_TO_LEFT.test(right.text.slice(-1)) && goesOn ? right.text + left.text : undefined;
}
