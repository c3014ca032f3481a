import { boxOf, type Rect, rectOf } from "./numbers/geometry.ts";
import { isMostlyRightToLeft } from "./page/line-text.ts";
import type { Box, PdfPage, Ruling, Word } from "./page/page.ts";

/** What makes the page's text run upright and from the left: a quarter turn, or a mirror for text from the right. */
export type Turn = "none" | "clockwise" | "counter-clockwise" | "mirrored";

interface UprightPage {
  readonly page: PdfPage;
  readonly turn: Turn;
  /** Words at another angle than the page's text. */
  readonly turned: readonly Word[];
}

/** Minimum share of rotated words for the page to be turned. */
const LEAST_SHARE = 0.6;

/** Where text runs from the right, the stop behind a number is drawn before it. */
const STOP_BEFORE_NUMBER = /^([.:,)]+)(\d[\d.]*)$/;

/** Turns a page whose text runs sideways, and separates words at other angles. */
export function turnUpright(page: PdfPage): UprightPage {
  const byWay = wordsByWay(page.words);
  const onSide = byWay.rising.length + byWay.falling.length;
  if (onSide <= LEAST_SHARE * page.words.length) {
    const turned = [...byWay.rising, ...byWay.falling, ...byWay.others];
    const upright = turned.length > 0 ? { ...page, words: byWay.upright } : page;
    if (!isMostlyRightToLeft(upright.words)) return { page: upright, turn: "none", turned };
    const mirrored = upright.words.map((word) => ({
      ...word,
      ...turnRect(word, "mirrored", page),
      text: word.text.replace(STOP_BEFORE_NUMBER, "$2$1"),
      isMirrored: true,
    }));
    return { page: { ...turnPage(page, "mirrored"), words: mirrored }, turn: "mirrored", turned };
  }
  const isRising = byWay.rising.length >= byWay.falling.length;
  const turn = isRising ? "clockwise" : "counter-clockwise";
  const words = (isRising ? byWay.rising : byWay.falling).map((word) => turnWord(word, turn, page));
  const others = [...byWay.upright, ...(isRising ? byWay.falling : byWay.rising), ...byWay.others];
  const turned = others.map((word) => ({ ...word, ...turnRect(word, turn, page) }));
  return { page: { ...turnPage(page, turn), words }, turn, turned };
}

type Way = "upright" | "rising" | "falling" | "others";

function wordsByWay(words: readonly Word[]): Record<Way, Word[]> {
  const byWay: Record<Way, Word[]> = { upright: [], rising: [], falling: [], others: [] };
  for (const word of words) byWay[wayOf(word.look.angle)].push(word);
  return byWay;
}

function wayOf(angle: number): Way {
  if (angle === 0) return "upright";
  if (Math.abs(Math.sin(angle)) < 0.1 && Math.cos(angle) > 0) return "upright";
  if (Math.abs(Math.sin(angle)) <= 0.7) return "others";
  return Math.sin(angle) > 0 ? "rising" : "falling";
}

function turnPage(page: PdfPage, turn: Turn): PdfPage {
  const turned = (box: Box) => boxOf(turnRect(rectOf(box), turn, page));
  return {
    ...page,
    ...(isQuarter(turn) && { width: page.height, height: page.width }),
    rulings: page.rulings.map((ruling) => turnRuling(ruling, turn, page)),
    boxes: page.boxes.map((filled) => ({ ...filled, box: turned(filled.box) })),
    images: page.images.map(turned),
    links: page.links.map((link) => ({ ...link, box: turned(link.box) })),
  };
}

function isQuarter(turn: Turn): boolean {
  return turn === "clockwise" || turn === "counter-clockwise";
}

function turnRuling(ruling: Ruling, turn: Turn, page: PdfPage): Ruling {
  if (turn === "mirrored") {
    const [from, to] = ruling.isHorizontal ? [ruling.x0, ruling.x1] : [ruling.x, ruling.x];
    const [x0, x1] = [page.width - to, page.width - from];
    return ruling.isHorizontal ? { ...ruling, x0, x1 } : { ...ruling, x: x0 };
  }
  if (ruling.isHorizontal) {
    const { x0, y0, y1 } = turnRect({ x0: ruling.x0, x1: ruling.x1, y0: ruling.y, y1: ruling.y }, turn, page);
    return { isHorizontal: false, x: x0, y0, y1 };
  }
  const { x0, x1, y0 } = turnRect({ x0: ruling.x, x1: ruling.x, y0: ruling.y0, y1: ruling.y1 }, turn, page);
  return { isHorizontal: true, y: y0, x0, x1 };
}

function turnRect(rect: Rect, turn: Turn, page: { readonly width: number; readonly height: number }): Rect {
  if (turn === "none") return rect;
  if (turn === "mirrored") return { ...rect, x0: page.width - rect.x1, x1: page.width - rect.x0 };
  return turn === "clockwise"
    ? { x0: page.height - rect.y1, x1: page.height - rect.y0, y0: rect.x0, y1: rect.x1 }
    : { x0: rect.y0, x1: rect.y1, y0: page.width - rect.x1, y1: page.width - rect.x0 };
}

function turnWord(word: Word, turn: Turn, page: PdfPage): Word {
  const rect = turnRect(word, turn, page);
  // A turned word has no known baseline; descenders reach a fifth of the size below it.
  return { ...word, ...rect, base: rect.y1 - 0.2 * word.look.size, look: { ...word.look, angle: 0 } };
}

/** Maps a rectangle of the upright page back to the original. `page` has the size of the upright page. */
export function turnBack(
  rect: Rect,
  turn: Turn,
  page: { readonly width: number; readonly height: number },
): Rect {
  if (!isQuarter(turn)) return turnRect(rect, turn, page);
  return turn === "clockwise"
    ? { x0: rect.y0, x1: rect.y1, y0: page.width - rect.x1, y1: page.width - rect.x0 }
    : { x0: page.height - rect.y1, x1: page.height - rect.y0, y0: rect.x0, y1: rect.x1 };
}
