import { isRightToLeft, isUnspaced } from "../text/characters.ts";
import type { PageWord } from "./words.ts";

interface WordInText {
  readonly word: PageWord;
  /** What parts it from the word before it. */
  readonly space: string;
}

/** A line is hardly wider. */
const MAX_BLANKS = 80;

/** The words in reading order, right to left where most are. */
export function wordsInText(words: readonly PageWord[]): WordInText[] {
  const rightToLeft = isMostlyRightToLeft(words);
  const read = rightToLeft ? [...words].reverse() : words;
  return read.map((word, at) => ({ word, space: spaceBefore(read[at - 1], word, rightToLeft) }));
}

export function textOf(words: readonly PageWord[]): string {
  let text = "";
  for (const { word, space } of wordsInText(words)) text += space + word.text;
  return text;
}

function isMostlyRightToLeft(words: readonly PageWord[]): boolean {
  let count = 0;
  for (const { text } of words) if (isRightToLeft(text)) count++;
  return count > words.length / 2;
}

/** Blanks of fixed-width letters can be counted. */
function spaceBefore(before: PageWord | undefined, word: PageWord, rightToLeft: boolean): string {
  if (!before || !isSpaced(before, word, rightToLeft)) return "";
  if (!before.look.isMonospaced || !word.look.isMonospaced || before.size !== word.size) return " ";
  const width = (word.x1 - word.x0) / word.text.length;
  return " ".repeat(Math.max(1, Math.min(MAX_BLANKS, Math.round((word.x0 - before.x1) / width))));
}

function isSpaced(before: PageWord | undefined, word: PageWord, rightToLeft: boolean): boolean {
  if (!before) return false;
  const gap = rightToLeft ? before.x0 - word.x1 : word.x0 - before.x1;
  if (word.isGlued && gap < 0.25 * word.size) return false;
  if (gap < 0.08 * Math.min(word.size, before.size)) return false;
  const isOneText = isUnspaced(word.text.slice(0, 1)) && isUnspaced(before.text.slice(-1));
  return !(isOneText && gap < 0.6 * word.size);
}
