import { areaOf, clip, heightOf, holdsMiddle, type Rect, rectOf, widthOf } from "../numbers/geometry.ts";
import type { PdfPage } from "./page.ts";
import type { PageWord } from "./words.ts";

/** Share of the page: smaller pictures are ornaments, larger ones backgrounds. */
const SMALLEST = 0.01;
const LARGEST = 0.85;
/** Small pictures that are wide, and as high as letters at least, in points, are formulas. */
const LEAST_HEIGHT = 7;
const LEAST_WIDTH = 20;
/** Text over a picture with more words than this is text, and the picture its background. */
const MOST_WORDS = 3;
const MOST_FIGURES = 200;

/** The pictures of a page. */
export function figuresOf(page: PdfPage, words: readonly PageWord[]): Rect[] {
  const whole = page.width * page.height;
  return page.images
    .map((image) => clip(rectOf(image), page))
    .filter(
      (figure) => areaOf(figure) <= LARGEST * whole && (areaOf(figure) >= SMALLEST * whole || isWide(figure)),
    )
    .slice(0, MOST_FIGURES)
    .filter((figure) => words.filter((word) => holdsMiddle(figure, word)).length <= MOST_WORDS);
}

function isWide(figure: Rect): boolean {
  return (
    widthOf(figure) > 1.5 * heightOf(figure) &&
    heightOf(figure) > LEAST_HEIGHT &&
    widthOf(figure) > LEAST_WIDTH
  );
}
