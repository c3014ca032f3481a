import { areaOf, clip, holdsMiddle, type Rect, rectOf } from "./geometry.ts";
import type { PdfPage } from "./page.ts";
import type { PageWord } from "./words.ts";

/** Share of the page: smaller pictures are ornaments, larger ones backgrounds. */
const SMALLEST = 0.01;
const LARGEST = 0.85;
/** Text over a picture with more words than this is text, and the picture its background. */
const MOST_WORDS = 3;
const MOST_FIGURES = 200;

/** The pictures of a page. */
export function figuresOf(page: PdfPage, words: readonly PageWord[]): Rect[] {
  const whole = page.width * page.height;
  return page.images
    .map((image) => clip(rectOf(image), page))
    .filter((figure) => areaOf(figure) >= SMALLEST * whole && areaOf(figure) <= LARGEST * whole)
    .slice(0, MOST_FIGURES)
    .filter((figure) => words.filter((word) => holdsMiddle(figure, word)).length <= MOST_WORDS);
}
