import type { Look, Word } from "../layout/page/page.ts";
import { isUnspaced } from "../layout/text/characters.ts";

/** In em. Pages with fewer pairs of characters below each other have labels or a seal, no text that runs down. */
const FEWEST_PAIRS = 6;
/** In em: how far the middles of characters of a line may be apart, and the blank between two. */
const ASIDE = 0.3;
const OVERLAP = 0.5;
const MAX_BLANK = 0.9;
const GLUED_BLANK = 0.25;
/** In em. Two or three digits stand beside each other in the place of a character. */
const MAX_WIDTH = 1.3;

/** Signs of fonts for lines that run down the page. */
const VERTICAL_FORM = /[\ufe10-\ufe19\ufe30-\ufe48]/g;

/**
 * Joins characters that stand below each other to words that run down the page, where most of the page's text in scripts
 * without blanks does. The layout turns such pages.
 */
export function joinVertical(words: readonly Word[]): readonly Word[] {
  if (!isVertical(words)) return words;
  const looks = new Map<Look, Look>();
  const joined: Word[] = [];
  for (const word of words) {
    const before = joined.at(-1);
    const blank = before ? blankBetween(before, word) : Infinity;
    const isGlued = word.isGlued || blank < GLUED_BLANK;
    if (!isUpright(word) || word.x1 - word.x0 > MAX_WIDTH * word.look.size) {
      joined.push({ ...word, isGlued });
      continue;
    }
    const look = looks.get(word.look) ?? { ...word.look, angle: -Math.PI / 2 };
    looks.set(word.look, look);
    const text = word.text.replace(VERTICAL_FORM, (sign) => sign.normalize("NFKC"));
    if (before?.look === look && blank < MAX_BLANK)
      joined[joined.length - 1] = { ...before, text: before.text + text, y1: word.y1 };
    else joined.push({ ...word, text, look, isGlued });
  }
  return joined;
}

function isVertical(words: readonly Word[]): boolean {
  let [below, beside] = [0, 0];
  words.forEach((word, at) => {
    const before = words[at - 1];
    if (!isUpright(word) || !isUnspaced(word.text)) return;
    beside += word.text.length - 1;
    if (!before || !isUnspaced(before.text)) return;
    if (blankBetween(before, word) < MAX_BLANK) below += 1;
    else if (Math.abs(before.base - word.base) < ASIDE * word.look.size) beside += 1;
  });
  return below >= FEWEST_PAIRS && below > beside;
}

function isUpright({ look }: Word): boolean {
  return look.angle === 0;
}

/** In em, from the end of a word to the one below it; infinite where it stands elsewhere. */
function blankBetween(before: Word, { x0, x1, y0, look: { size } }: Word): number {
  const aside = Math.abs(before.x0 + before.x1 - x0 - x1) / 2;
  const blank = (y0 - before.y1) / size;
  return aside < ASIDE * size && blank > -OVERLAP ? blank : Infinity;
}
