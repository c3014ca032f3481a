import { type AlignedRow, filledCells } from "./aligned-rows.ts";
import { type Rect, widthOf } from "../numbers/geometry.ts";
import { isUnspaced } from "../text/characters.ts";
import type { HorizontalRule } from "./rulings.ts";

const FIGURE = /^[\s$€£¥(<>≤≥~±+\-–−]*\d[\d.,\s]*[%)*†a-z]{0,3}$|^[-–—]$|^n\/?a$/i;
const ITEM = /^(?:\d+[.)]|[•◦▪‣●○■\-–*])$/;

const BULLET = /^[•◦▪‣●○■]/;

interface Surroundings {
  readonly box: Rect;
  readonly rules: readonly HorizontalRule[];
  /** True if the cells have several lines that align across columns. */
  readonly isWrapped: boolean;
}

/** Above 0 means a table rather than columns of text side by side. */
export function tableEvidence(rows: readonly AlignedRow[], surroundings: Surroundings): number {
  const facts = factsOf(rows, surroundings);
  if (ITEM.test(facts.first) && facts.columns === 2) return -2;
  if (surroundings.isWrapped && isColumnsOfText(facts)) return -2;
  if (isList(rows) || isSorted(rows)) return -2;
  const isPrinted = facts.rules >= 3;
  if (!isPrinted && cutsText(rows)) return -9;
  return (
    -1.5 +
    Math.min(1.5, 0.4 * (facts.fullColumns - 1)) +
    2.4 * facts.figures +
    Math.min(1, 0.12 * facts.fullRows) +
    evidenceOfRules(facts) -
    Math.min(
      Math.max(0, facts.wordsPerCell - 3) * 0.35,
      surroundings.isWrapped ? 0.4 : mayHaveLongCells(facts) ? 0.9 : 9,
    ) +
    0.6 * (facts.complete - 0.5) +
    evidenceOfLabels(rows) -
    (facts.fullRows < 3 ? 0.8 : 0) -
    (facts.fullColumns <= 2 && facts.figures < 0.3 ? 0.8 : 0) -
    (facts.hasSpans ? 0.3 : 0) -
    (facts.isCode ? 2 : 0)
  );
}

/** Fewer rows may fill a column by chance, and fewer words in the mean. In scripts without blanks, every row is filled to a letter. */
const LEAST_FILLING = 3;
const LEAST_FILLING_UNSPACED = 1;
const LONG_WORDS = 3.5;
const LEAST_WORDS = 2.2;
const LETTERS_PER_WORD = 3.6;
/** Minimum shares of rows that fill their column, and of those after which a sentence goes on. */
const FILLING_SHARE = 0.6;
const CONTINUED_SHARE = 0.5;

/**
 * True if rows would cut running text: in one column the texts break where the next word does not fit, and the next
 * row begins in the middle of a sentence.
 */
function cutsText(rows: readonly AlignedRow[]): boolean {
  const isText = (rows[0]?.cells ?? []).flatMap((_cell, at) => textInColumn(rows, at) ?? []);
  return isText.some((one) => one === "wordy") || (rows.length >= LEAST_NARROW && isText.length > 1);
}

/** Rows of narrow columns, of which two have to be text. */
const LEAST_NARROW = 8;
const LEAST_NARROW_WORDS = 1.4;

