import type { OcrPicture, OcrWord, QuarterTurn } from "./ocr-engine.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Turns clockwise. */
export function turnPicture({ pixels, width, height, dpi }: OcrPicture, turn: QuarterTurn): OcrPicture {
  const turned = new Uint8Array(pixels.length);
  const size = turn === 180 ? { width, height } : { width: height, height: width };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [toX, toY] = turnPoint(x, y, { width, height }, turn);
      turned[toY * size.width + toX] = pixels[y * width + x] ?? 0;
    }
  }
  return { pixels: turned, ...size, dpi };
}

function turnPoint(x: number, y: number, { width, height }: Size, turn: QuarterTurn): [number, number] {
  if (turn === 90) return [height - 1 - y, x];
  return turn === 180 ? [width - 1 - x, height - 1 - y] : [y, width - 1 - x];
}

/** Maps a word's box to the turned picture. @param size - of the original picture */
export function turnWord(word: OcrWord, { width, height }: Size, turn: QuarterTurn): OcrWord {
  const { x0, y0, x1, y1 } = word;
  if (turn === 90) return { ...word, x0: height - y1, y0: x0, x1: height - y0, y1: x1 };
  if (turn === 180) return { ...word, x0: width - x1, y0: height - y1, x1: width - x0, y1: height - y0 };
  return { ...word, x0: y0, y0: width - x1, x1: y1, y1: width - x0 };
}

/** The inverse turn. */
export function turnBack(turn: QuarterTurn): QuarterTurn {
  return (360 - turn) as QuarterTurn;
}

/** The centre of a picture, at half its width and half its height. */
export function middleOf({ pixels, width, height, dpi }: OcrPicture): OcrPicture {
  const [left, top] = [width >> 2, height >> 2];
  const size = { width: Math.max(1, width >> 1), height: Math.max(1, height >> 1) };
  const middle = new Uint8Array(size.width * size.height);
  for (let y = 0; y < size.height; y++) {
    const from = (top + y) * width + left;
    middle.set(pixels.subarray(from, from + size.width), y * size.width);
  }
  return { pixels: middle, ...size, dpi };
}

/** If most words are turned, maps all words and the size to the picture turned upright. */
export function inReadingDirection(
  words: readonly OcrWord[],
  size: Size,
): { readonly words: readonly OcrWord[] } & Size {
  const turn = words[0]?.turn;
  if (turn === undefined) return { words, ...size };
  const turned = words.map((word) => turnWord(word, size, turn));
  return turn === 180
    ? { words: turned, ...size }
    : { words: turned, width: size.height, height: size.width };
}
