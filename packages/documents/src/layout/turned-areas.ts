import { overlapX, overlapY, type Rect, unionOf } from "./numbers/geometry.ts";
import type { PdfPage, Word } from "./page/page.ts";
import type { DraftLine, DraftText, Run } from "./page-draft.ts";

/** In em. Words further apart belong to different texts. */
const MAX_DISTANCE = 1.5;
const LEAST_SIZE = 1.5;

/** Groups words at another angle than the page's text; each text is an area, in file order. */
export function turnedAreas(words: readonly Word[], page: PdfPage): DraftText[] {
  const texts: Word[][] = [];
  for (const word of words.filter((one) => isOnPage(one, page))) {
    const before = texts.at(-1)?.at(-1);
    if (before && isOneText(before, word)) texts.at(-1)?.push(word);
    else texts.push([word]);
  }
  return texts.map(areaOf);
}

function isOnPage(word: Word, page: PdfPage): boolean {
  const isInside = word.x1 > 0 && word.y1 > 0 && word.x0 < page.width && word.y0 < page.height;
  return isInside && word.look.size >= LEAST_SIZE;
}

function isOneText(before: Word, word: Word): boolean {
  const { size, angle } = word.look;
  const isSameLook = Math.abs(before.look.angle - angle) < 0.01 && Math.abs(before.look.size - size) < 0.5;
  return isSameLook && Math.min(overlapX(before, word), overlapY(before, word)) > -MAX_DISTANCE * size;
}

function areaOf(words: readonly Word[]): DraftText {
  const rect = unionOf(words);
  return { ...rect, kind: "text", lines: [lineOf(words, rect)], isUnderRule: false, isContentsEntry: false };
}

function lineOf(words: readonly Word[], rect: Rect): DraftLine {
  const text = words.map((word, at) => (at > 0 && !word.isGlued ? ` ${word.text}` : word.text)).join("");
  const look = words[0]?.look;
  const run: Run = {
    text,
    isBold: look?.isBold ?? false,
    weight: look?.weight ?? 400,
    isItalic: look?.isItalic ?? false,
    isMonospaced: false,
    script: undefined,
    url: undefined,
  };
  const size = look?.size ?? 0;
  const isItalic = run.isItalic;
  const unknown = { tag: undefined, confidence: undefined, mathShare: 0, isMonospaced: false };
  return { ...rect, ...unknown, isItalic, base: rect.y1, size, text, runs: [run] };
}
