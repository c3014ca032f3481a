import type { BlockType } from "../model/blocks.ts";
import { heightOf, widthOf } from "./numbers/geometry.ts";
import { withShortHeads } from "./short-heads.ts";
import { startsAsCaption } from "./text/captions.ts";
import { withBylines } from "./bylines.ts";
import { findFurniture } from "./furniture.ts";
import { isPageNumber } from "./page-numbers.ts";
import { headingEvidence } from "./headings.ts";
import type { OutlineEntry } from "./page/page.ts";
import type { PageParts, Part } from "./page-parts.ts";
import { type PartContext, partFeatures } from "./part-features.ts";
import { guessType, type LearnedType } from "./numbers/part-model.ts";
import { type Paragraph, paragraphOf } from "./paragraphs.ts";
import { isShown, type PartLabel, type TypedPage, type TypedPart } from "./typed-part.ts";
import type { UsualLook } from "./text-line.ts";
import { countsOn } from "./text/markers.ts";

interface DocumentFacts {
  readonly usual: UsualLook;
  readonly outline: readonly OutlineEntry[];
}

const FURNITURE: ReadonlySet<string> = new Set(["page_header", "page_footer", "page_number"]);
/** Share of the page's height, from the edge. Furniture stands within it. */
const FURNITURE_EDGE = 0.17;
const MAX_FURNITURE_LINES = 5;
const LEAST_PROBABILITY = 0.45;

/** Documents with fewer characters per page are forms, labels or stamps, whose every text counts. */
const FEW_CHARACTERS = 200;

/** A lone URL or mail address is not code, even in a monospaced font. */
const ADDRESS = /^(?:https?:\/\/\S+|[^\s@]+@[^\s@]+\.\p{L}{2,})$/u;

/** In em. */
const FORMULA_HEIGHT = 5;
/** Share of the characters. */
const FORMULA_SHARE = 0.4;
const MAX_FORMULA_LINES = 4;

/** Pages with more parts use only the rules, as the model compares each part with the others. */
const MAX_PARTS = 400;

export function typeParts(pages: readonly PageParts[], facts: DocumentFacts): TypedPage[] {
  const contexts = contextsOf(pages, facts);
  const typedPages = pages.map((page) => ({
    ...page,
    parts: page.parts.map((part) => typed(part, contexts.get(part))),
  }));
  const areSparse = typedPages.every(({ parts }) => isSparse(parts));
  return withShortHeads(typedPages, facts.usual).map((page) => {
    const parts = withBylines(page.parts, page.height);
    return { ...page, parts: joinHeadings(areSparse || !parts.some(isShown) ? withAllText(parts) : parts) };
  });
}

function isSparse(parts: readonly TypedPart[]): boolean {
  const characters = parts.map((one) =>
    one.part.kind === "text" && isShown(one) ? one.part.text.length : 0,
  );
  const isTextOnly = parts.every(({ part }) => part.kind === "text");
  return isTextOnly && characters.reduce((sum, count) => sum + count, 0) < FEW_CHARACTERS;
}

/**
 * On pages with hardly any text, text at the edges counts as text; on pages with none, so do the words of
 * figures.
 */
function withAllText(parts: readonly TypedPart[]): readonly TypedPart[] {
  const isEmpty = !parts.some(isShown);
  const isNumberAlone = ({ type, isFurniture }: TypedPart) =>
    type === "page_number" && isFurniture && !isEmpty;
  const all = parts.map((one) =>
    FURNITURE.has(one.type) && !isNumberAlone(one) ? { part: one.part, ...plain("text") } : one,
  );
  if (all.some(isShown)) return all;
  return all.map((one) =>
    one.part.kind === "figure" && one.part.text !== "" ? { part: one.part, ...plain("text") } : one,
  );
}

export function contextsOf(
  pages: readonly PageParts[],
  { usual, outline }: DocumentFacts,
): ReadonlyMap<Part, PartContext> {
  const furniture = findFurniture(pages, usual.size);
  const inSeries = paragraphsInSeries(pages);
  const titles = new Set(outline.map(({ title }) => plainTitle(title)));
  const contexts = new Map<Part, PartContext>();
  for (const page of pages) {
    const ofPage = { page, pages: pages.length, usual, sizes: sizesOf(page) };
    page.parts.forEach((part, at) => {
      const isInOutline = titles.size > 0 && part.kind === "text" && titles.has(plainTitle(part.text));
      const isInSeries = part.kind === "text" && inSeries.has(part);
      contexts.set(part, { ...ofPage, at, furniture: furniture.get(part), isInSeries, isInOutline });
    });
  }
  return contexts;
}

