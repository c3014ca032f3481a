import { alignedTables } from "./tables/aligned-tables.ts";
import { areasOf, type TextArea } from "./areas.ts";
import { confidenceOf, draftLine, type PageFacts } from "./draft-line.ts";
import { chartsOf, figuresOf } from "./figures.ts";
import { type Rect, unionOf } from "./numbers/geometry.ts";
import { linesOf } from "./page/lines.ts";
import { textOf } from "./page/line-text.ts";
import type { PdfPage } from "./page/page.ts";
import type { DraftArea, DraftText, PageDraft } from "./page-draft.ts";
import { readingOrder } from "./reading-order.ts";
import { type ContentsPart, contentsOf } from "./tables/contents.ts";
import { framedTables } from "./tables/framed-tables.ts";
import { ruleLines } from "./tables/rule-lines.ts";
import { type FoundTable, ruledTables } from "./tables/ruled-tables.ts";
import { isWhole } from "./tables/whole-table.ts";
import { type HorizontalRule, horizontalRules } from "./tables/rulings.ts";
import { median } from "./numbers/statistics.ts";
import { turnUpright } from "./turned.ts";
import { turnedAreas } from "./turned-areas.ts";
import { type PageWord, readableWords } from "./page/words.ts";

/** Above this share of characters without a known meaning, a page is only partly read. */
const MAX_UNMAPPED = 0.2;

/** First pass: finds what is on a page, and in which order it is read. */
export function draftPage(page: PdfPage): PageDraft {
  const { page: upright, turn, turned } = turnUpright(page);
  const words = readableWords(upright);
  const areas = placeAreas(upright, words);
  const { number, source, width, height } = upright;
  const isPartial = page.isCut || page.unmapped > MAX_UNMAPPED * page.glyphs;
  return {
    number,
    width,
    height,
    turn,
    source,
    isPartial,
    areas: [...areas, ...turnedAreas(turned, upright)],
  };
}

function placeAreas(page: PdfPage, words: readonly PageWord[]): DraftArea[] {
  const rules = horizontalRules(page);
  const charts = chartsOf(page, words);
  const labels = new Set(charts.flatMap((chart) => chart.words));
  const readable = words.filter((word) => !labels.has(word));
  const ruled = ruledTables(page, readable).filter(isWhole);
  const taken = new Set(ruled.flatMap((table) => table.words));
  const lines = linesOf(readable.filter((word) => !taken.has(word)));
  const across = ruleLines(rules);
  const framed = framedTables(lines, across).filter(isWhole);
  const inFrames = new Set(framed.flatMap((table) => table.lines));
  const aligned = alignedTables(
    lines.filter((line) => !inFrames.has(line)),
    across,
  ).filter(isWhole);
  const unruled = [...framed, ...aligned];
  const inTables = new Set(unruled.flatMap((table) => table.lines));
  const contents = unruled.map((table) => ({ table, parts: contentsOf(table) }));
  const plain = contents.flatMap(({ table, parts }) => (parts ? [] : [table]));
  const tables = [...ruled, ...plain];
  const texts = areasOf(
    lines.filter((line) => !inTables.has(line)),
    { solids: [...ruled, ...unruled], rules },
  );
  const areas = [
    ...texts.map((area) => draftText(area, page, rules)),
    ...tables.map(draftTable),
    ...contents.flatMap(({ parts = [] }) => parts.map((part) => draftContents(part, page))),
    ...figuresOf(page, words).map((figure) => draftFigure(figure, textIn(figure, words))),
    ...charts.map((chart) => draftFigure(chart, textOf(chart.words))),
  ];
  return inOrder(areas, median(words.map(({ size }) => size)));
}

function inOrder(areas: readonly DraftArea[], size: number): DraftArea[] {
  const placed = areas.map((area) => {
    const { x0, y0, x1, y1 } = area;
    return { x0, y0, x1, y1, area, isFlowing: area.kind === "text" && area.lines.length > 1 };
  });
  return readingOrder(placed, size).map(({ area }) => area);
}

function draftText(area: TextArea, page: PageFacts, rules: readonly HorizontalRule[]): DraftText {
  const lines = area.lines.map((line) => draftLine(line, page));
  return {
    ...unionOf([area]),
    kind: "text",
    lines,
    isUnderRule: isUnderRule(area, rules),
    isContentsEntry: false,
  };
}

function draftContents({ lines, isEntry }: ContentsPart, page: PageFacts): DraftText {
  const drafts = lines.map((line) => draftLine(line, page));
  return { ...unionOf(lines), kind: "text", lines: drafts, isUnderRule: false, isContentsEntry: isEntry };
}

/** Footnotes stand under a rule that begins where they do and ends before they do. */
function isUnderRule(area: TextArea, rules: readonly HorizontalRule[]): boolean {
  const size = area.lines[0]?.size ?? 0;
  return rules.some(
    ({ x0, x1, y }) =>
      y < area.y0 + 0.3 * size &&
      y > area.y0 - 2 * size &&
      Math.abs(x0 - area.x0) < 2 * size &&
      x1 > area.x0 + size,
  );
}

function draftFigure(figure: Rect, text: string): DraftArea {
  return { ...unionOf([figure]), kind: "figure", text };
}

function draftTable({ table, isRuled, words, ...rect }: FoundTable): DraftArea {
  return { ...unionOf([rect]), kind: "table", table, isRuled, confidence: confidenceOf(words) };
}

function textIn(figure: Rect, words: readonly PageWord[]): string {
  return textOf(
    words.filter(
      (word) => word.x0 > figure.x0 && word.x1 < figure.x1 && word.y0 > figure.y0 && word.y1 < figure.y1,
    ),
  );
}
