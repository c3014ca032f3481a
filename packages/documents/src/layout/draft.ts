import { alignedTables } from "./tables/aligned-tables.ts";
import { areasOf, type TextArea } from "./areas.ts";
import { chartsOf, figuresOf } from "./figures.ts";
import { rejoinedLines } from "./rejoined-lines.ts";
import { columnsByHeads, type HeadedColumn } from "./head-columns.ts";
import { holdsMiddle, overlapX, overlapY, type Rect, rectOf, unionOf } from "./numbers/geometry.ts";
import { linesOf } from "./page/lines.ts";
import { textOf, wordsInText } from "./page/line-text.ts";
import { columnAt, type TextColumns, textColumns } from "./page/text-columns.ts";
import type { Look, PageLink, PdfPage, Tag, Word } from "./page/page.ts";
import type { DraftArea, DraftLine, DraftText, LineTag, PageDraft, Run } from "./page-draft.ts";
import { readingOrder } from "./reading-order.ts";
import { contentsOf, type ContentsPart } from "./tables/contents.ts";
import { crossTableOf } from "./tables/cross-table.ts";
import { framedTables } from "./tables/framed-tables.ts";
import { ruleLines } from "./tables/rule-lines.ts";
import { type FoundTable, ruledTables } from "./tables/ruled-tables.ts";
import { labelledValues } from "./labelled-values.ts";
import { isWhole } from "./tables/whole-table.ts";
import { type HorizontalRule, horizontalRules } from "./tables/rulings.ts";
import { median, Tally } from "./numbers/statistics.ts";
import { turnUpright } from "./turned.ts";
import { headsIn, type TurnedHead, turnedHeads } from "./turned-heads.ts";
import { type PageWord, readableWords } from "./page/words.ts";
import type { Line } from "./page/line.ts";

/** In em. Words further apart belong to different texts. */
const MAX_DISTANCE = 1.5;
const LEAST_SIZE = 1.5;

/** Share of characters without a Unicode mapping above which a page counts as partly read. */
const MAX_UNMAPPED = 0.2;

/** First pass: finds the parts of a page and their reading order. */
export function draftPage(page: PdfPage): PageDraft {
  const { page: upright, turn, turned } = turnUpright(page);
  const words = readableWords(upright);
  const { areas, heads } = placeAreas(upright, words, turn === "none" ? turnedHeads(turned) : []);
  const inTables = new Set(heads.flatMap((head) => head.words));
  const { number, source, width, height } = upright;
  const isPartial = page.isCut || page.unmapped > MAX_UNMAPPED * page.glyphs;
  return {
    number,
    width,
    height,
    turn,
    source,
    isPartial,
    areas: [
      ...areas,
      ...turnedAreas(
        turned.filter((word) => !inTables.has(word)),
        upright,
      ),
    ],
  };
}

interface PlacedAreas {
  readonly areas: readonly DraftArea[];
  /** Turned texts that are cells of tables. */
  readonly heads: readonly TurnedHead[];
}

function placeAreas(page: PdfPage, words: readonly PageWord[], turned: readonly TurnedHead[]): PlacedAreas {
  const rules = horizontalRules(page);
  const charts = chartsOf(page, words);
  const labels = new Set(charts.flatMap((chart) => chart.words));
  const readable = words.filter((word) => !labels.has(word));
  const { heads, ...found } = tablesWithHeads(page, readable, turned);
  const { ruled, unruled, lines } = found;
  const inTables = new Set(unruled.flatMap((table) => table.lines));
  const contents = unruled.map((table) => ({ table, parts: contentsOf(table) }));
  const plain = contents.flatMap(({ table, parts }) => (parts ? [] : [table]));
  const tables = [...ruled, ...plain];
  const untabled = lines.filter((line) => !inTables.has(line));
  const outside = rejoinedLines(untabled, page.height);
  const labelled = labelledValues(outside);
  const inPairs = new Set(labelled.flatMap((part) => part.lines.flatMap((line) => line.words)));
  const texts = areasOf(
    outside.filter(({ words: [word] }) => !word || !inPairs.has(word)),
    { solids: [...ruled, ...unruled, ...labelled.map(({ lines: own }) => unionOf(own))], rules },
  );
  const cross = crossTableOf(texts);
  const areas = [
    ...texts.filter((area) => !cross?.texts.includes(area)).map((area) => draftText(area, page, rules)),
    ...[...tables, ...(cross ? [cross.table] : [])].map(draftTable),
    ...contents.flatMap(({ parts = [] }) => parts.map((part) => draftContents(part, page))),
    ...labelled.map((part) => draftContents(part, page)),
    ...figuresOf(page, words).map((figure) => draftFigure(figure, textIn(figure, words))),
    ...charts.map((chart) => draftFigure(chart, textOf(chart.words))),
  ];
  return { areas: inOrder(areas, median(words.map(({ size }) => size))), heads };
}

