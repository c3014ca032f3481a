import { middleY, type Rect } from "./numbers/geometry.ts";
import type { PageParts, Part } from "./page-parts.ts";
import { isPageNumber, numbersInSequence } from "./page-numbers.ts";
import type { Paragraph } from "./paragraphs.ts";

type FurnitureType = "page_header" | "page_footer" | "page_number";

export interface Furniture {
  readonly type: FurnitureType;
  /**
   * True if it repeats on other pages, is a page number in sequence, or is the bare number of the only page.
   * Text that only looks like furniture stays, as a letterhead may be the only place with its words.
   */
  readonly isCertain: boolean;
}

/** Shares of the page's height, measured from the edge. */
const EDGE = 0.18;
const NUMBER_EDGE = 0.13;
const LONELY_EDGE = 0.095;
const MAX_LINES = 3;
const MAX_OUTERMOST = 40;
/** In points. Repeated texts begin at heights no further apart than this. */
const STEP = 12;

type Side = "top" | "bottom";

/**
 * Finds headers, footers and page numbers: texts that repeat near the edges, or that stand alone near the
 * edge of one page.
 */
export function findFurniture(pages: readonly PageParts[], size: number): ReadonlyMap<Part, Furniture> {
  const document = {
    size,
    isOnePage: pages.length === 1,
    repeats: new Repeats(pages),
    inSequence: numbersInSequence(pages),
  };
  const found = new Map<Part, Furniture>();
  for (const page of pages) {
    const ofPage = furnitureOf(page, document);
    const hasText = page.parts.some((part) => part.kind !== "figure" && !ofPage.has(part));
    // If everything on a page is furniture, it is that page's text.
    if (hasText) for (const [part, type] of ofPage) found.set(part, type);
  }
  return found;
}

interface DocumentFacts {
  readonly size: number;
  readonly isOnePage: boolean;
  readonly repeats: Repeats;
  readonly inSequence: ReadonlySet<Part>;
}

function furnitureOf(page: PageParts, document: DocumentFacts): ReadonlyMap<Part, Furniture> {
  const found = new Map<Part, Furniture>();
  const texts = page.parts.filter(({ kind }) => kind !== "figure");
  for (const part of outermost(texts)) {
    const furniture = part.kind === "text" ? judge(part, { ...document, page, texts, found }) : undefined;
    if (furniture) found.set(part, furniture);
  }
  return found;
}

/**
 * Keeps the texts nearest to the edges. Each is compared with all others, and furniture is never deep inside
 * a page.
 */
function outermost(texts: readonly Part[]): readonly Part[] {
  if (texts.length <= 2 * MAX_OUTERMOST) return texts;
  const fromTop = texts.toSorted((a, b) => middleY(a) - middleY(b));
  const outer = new Set([...fromTop.slice(0, MAX_OUTERMOST), ...fromTop.slice(-MAX_OUTERMOST)]);
  return texts.filter((part) => outer.has(part));
}

interface Context extends DocumentFacts {
  readonly page: PageParts;
  readonly texts: readonly Part[];
  readonly found: ReadonlyMap<Part, Furniture>;
}

function judge(part: Paragraph, context: Context): Furniture | undefined {
  const side = sideOf(part, context.page.height);
  if (!side || part.lines.length > MAX_LINES || !isOutermost(part, side, context)) return undefined;
  const repeats = context.repeats.has(part);
  const room = roomInside(part, side, context.texts);
  const isAtEdge = (share: number) => distanceToEdge(part, side, context.page) < share * context.page.height;
  if (isPageNumber(part.text) && isAtEdge(NUMBER_EDGE) && (repeats || room > 0.5 * context.size)) {
    const isCertain = repeats || context.isOnePage || context.inSequence.has(part);
    return { type: "page_number", isCertain };
  }
  const isLonely =
    room > 0.9 * context.size && isAtEdge(LONELY_EDGE) && looksLikeFurniture(part, context.size);
  if (!repeats && !isLonely) return undefined;
  return { type: side === "top" ? "page_header" : "page_footer", isCertain: repeats };
}

function sideOf(part: Rect, height: number): Side | undefined {
  if (part.y1 < EDGE * height) return "top";
  return part.y0 > (1 - EDGE) * height ? "bottom" : undefined;
}

function distanceToEdge(part: Rect, side: Side, page: PageParts): number {
  return side === "top" ? part.y1 : page.height - part.y0;
}

/** True if only short texts of the same edge stand further out. */
function isOutermost(part: Paragraph, side: Side, { texts, found, page }: Context): boolean {
  return !texts.some((other) => {
    if (other === part || found.has(other)) return false;
    const isOutside =
      side === "top" ? middleY(other) < middleY(part) - 2 : middleY(other) > middleY(part) + 2;
    const isShort = other.kind === "text" && other.lines.length <= 2 && sideOf(other, page.height) === side;
    return isOutside && !isShort;
  });
}

/** In points. The white space between a text at the edge and the text further in. */
function roomInside(part: Paragraph, side: Side, texts: readonly Part[]): number {
  const others = texts.filter((other) => other !== part && !isBeside(other, part));
  if (others.length === 0) return 0;
  let room = Infinity;
  for (const { y0, y1 } of others) {
    if (side === "top" && y0 > part.y0) room = Math.min(room, y0 - part.y1);
    else if (side === "bottom" && y1 < part.y1) room = Math.min(room, part.y0 - y1);
  }
  return room;
}

function isBeside(other: Rect, part: Rect): boolean {
  return Math.abs(middleY(other) - middleY(part)) < part.y1 - part.y0;
}

function looksLikeFurniture({ lines, text }: Paragraph, size: number): boolean {
  const first = lines[0];
  if (!first || lines.length > 2 || text.length >= 140 || first.size > 1.12 * size) return false;
  return !(first.isBold && first.size >= 1.05 * size);
}

/** Counts the pages on which a text repeats, with digits ignored and at about the same place. */
class Repeats {
  readonly #pages = new Map<string, Set<number>>();
  readonly #least: number;

  constructor(pages: readonly PageParts[]) {
    this.#least = Math.max(2, Math.min(3, 0.3 * pages.length));
    if (pages.length < this.#least) return;
    for (const page of pages)
      for (const part of page.parts) {
        if (part.kind !== "text" || part.lines.length > MAX_LINES || !sideOf(part, page.height)) continue;
        const key = placedAt(wordsOf(part), part, 0);
        const seen = this.#pages.get(key) ?? new Set();
        this.#pages.set(key, seen.add(page.number));
      }
  }

  has(part: Paragraph): boolean {
    if (this.#pages.size === 0) return false;
    const words = wordsOf(part);
    return [-1, 0, 1].some(
      (shift) => (this.#pages.get(placedAt(words, part, shift))?.size ?? 0) >= this.#least,
    );
  }
}

function wordsOf({ text }: Paragraph): string {
  const words = text.replace(/\d+/g, "#").replace(/\b[ivxlc]{1,6}\b/gi, "#");
  return words.trim().slice(0, 80);
}

function placedAt(words: string, { y0 }: Paragraph, shift: number): string {
  return `${words}/${Math.round(y0 / STEP) + shift}`;
}
