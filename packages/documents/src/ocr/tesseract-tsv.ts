import type { OcrWord } from "./ocr-engine.ts";

/** The level of rows that are words; others are pages, blocks, paragraphs and lines. */
const WORD = "5";

/** Reads the table that tesseract writes: level, page, block, paragraph, line, word, box, confidence, text. */
export function wordsOfTsv(table: string): readonly OcrWord[] {
  const words: OcrWord[] = [];
  let line = -1;
  let place = "";
  for (const row of table.split("\n")) {
    const [level, page, block, paragraph, lineNumber, , left, top, width, height, confidence, text] =
      row.split("\t");
    if (level !== WORD || !text?.trim()) continue;
    const here = `${page} ${block} ${paragraph} ${lineNumber}`;
    if (here !== place) line += 1;
    place = here;
    const [x0, y0] = [Number(left), Number(top)];
    const box = { x0, y0, x1: x0 + Number(width), y1: y0 + Number(height) };
    words.push({ text: text.trim(), ...box, confidence: share(Number(confidence) / 100), line });
  }
  return words;
}

function share(value: number): number {
  return Math.min(1, Math.max(0, value));
}
