import { median } from "../numbers/statistics.ts";
import { isUnspaced } from "../text/characters.ts";
import type { Word } from "./page.ts";
import type { PageWord } from "./words.ts";

interface WordInText {
  readonly word: PageWord;
  /** What parts it from the word before it. */
  readonly space: string;
}

/** A line is hardly wider. */
const MAX_BLANKS = 80;

/** The words in reading order, right to left where most are; a mirrored page has turned that round. */
export function wordsInText(words: readonly PageWord[]): WordInText[] {
  const isMirrored = words[0]?.isMirrored ?? false;
  const rightToLeft = (isMostlyRightToLeft(words) || (isMirrored && isRange(words))) !== isMirrored;
  const read = rightToLeft ? [...words].reverse() : words;
  const blank = isLetterSpaced(words) ? BLANK_OF_SPACED * median(gapsOf(words)) : 0;
  return read.map((word, at) => {
    const before = read[at - 1];
    const isOneWord = blank > 0 && before !== undefined && word.x0 - before.x1 < blank;
    return { word, space: isOneWord ? "" : spaceBefore(before, word, rightToLeft) };
  });
}

/** Capitals set apart, as in titles: at least as many, this close (em), and with a wider blank between words. */
const LEAST_SPACED = 5;
const MAX_SPACED_GAP = 0.7;
const BLANK_OF_SPACED = 1.6;

/** Letters that stand below each other in the alphabet are names of columns. */
function isLetterSpaced(words: readonly PageWord[]): boolean {
  if (words.length < LEAST_SPACED || words.some(({ text }) => text.length > 2)) return false;
  const letters = words.map(({ text }) => text).join("");
  if (!/^\p{Lu}+$/u.test(letters) || letters.length > 1.5 * words.length) return false;
  const isSequence = letters.split("").every((letter, at) => at === 0 || letter > (letters[at - 1] ?? ""));
  return !isSequence && gapsOf(words).every((gap, at) => gap < MAX_SPACED_GAP * 2 * (words[at]?.size ?? 0));
}

function gapsOf(words: readonly PageWord[]): number[] {
  return words.slice(1).map(({ x0 }, at) => x0 - (words[at]?.x1 ?? x0));
}

export function textOf(words: readonly PageWord[]): string {
  let text = "";
  for (const { word, space } of wordsInText(words)) text += space + word.text;
  return text;
}

/** Numbers with a dash of its own between them are read from the right among text that is. */
function isRange(words: readonly PageWord[]): boolean {
  return (
    words.length === 3 &&
    /^[-–—]$/.test(words[1]?.text ?? "") &&
    words.every(({ text }) => !/\p{L}/u.test(text))
  );
}

const FIRST_RIGHT_TO_LEFT = 0x590;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Numbers go with the letters around them. */
export function isMostlyRightToLeft(words: readonly Pick<Word, "text">[]): boolean {
  const count = words.filter(({ text }) => isRightToLeft(text)).length;
  return count > 0 && 2 * count >= words.filter(({ text }) => /\p{L}/u.test(text)).length;
}

/** Most words of most pages need no expression. */
function isRightToLeft(text: string): boolean {
  for (let at = 0; at < text.length; at++)
    if (text.charCodeAt(at) >= FIRST_RIGHT_TO_LEFT) return RIGHT_TO_LEFT.test(text);
  return false;
}

/** Blanks of fixed-width letters can be counted. */
function spaceBefore(before: PageWord | undefined, word: PageWord, rightToLeft: boolean): string {
  if (!before || !isSpaced(before, word, rightToLeft)) return "";
  if (!before.look.isMonospaced || !word.look.isMonospaced || before.size !== word.size) return " ";
  const width = (word.x1 - word.x0) / word.text.length;
  return " ".repeat(Math.max(1, Math.min(MAX_BLANKS, Math.round((word.x0 - before.x1) / width))));
}

/** In em. Recognised words end where their ink does, so that signs have gaps around them. */
const MAX_INK_GAP = 1;

function isSpaced(before: PageWord | undefined, word: PageWord, rightToLeft: boolean): boolean {
  if (!before) return false;
  const gap = rightToLeft ? before.x0 - word.x1 : word.x0 - before.x1;
  if (word.isGlued && gap < 0.25 * word.size) return false;
  if (gap < 0.08 * Math.min(word.size, before.size)) return false;
  const isOneText = isUnspaced(word.text.slice(0, 1)) && isUnspaced(before.text.slice(-1));
  return !(isOneText && gap < (word.confidence === undefined ? 0.6 : MAX_INK_GAP) * word.size);
}
