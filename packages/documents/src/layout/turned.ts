import { boxOf, type Rect, rectOf } from "./numbers/geometry.ts";
import type { Box, PdfPage, Ruling, Word } from "./page/page.ts";

/** The quarter turn that makes the page's text upright. */
export type Turn = "none" | "clockwise" | "counter-clockwise";

interface UprightPage {
  readonly page: PdfPage;
  readonly turn: Turn;
  /** Words at another angle than the page's text. */
  readonly turned: readonly Word[];
}

/** Minimum share of rotated words for the page to be turned. */
const LEAST_SHARE = 0.6;

/** Turns a page whose text runs sideways, and separates words at other angles. */
export function turnUpright(page: PdfPage): UprightPage {
  const byWay = wordsByWay(page.words);
  const onSide = byWay.rising.length + byWay.falling.length;
  if (onSide <= LEAST_SHARE * page.words.length) {
    const turned = [...byWay.rising, ...byWay.falling, ...byWay.others];
    return { page: turned.length > 0 ? { ...page, words: byWay.upright } : page, turn: "none", turned };
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
  if (Math.abs(Math.sin(angle)) < 0.1 && Math.cos(angle) > 0) return "upright";
  if (Math.abs(Math.sin(angle)) <= 0.7) return "others";
  return Math.sin(angle) > 0 ? "rising" : "falling";
}

function turnPage(page: PdfPage, turn: Turn): PdfPage {
  const turned = (box: Box) => boxOf(turnRect(rectOf(box), turn, page));
  return {
    ...page,
    width: page.height,
    height: page.width,
    rulings: page.rulings.map((ruling) => turnRuling(ruling, turn, page)),
    boxes: page.boxes.map((filled) => ({ ...filled, box: turned(filled.box) })),
    images: page.images.map(turned),
    links: page.links.map((link) => ({ ...link, box: turned(link.box) })),
  };
}

function turnRuling(ruling: Ruling, turn: Turn, page: PdfPage): Ruling {
  if (ruling.isHorizontal) {
    const { x0, y0, y1 } = turnRect({ x0: ruling.x0, x1: ruling.x1, y0: ruling.y, y1: ruling.y }, turn, page);
    return { isHorizontal: false, x: x0, y0, y1 };
  }
  const { x0, x1, y0 } = turnRect({ x0: ruling.x, x1: ruling.x, y0: ruling.y0, y1: ruling.y1 }, turn, page);
  return { isHorizontal: true, y: y0, x0, x1 };
}

function turnRect(rect: Rect, turn: Turn, page: { readonly width: number; readonly height: number }): Rect {
  if (turn === "none") return rect;
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
  if (turn === "none") return rect;
  return turn === "clockwise"
    ? { x0: rect.y0, x1: rect.y1, y0: page.width - rect.x1, y1: page.width - rect.x0 }
    : { x0: page.height - rect.y1, x1: page.height - rect.y0, y0: rect.x0, y1: rect.x1 };
}
