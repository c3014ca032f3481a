import {
  type Look,
  type PdfPage,
  PLAIN_LOOK,
  type Ruling,
  type Word,
} from "../packages/documents/src/layout/page/page.ts";

const PLAIN: Look = { ...PLAIN_LOOK, font: "Serif", size: 10 };

/** A page of 600 by 800 points. */
export function pdfPage(facts: Partial<PdfPage>): PdfPage {
  return {
    number: 1,
    width: 600,
    height: 800,
    words: [],
    rulings: [],
    boxes: [],
    images: [],
    links: [],
    tags: undefined,
    glyphs: facts.words?.length ?? 0,
    unmapped: 0,
    isCut: false,
    source: "native_text",
    ...facts,
  };
}

/** Words from `x` on, with their baseline at `y`; characters are half as wide as their size. */
export function wordsAt(x: number, y: number, text: string, look: Partial<Look> = {}): Word[] {
  const style = { ...PLAIN, ...look };
  const { size } = style;
  let left = x;
  return text.split(" ").map((part) => {
    const x0 = left;
    const x1 = x0 + 0.5 * size * part.length;
    left = x1 + 0.3 * size;
    const place = { x0, x1, y0: y - 0.8 * size, y1: y + 0.2 * size, base: y };
    return { text: part, ...place, look: style, markedContent: -1, isGlued: false };
  });
}

/** Lines below each other, 12 points apart unless told. */
export function linesAt(x: number, y: number, lines: readonly string[], look: Partial<Look> = {}): Word[] {
  const pitch = 1.2 * (look.size ?? PLAIN.size);
  return lines.flatMap((line, at) => wordsAt(x, y + at * pitch, line, look));
}

/** The rules of a table: lines at all these places. */
export function gridOf(xs: readonly number[], ys: readonly number[]): Ruling[] {
  const [x0, x1] = [Math.min(...xs), Math.max(...xs)];
  const [y0, y1] = [Math.min(...ys), Math.max(...ys)];
  return [
    ...ys.map((y) => ({ isHorizontal: true as const, y, x0, x1 })),
    ...xs.map((x) => ({ isHorizontal: false as const, x, y0, y1 })),
  ];
}

/** Lines of ordinary text that fill a column of about 250 points. */
export function proseLines(count: number, word = "lorem"): string[] {
  return Array.from(
    { length: count },
    (_none, at) => `${word} ${at} ipsum dolor sit amet consectetur elit sed do`,
  );
}