/** The tables, with the turned texts that are cells of them. */
function tablesWithHeads(page: PdfPage, words: readonly PageWord[], turned: readonly TurnedHead[]) {
  const plain = tablesOn(page, words, []);
  if (turned.length === 0 || plain.ruled.length + plain.unruled.length === 0) return { ...plain, heads: [] };
  const tried = tablesOn(page, words, turned);
  const heads = headsIn(tried, turned, plain);
  if (heads.length === 0) return { ...plain, heads };
  const found = heads.length === turned.length ? tried : tablesOn(page, words, heads);
  const isStable = headsIn(found, heads, plain).length === heads.length;
  return isStable ? { ...found, heads } : { ...plain, heads: [] };
}

/** Tables, and the lines outside those with rules around their cells. */
function tablesOn(page: PdfPage, words: readonly PageWord[], heads: readonly TurnedHead[]) {
  const ruled = ruledTables(page, [...words, ...heads.map(({ word }) => word)]).filter(isWhole);
  const taken = new Set(ruled.flatMap((table) => table.words));
  const inRows = heads.flatMap(({ word, isInRow }) => (isInRow ? word : []));
  const untaken = [...words, ...inRows].filter((word) => !taken.has(word));
  const columns = textColumns(untaken);
  const lines = linesOf(untaken, columns);
  const across = ruleLines(horizontalRules(page));
  const framed = framedTables(lines, across).filter(isWhole);
  const inFrames = new Set(framed.flatMap((table) => table.lines));
  const unframed = lines.filter((line) => !inFrames.has(line));
  const aligned = (columns ? linesByColumn(unframed, columns) : columnsByHeads(unframed))
    .flatMap(({ lines: own, heads: titles }) => alignedTables(own, across, titles))
    .filter(isWhole);
  return { ruled, unruled: [...framed, ...aligned], lines };
}

/** What stands beside or across the columns is a group of its own. */
function linesByColumn(lines: readonly Line[], columns: TextColumns): readonly HeadedColumn[] {
  const groups = new Map<number | undefined, Line[]>();
  for (const line of lines)
    groups.set(columnAt(columns, line), [...(groups.get(columnAt(columns, line)) ?? []), line]);
  return [...groups.values()].map((own) => ({ lines: own, heads: [] }));
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

/** A footnote rule lies right above the footnotes and begins where they begin. */
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
  const looks = new Tally<Look>();
  for (const { look, text } of words) looks.add(look, text.length);
  const confidence = confidenceOf(words);
  return { ...unionOf([rect]), kind: "table", table, isRuled, confidence, looks: [...looks.entries] };
}

function textIn(figure: Rect, words: readonly PageWord[]): string {
  return textOf(
    words.filter(
      (word) => word.x0 > figure.x0 && word.x1 < figure.x1 && word.y0 > figure.y0 && word.y1 < figure.y1,
    ),
  );
}

/** Fonts used only in formulas. */
const MATH_FONT =
  /^(?:CM(?:MI|SY|EX|BSY)|MSBM|MSAM|EU[FSR]M|rsfs|LatinModernMath|STIX.*Math|Cambria ?Math|XITSMath|MT(?:MI|SY|EX))|Math/i;
const MATH_CHARACTER = /[∑∏∫√∂∇≤≥≠≈≡∈∉⊂⊆∪∩∞±×÷∝∀∃→←↔⇒⇔∘⊕⊗=<>+^_{}|α-ωΓΔΘΛΞΠΣΦΨΩ\u{1d400}-\u{1d7ff}]/gu;

/** Greek letters of formulas stand alone, or beside another. */
const GREEK_WORD = /[\p{sc=Greek}\p{M}]{3,}/gu;

/** What most lines have none of. */
const MAY_BE_MATH = /[=<>+^_{}|\u0080-\uffff]/;

/** Structure roles that give a text's type. Other roles only group. */
const TELLING =
  /^(?:H\d?|P|LI|Lbl|LBody|TD|TH|Caption|Note|Formula|Figure|Code|BlockQuote|TOCI|Artifact|Title)$/;
/** The tagged element must hold at least this share of the line's words. */
const LEAST_TAGGED = 0.6;

interface PageFacts {
  readonly links: readonly PageLink[];
  readonly tags: ReadonlyMap<number, readonly Tag[]> | undefined;
}

function draftLine(line: Line, page: PageFacts): DraftLine {
  const runs = runsOf(line, page.links);
  const { x0, y0, x1, y1, base, size, isMonospaced, isItalic } = line;
  return {
    x0,
    y0,
    x1,
    y1,
    base,
    size,
    isMonospaced,
    isItalic,
    text: runs.map(({ text }) => text).join(""),
    runs,
    mathShare: mathShareOf(line.words),
    tag: page.tags && tagOf(line.words, page.tags),
    confidence: confidenceOf(line.words),
  };
}

