import { countCharacters } from "./text/characters.ts";
import { startsAsCaption } from "./text/captions.ts";
import type { Furniture } from "./furniture.ts";
import { middleX, middleY, overlapX, widthOf } from "./numbers/geometry.ts";
import { headingEvidence } from "./headings.ts";
import type { PageParts, Part } from "./page-parts.ts";
import type { Paragraph } from "./paragraphs.ts";
import type { UsualLook } from "./text-line.ts";

/** In em. Larger distances are cut to this value. */
const MAX_DISTANCE = 12;

export interface PartContext {
  readonly page: PageParts;
  /** Index of the part on its page. */
  readonly at: number;
  readonly pages: number;
  readonly usual: UsualLook;
  /** Font sizes of the page's text, in whole points, without duplicates. */
  readonly sizes: readonly number[];
  /** Result of the furniture rules. */
  readonly furniture: Furniture | undefined;
  /** True if its letter or Roman numeral is part of a series. */
  readonly isInSeries: boolean;
  readonly isInOutline: boolean;
}

/** Feature vector of a paragraph. The trained trees depend on the order. */
export function partFeatures(part: Paragraph, context: PartContext): number[] {
  return [...lookOf(part, context), ...textOf(part), ...placeOf(part, context), ...aroundOf(part, context)];
}

function lookOf({ lines, isUnderRule }: Paragraph, { usual, sizes }: PartContext): number[] {
  const first = lines[0];
  const size = first?.size ?? 0;
  return [
    size / usual.size,
    sizes.filter((other) => other > size + 0.6).length,
    share(lines, ({ isBold }) => isBold),
    Number(usual.isBold),
    share(lines, ({ isItalic }) => isItalic),
    share(lines, ({ isMonospaced }) => isMonospaced),
    mean(lines.map(({ mathShare }) => mathShare)),
    Math.min(20, lines.length),
    Number(isUnderRule),
  ];
}

function textOf(part: Paragraph): number[] {
  const { text, marker } = part;
  const { letters, capitals, digits, blanks, signs } = countCharacters(text);
  const length = Math.max(1, text.length);
  return [
    Math.min(400, text.length),
    Math.min(60, blanks + 1),
    letters / length,
    capitals / Math.max(1, letters),
    digits / length,
    Number(/^\p{Ll}/u.test(text)),
    Number(/^\p{Lu}/u.test(text)),
    Number(/^(?:\d+\.)+\d*\s|^\d+\s/.test(text)),
    Number(/^[IVX]+\.\s|^[A-Z]\.\s|^(?:chapter|section|part|appendix)\s/i.test(text)),
    endingOf(text),
    Number(startsAsCaption(text)),
    marker ? (marker.isOrdered ? 2 : 1) : 0,
    Number(/^\W*(?:page\s*)?\W*(?:\d{1,4}|[ivxlc]{1,7})\W*$/i.test(text)),
    Number(/https?:|www\.|@|©|\bdoi\b|\bISBN\b|\bvol\b/i.test(text)),
    Number(/^\(?\d+(?:\.\d+)*\)?$/.test(text)),
    signs / length,
    Number(/^\d{1,2}\s?[\p{L}"“]/u.test(text)),
  ];
}

function endingOf(text: string): number {
  const end = text.slice(-1);
  if (/[.。]/.test(end)) return 1;
  if (/[,;]/.test(end)) return 2;
  if (/[:：]/.test(end)) return 3;
  if (/[?!？！]/.test(end)) return 4;
  return end === "-" ? 5 : 0;
}

function placeOf(part: Paragraph, { page, furniture, pages, isInOutline }: PartContext): number[] {
  return [
    part.y0 / page.height,
    part.y1 / page.height,
    part.x0 / page.width,
    part.x1 / page.width,
    widthOf(part) / page.width,
    Math.abs(middleX(part) / page.width - 0.5),
    Math.min(10, pages),
    Number(furniture?.type === "page_header"),
    Number(furniture?.type === "page_footer"),
    Number(furniture?.type === "page_number"),
    Number(isInOutline),
  ];
}

function aroundOf(part: Paragraph, { page, at, usual }: PartContext): number[] {
  const { above, below, whiteAbove, whiteBelow, isBeside } = neighboursOf(part, page.parts);
  const [gapAbove, gapBelow] = [gap(whiteAbove, usual.size), gap(whiteBelow, usual.size)];
  const [before, after] = [page.parts[at - 1], page.parts[at + 1]];
  return [
    gapAbove,
    gapBelow,
    gapAbove - gapBelow,
    Math.min(20, above),
    Math.min(20, below),
    Number(isBeside),
    kindOf(before),
    kindOf(after),
    sizeOf(before) / usual.size,
    sizeOf(after) / usual.size,
    Math.min(20, after?.kind === "text" ? after.lines.length : 0),
    after ? (after.x0 - part.x0) / usual.size : 0,
    headingEvidence(part, after === undefined, usual),
    Math.min(100, page.parts.length),
    nearestFigure(part, page),
  ];
}

/**
 * Counts texts and tables around a part, with the distance to the nearest in its column and whether any is
 * beside it.
 */
function neighboursOf(part: Paragraph, parts: readonly Part[]) {
  const middle = middleY(part);
  let [above, below, whiteAbove, whiteBelow] = [0, 0, Infinity, Infinity];
  let isBeside = false;
  for (const other of parts) {
    if (other === part || other.kind === "figure") continue;
    const isInColumn = overlapX(other, part) > 0;
    const otherMiddle = middleY(other);
    if (otherMiddle < middle) above++;
    if (otherMiddle > middle) below++;
    if (isInColumn && otherMiddle < middle) whiteAbove = Math.min(whiteAbove, part.y0 - other.y1);
    if (isInColumn && otherMiddle > middle) whiteBelow = Math.min(whiteBelow, other.y0 - part.y1);
    isBeside ||= other.y0 < part.y1 && other.y1 > part.y0;
  }
  return { above, below, whiteAbove, whiteBelow, isBeside };
}

/** Converts points to em, limited to -2 … MAX_DISTANCE. */
function gap(white: number, size: number): number {
  return Math.max(-2, Math.min(MAX_DISTANCE, Math.min(white, MAX_DISTANCE * size) / size));
}

function kindOf(part: Part | undefined): number {
  if (!part) return 0;
  return { text: 1, table: 2, figure: 3 }[part.kind];
}

function sizeOf(part: Part | undefined): number {
  return part?.kind === "text" ? (part.lines[0]?.size ?? 0) : 0;
}

/** Vertical distance to the nearest figure or table, as a share of the page's height. */
function nearestFigure(part: Paragraph, page: PageParts): number {
  let nearest = 1;
  for (const other of page.parts) {
    if (other.kind === "text" || overlapX(other, part) < 0) continue;
    nearest = Math.min(nearest, Math.max(0, other.y0 - part.y1, part.y0 - other.y1) / page.height);
  }
  return nearest;
}

function share<T>(items: readonly T[], test: (item: T) => boolean): number {
  return items.filter(test).length / Math.max(1, items.length);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