function textInColumn(rows: readonly AlignedRow[], at: number): "wordy" | "narrow" | undefined {
  const cells = rows.flatMap((row) => {
    const own = row.cells[at] ?? [];
    return own.length > 0 && own.every(({ from, to }) => from === to) ? [own] : [];
  });
  const lines = cells.map((cell) => cell.at(-1)?.line);
  const right = Math.max(...lines.map((line) => line?.x1 ?? 0));
  const texts = cells.flat().map(({ text }) => text);
  const words = wordsIn(texts);
  if (words <= LEAST_NARROW_WORDS) return undefined;
  const isLong = words > LONG_WORDS && texts.every((text) => isUnspaced(text.slice(0, 1)));
  let [filling, continued] = [0, 0];
  cells.slice(0, -1).forEach((cell, row) => {
    const [last, next] = [cell.at(-1), cells[row + 1]?.[0]];
    if (!last || !next || last.line.hasRoomFor(next.line, right)) return;
    filling += 1;
    if (/^[\p{Ll}\p{Lo}("'“‘«]/u.test(next.text)) continued += 1;
  });
  const isText =
    filling >= (isLong ? LEAST_FILLING_UNSPACED : LEAST_FILLING) &&
    filling >= FILLING_SHARE * (cells.length - 1) &&
    continued >= CONTINUED_SHARE * filling;
  if (!isText) return undefined;
  return words > LEAST_WORDS ? "wordy" : "narrow";
}

/** Mean; scripts without blanks have words of about four letters. */
function wordsIn(texts: readonly string[]): number {
  const unspaced = texts.filter((text) => isUnspaced(text.slice(-1)));
  const words = texts.reduce((sum, text) => sum + countWords(text), 0);
  return (
    (2 * unspaced.length > texts.length ? texts.join("").length / LETTERS_PER_WORD : words) / texts.length
  );
}

/** In em, from one row to the next: lines of a text are closer. */
const LOOSE = 1.7;
const MAX_LABEL_WORDS = 4;

/**
 * Labels with a colon, or in bold, beside their values, or short texts side by side in rows further apart than lines of text.
 */
function evidenceOfLabels(rows: readonly AlignedRow[]): number {
  const pairs = rows.flatMap(({ cells }) =>
    cells.flatMap((cell, at) => {
      const [label, value] = [cell.at(-1), cells[at + 1]?.[0]];
      return value
        ? [{ text: label?.text ?? "", isStrong: label?.line.isBold === true && !value.line.isBold }]
        : [];
    }),
  );
  const labels = pairs.filter(
    ({ text, isStrong }) => (isStrong || /[:：]$/.test(text)) && countWords(text) <= MAX_LABEL_WORDS,
  ).length;
  if (labels >= 3 && labels >= 0.5 * pairs.length) return 2;
  const pitches = rows.slice(1).map((row, at) => (row.top - (rows[at]?.base ?? 0)) / Math.max(1, row.size));
  const isLoose = pitches.length > 1 && pitches.every((pitch) => pitch > LOOSE);
  const isShort = rows.every(
    ({ cells }) =>
      cells.length === 2 && countWords(cells[0]?.map(({ text }) => text).join(" ") ?? "") <= MAX_LABEL_WORDS,
  );
  return isLoose && isShort ? 1.2 : 0;
}

/** True if most rows begin with a bullet. */
function isList(rows: readonly AlignedRow[]): boolean {
  const first = rows.flatMap(({ cells: [cell = []] }) => cell[0]?.text ?? []);
  return first.length > 1 && first.filter((text) => BULLET.test(text)).length > first.length / 2;
}

/** In rows; and the shares of the steps that rise, and of entries that are no more than numbers. */
const LEAST_SORTED = 4;
const SORTED_SHARE = 0.9;
const BARE_SHARE = 0.4;

/** An entry of an index, and the end of one. */
const INDEX_ENTRY = /^\p{L}.*[,\s]\d[\d,\s–-]*$/u;
const INDEX_END = /^[\d,\s–-]+$/;
const INDEX_SHARE = 0.7;

/**
 * True if the columns are one list, as an index: each has entries with pages, or the second goes on in the alphabet where
 * the first ends.
 */
function isSorted(rows: readonly AlignedRow[]): boolean {
  if (rows.length < LEAST_SORTED) return false;
  const columns = (rows[0]?.cells ?? []).map((_cell, at) =>
    rows.flatMap(({ cells }) => cells[at]?.map(({ text }) => text).join(" ") || []),
  );
  if (columns.length < 2 || columns.some(({ length }) => length < 2)) return false;
  const begun = columns.map((texts) => texts.filter((text) => !INDEX_END.test(text)));
  const isIndex = columns.every(
    (texts, at) =>
      (begun[at] ?? []).length > (1 - BARE_SHARE) * texts.length &&
      (begun[at] ?? []).filter((text) => INDEX_ENTRY.test(text)).length >
        INDEX_SHARE * (begun[at] ?? []).length,
  );
  if (isIndex) return true;
  const entries = columns.flat();
  if (entries.some((text) => FIGURE.test(text))) return false;
  const steps = entries.length - 1;
  let rising = steps;
  // Most tables are found out by their first rows.
  return entries.every((text, at) => {
    if (at > 0 && text.localeCompare(entries[at - 1] ?? "") < 0) rising -= 1;
    return rising > SORTED_SHARE * steps;
  });
}

/** Two columns with multi-line cells are a table only if the first has short texts and there are rules. */
function isColumnsOfText({ fullColumns, wordsInFirst, rules }: Facts): boolean {
  return fullColumns < 3 && (wordsInFirst > 4 || rules === 0);
}

interface Facts {
  readonly columns: number;
  /** Columns with text in at least a third of the rows. */
  readonly fullColumns: number;
  /** Mean words per cell of the first column. */
  readonly wordsInFirst: number;
  /** Rows with several cells. */
  readonly fullRows: number;
  /** Full rows whose cells have several lines. */
  readonly tallRows: number;
  /** Share of rows in which every cell has text. */
  readonly complete: number;
  /** Share of pieces that are numbers. */
  readonly figures: number;
  readonly wordsPerCell: number;
  readonly hasSpans: boolean;
  /** Code is also aligned. */
  readonly isCode: boolean;
  /** Full-width horizontal rules. */
  readonly rules: number;
  readonly first: string;
}

function factsOf(rows: readonly AlignedRow[], { box, rules }: Surroundings): Facts {
  const pieces = rows.flatMap(({ cells }) => cells.flat());
  const texts = pieces.map(({ text }) => text);
  const columns = rows[0]?.cells.length ?? 0;
  return {
    columns,
    fullColumns: (rows[0]?.cells ?? []).filter((_cell, at) => isFull(rows, at)).length,
    wordsInFirst: wordsInFirstOf(rows),
    fullRows: rows.filter((row) => filledCells(row) > 1).length,
    tallRows: rows.filter(({ isTall }) => isTall).length,
    complete: rows.filter((row) => filledCells(row) === columns).length / rows.length,
    figures: texts.filter((text) => FIGURE.test(text)).length / texts.length,
    wordsPerCell: texts.reduce((sum, text) => sum + countWords(text), 0) / texts.length,
    hasSpans: pieces.some(({ from, to }) => to > from),
    isCode: pieces.filter(({ line }) => line.isMonospaced).length > 0.6 * pieces.length,
    rules: rules.filter((rule) => isAcross(rule, box, rows[0]?.size ?? 0)).length,
    first: texts[0] ?? "",
  };
}

function countWords(text: string): number {
  let count = 1;
  for (let at = text.indexOf(" "); at >= 0; at = text.indexOf(" ", at + 1)) count++;
  return count;
}

function isFull(rows: readonly AlignedRow[], column: number): boolean {
  return rows.filter(({ cells }) => (cells[column]?.length ?? 0) > 0).length * 3 >= rows.length;
}

function wordsInFirstOf(rows: readonly AlignedRow[]): number {
  const cells = rows
    .map(({ cells: [first] }) => (first ?? []).map(({ text }) => text).join(" "))
    .filter(Boolean);
  return countWords(cells.join(" ")) / Math.max(1, cells.length);
}

function isAcross(rule: HorizontalRule, box: Rect, size: number): boolean {
  const slack = 0.15 * widthOf(box);
  const isNear = rule.y > box.y0 - 1.6 * size && rule.y < box.y1 + 1.6 * size;
  return isNear && rule.x0 < box.x0 + slack && rule.x1 > box.x1 - slack;
}

function evidenceOfRules({ rules, fullRows }: Facts): number {
  const few = rules >= 2 ? 1.2 : 0.5 * rules;
  return few + (rules >= Math.max(3, 0.6 * fullRows) ? 1 : 0);
}

function mayHaveLongCells({ tallRows, columns, fullRows, rules }: Facts): boolean {
  return rules >= 2 || (tallRows >= 2 && columns >= 3 && tallRows >= 0.5 * fullRows);
}