function runsOf(line: Line, links: readonly PageLink[]): Run[] {
  const near = links.filter(({ box }) => box[1] < line.y1 && box[3] > line.y0);
  const runs: OpenRun[] = [];
  for (const { word, space } of wordsInText(line.words)) {
    const script = scriptOf(word, line);
    const url = near.find(({ box }) => holdsMiddle(rectOf(box), word))?.url;
    const text = space + word.text;
    const open = runs.at(-1);
    if (open && open.script === script && open.url === url && isAlike(open, word.look)) open.text += text;
    else runs.push(runOf(text, word.look, { script, url }));
  }
  return runs;
}

type OpenRun = Run & { text: string };

function runOf(text: string, look: Look, { script, url }: Pick<Run, "script" | "url">): OpenRun {
  const { isBold, weight, isItalic, isMonospaced } = look;
  return { text, isBold, weight, isItalic, isMonospaced, script, url };
}

function scriptOf(word: PageWord, line: Line): Run["script"] {
  const isSmall = word.isScript || word.size < 0.85 * line.size;
  if (!isSmall || Math.abs(word.base - line.base) < 0.08 * line.size) return undefined;
  return word.base < line.base ? "raised" : "lowered";
}

function isAlike(a: Run, b: Look): boolean {
  const isSameWeight = a.isBold === b.isBold && a.weight === b.weight;
  return isSameWeight && a.isItalic === b.isItalic && a.isMonospaced === b.isMonospaced;
}

function mathShareOf(words: readonly PageWord[]): number {
  let [characters, math] = [0, 0];
  let inTextFonts = "";
  let last: Look | undefined;
  let isMath = false;
  for (const { text, look } of words) {
    if (look !== last) isMath = MATH_FONT.test(look.font);
    last = look;
    characters += text.length;
    if (isMath) math += text.length;
    else inTextFonts += ` ${text}`;
  }
  if (MAY_BE_MATH.test(inTextFonts))
    math += inTextFonts.replaceAll(GREEK_WORD, "").match(MATH_CHARACTER)?.length ?? 0;
  return characters > 0 ? math / characters : 0;
}

function tagOf(words: readonly PageWord[], tags: ReadonlyMap<number, readonly Tag[]>): LineTag | undefined {
  const found = new Map<number, LineTag>();
  const counts = new Tally<number>();
  for (const { markedContent } of words) {
    const tag = tags.get(markedContent)?.findLast(({ role }) => TELLING.test(role));
    if (!tag) continue;
    found.set(tag.id, { role: tag.role, id: tag.id });
    counts.add(tag.id);
  }
  const top = counts.top();
  return top !== undefined && counts.get(top) >= LEAST_TAGGED * words.length ? found.get(top) : undefined;
}

function confidenceOf(words: readonly PageWord[]): number | undefined {
  const known = words.filter(({ confidence }) => confidence !== undefined);
  return known.length > 0
    ? known.reduce((sum, { confidence = 0 }) => sum + confidence, 0) / known.length
    : undefined;
}

/** Groups words at another angle than the page's text; each text is an area, in file order. */
function turnedAreas(words: readonly Word[], page: PdfPage): DraftText[] {
  const texts: Word[][] = [];
  for (const word of words.filter((one) => isOnPage(one, page))) {
    const before = texts.at(-1)?.at(-1);
    if (before && isOneText(before, word)) texts.at(-1)?.push(word);
    else texts.push([word]);
  }
  return texts.map(areaOf);
}

function isOnPage(word: Word, page: PdfPage): boolean {
  const isInside = word.x1 > 0 && word.y1 > 0 && word.x0 < page.width && word.y0 < page.height;
  return isInside && word.look.size >= LEAST_SIZE;
}

function isOneText(before: Word, word: Word): boolean {
  const { size, angle } = word.look;
  const isSameLook = Math.abs(before.look.angle - angle) < 0.01 && Math.abs(before.look.size - size) < 0.5;
  return isSameLook && Math.min(overlapX(before, word), overlapY(before, word)) > -MAX_DISTANCE * size;
}

function areaOf(words: readonly Word[]): DraftText {
  const rect = unionOf(words);
  return { ...rect, kind: "text", lines: [lineOf(words, rect)], isUnderRule: false, isContentsEntry: false };
}

function lineOf(words: readonly Word[], rect: Rect): DraftLine {
  const text = words.map((word, at) => (at > 0 && !word.isGlued ? ` ${word.text}` : word.text)).join("");
  const look = words[0]?.look;
  const run: Run = {
    text,
    isBold: look?.isBold ?? false,
    weight: look?.weight ?? 400,
    isItalic: look?.isItalic ?? false,
    isMonospaced: false,
    script: undefined,
    url: undefined,
  };
  const size = look?.size ?? 0;
  const isItalic = run.isItalic;
  const unknown = { tag: undefined, confidence: undefined, mathShare: 0, isMonospaced: false };
  return { ...rect, ...unknown, isItalic, base: rect.y1, size, text, runs: [run] };
}