function sizesOf({ parts }: PageParts): readonly number[] {
  const sizes = new Set<number>();
  for (const part of parts)
    if (part.kind === "text") for (const { size } of part.lines) sizes.add(Math.round(size));
  return [...sizes];
}

type Decision = Omit<TypedPart, "part">;

function typed(part: Part, context: PartContext | undefined): TypedPart {
  if (part.kind === "figure")
    return { part, ...plain(isFormulaPicture(part, context) ? "formula" : "figure") };
  if (part.kind !== "text" || !context) return { part, ...plain(part.kind) };
  return { part, ...(typeByTag(part) ?? typeByText(part, context)) };
}

/** True for a wide picture about one or two text lines high. */
function isFormulaPicture(part: Part, context: PartContext | undefined): boolean {
  const [width, height] = [part.x1 - part.x0, part.y1 - part.y0];
  return height < FORMULA_HEIGHT * (context?.usual.size ?? 0) && width > 1.5 * height;
}

/** True if most characters are formula signs or fonts and it is not part of running text. */
function isFormula({ lines }: Paragraph): boolean {
  const math = lines.reduce((sum, line) => sum + line.mathShare * line.text.length, 0);
  const length = lines.reduce((sum, { text }) => sum + text.length, 0);
  return lines.length <= MAX_FORMULA_LINES && math > FORMULA_SHARE * length;
}

function plain(type: BlockType, label?: PartLabel, confidence?: number): Decision {
  return { type, label, isFurniture: false, level: undefined, confidence };
}

function typeByTag({ lines }: Paragraph): Decision | undefined {
  const role = lines[0]?.tag?.role;
  if (role === undefined || !lines.every(({ tag }) => tag?.role === role)) return undefined;
  if (role === "Caption") return plain("caption");
  if (!/^H\d?$/.test(role)) return undefined;
  return { ...plain("section_header"), level: role === "H" ? undefined : Number(role.slice(1)) };
}

function typeByText(part: Paragraph, context: PartContext): Decision {
  const { lines, marker } = part;
  if (part.isContentsEntry) return plain("text", "list_item");
  // Furniture found by rules on several pages repeats there; a lone number at the edge is the page number.
  const { furniture } = context;
  if (furniture && (context.pages > 1 || furniture.type === "page_number"))
    return { ...plain(furniture.type), isFurniture: furniture.isCertain };
  const { type, probability } = guessOf(part, context);
  if (FURNITURE.has(type) && isAtEdge(part, probability, context)) {
    const isFurniture = type === "page_number" && context.pages === 1 && isPageNumber(part.text);
    return { ...plain(type, undefined, probability), isFurniture };
  }
  if (type === "caption") return plain(type, undefined, probability);
  if (marker && !marker.isOrdered) return plain("text", "list_item");
  if ((type === "section_header" && !standsOnItsSide(part)) || context.isInOutline)
    return plain("section_header", undefined, probability);
  if (
    (!context.usual.isMonospaced || isAligned(lines)) &&
    lines.every(({ isMonospaced }) => isMonospaced) &&
    !ADDRESS.test(part.text)
  )
    return plain("text", "code");
  if (isFormula(part)) return plain("formula");
  const isItem = marker && (!marker.label || context.isInSeries);
  return plain("text", isItem ? "list_item" : undefined, probability);
}

/** True if blanks set parts of most lines below each other, as in a typed table. */
function isAligned(lines: Paragraph["lines"]): boolean {
  const parted = lines.filter(({ text }) => / {3,}\S/.test(text)).length;
  return lines.length > 1 && parted > lines.length / 2;
}

/** Axis labels and stamps at the side of a page are large, but are not headings. */
function standsOnItsSide({ lines, text, ...rect }: Paragraph): boolean {
  return lines.length === 1 && text.length > 2 && heightOf(rect) > 1.5 * widthOf(rect);
}

