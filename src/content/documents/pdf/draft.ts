import type { LaidOutBlock, LaidOutPage } from "./laid-out-page.ts";
import type { PdfPage, Word } from "./page.ts";

export type PageDraft = LaidOutPage;

/** Lines in the order of the file, and no layout. */
export function draftPage({
  number,
  width,
  height,
  words,
  source,
  isCut,
  glyphs,
  unmapped,
}: PdfPage): PageDraft {
  const lines = linesOf(words.filter(({ look }) => !look.isHidden));
  const blocks = lines.map((line) => blockOf(line, source));
  return { number, width, height, status: isCut || unmapped > 0.2 * glyphs ? "partial" : "ok", blocks };
}

function linesOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const lines: Word[][] = [];
  for (const word of words) {
    const last = lines.at(-1)?.at(-1);
    if (last && Math.abs(last.base - word.base) < 0.5 * word.look.size) lines.at(-1)?.push(word);
    else lines.push([word]);
  }
  return lines;
}

function blockOf(line: readonly Word[], source: PdfPage["source"]): LaidOutBlock {
  const text = line
    .map(({ text: word, isGlued }, index) => (isGlued || index === 0 ? word : ` ${word}`))
    .join("");
  const side = (pick: (word: Word) => number) => line.map(pick);
  const confidences = line.flatMap(({ confidence }) => confidence ?? []);
  return {
    text,
    source,
    ocr: confidences.length > 0 ? confidences.reduce((a, b) => a + b, 0) / confidences.length : null,
    box: [
      Math.min(...side((word) => word.x0)),
      Math.min(...side((word) => word.y0)),
      Math.max(...side((word) => word.x1)),
      Math.max(...side((word) => word.y1)),
    ],
  };
}