/** Hiding text is worse than showing a running head, so only short texts at the edge qualify. */
function isAtEdge(
  { y0, y1, lines }: Paragraph,
  probability = 1,
  { page, isInOutline }: PartContext,
): boolean {
  const isOutside = y1 < FURNITURE_EDGE * page.height || y0 > (1 - FURNITURE_EDGE) * page.height;
  return isOutside && !isInOutline && probability >= LEAST_PROBABILITY && lines.length <= MAX_FURNITURE_LINES;
}

interface Guess {
  readonly type: LearnedType;
  /** Undefined if rules decided. */
  readonly probability: number | undefined;
}

function guessOf(part: Paragraph, context: PartContext): Guess {
  if (context.page.parts.length <= MAX_PARTS) return guessType(partFeatures(part, context));
  return { type: typeByRules(part, context), probability: undefined };
}

function typeByRules(part: Paragraph, { furniture, at, page, usual }: PartContext): LearnedType {
  if (furniture) return furniture.type;
  if (startsAsCaption(part.text) && part.lines.length <= 8) return "caption";
  return headingEvidence(part, at === page.parts.length - 1, usual) > 0 ? "section_header" : "text";
}

function plainTitle(text: string): string {
  return text
    .toLowerCase()
    .replace(/^[\d.\s]+/, "")
    .replace(/[^\p{L}\p{N}]+/gu, "");
}

/**
 * Paragraphs whose letter or Roman numeral is a label, because it belongs to a consecutive series of at least
 * two. A single one may be an initial ("J. Doe") or the number of a heading.
 */
function paragraphsInSeries(pages: readonly PageParts[]): ReadonlySet<Paragraph> {
  const inSeries = new Set<Paragraph>();
  const lastOfStyle = new Map<string, Paragraph>();
  for (const part of pages.flatMap(({ parts }) => parts)) {
    const label = part.kind === "text" ? part.marker?.label : undefined;
    if (part.kind !== "text" || !label) continue;
    const before = lastOfStyle.get(label.style);
    if (before?.marker?.label && countsOn(before.marker.label, label)) inSeries.add(before).add(part);
    lastOfStyle.set(label.style, part);
  }
  return inSeries;
}

/** In em. Maximum gap between the lines of one heading. */
const MAX_WHITE = 2.5;
/** In em. Heading lines set like a paragraph are closer than this. */
const NO_WHITE = 0.7;
const MAX_LINES = 4;
const NUMBER = /^(?:\d+(?:\.\d+)*\.?|[A-Z]\.|[IVX]+\.)\s/;

/** Joins heading lines that stand far apart if they look alike and the first one is incomplete. */
function joinHeadings(parts: readonly TypedPart[]): TypedPart[] {
  const joined: TypedPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    const heading = before && joinedHeading(before, part);
    if (heading) joined[joined.length - 1] = heading;
    else joined.push(part);
  }
  return joined;
}

function joinedHeading(before: TypedPart, after: TypedPart): TypedPart | undefined {
  if (before.type !== "section_header" || after.type !== "section_header") return undefined;
  if (before.part.kind !== "text" || after.part.kind !== "text") return undefined;
  const [last, first] = [before.part.lines.at(-1), after.part.lines[0]];
  if (!last || !first || before.part.lines.length + after.part.lines.length > MAX_LINES) return undefined;
  const isAlike = last.isBold === first.isBold && Math.abs(last.size - first.size) < 0.03 * last.size;
  const white = first.y0 - last.y1;
  const isBelow =
    white > -0.5 * last.size && white < MAX_WHITE * last.size && first.x0 < last.x1 && last.x0 < first.x1;
  const isTight = white < NO_WHITE * last.size && first.x0 > last.x0 - 0.5 * last.size;
  const goesOn =
    isUnfinished(before.part.text, after.part.text) || (isTight && isOneNumber(before.part, after.part));
  if (!isAlike || !isBelow || !goesOn) return undefined;
  return { ...before, part: paragraphOf([...before.part.lines, ...after.part.lines], false) };
}

function isUnfinished(before: string, after: string): boolean {
  return (/[\p{L}\p{N},&–-]$/u.test(before) && /^\p{Ll}/u.test(after)) || /\s[&–]$/u.test(before);
}

/** An unnumbered heading right below a numbered one continues it. */
function isOneNumber({ text: before }: Paragraph, { text: after }: Paragraph): boolean {
  return NUMBER.test(before) && !NUMBER.test(after) && !/[.!?]$/.test(before);
}
