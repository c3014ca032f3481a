import { middleX, overlapX, overlapY, type Rect, unionOf } from "./numbers/geometry.ts";
import type { Word } from "./page/page.ts";
import type { PageWord } from "./page/words.ts";
import type { FoundTable } from "./tables/ruled-tables.ts";
import { joinLines } from "./text/characters.ts";

/** Pages with more such texts are drawings. */
const MAX_HEADS = 200;
/** In em. Words of one line follow each other within this gap, and lines of one head at this pitch. */
const MAX_GAP = 0.5;
const LINE_PITCH = 1.35;
/** In em. Heads of a row end at one height. */
const SAME_FOOT = 0.5;
/** As a share of the size. */
const DESCENT = 0.22;

/** A text that runs up or down, which may be the head of a column or of rows. */
export interface TurnedHead extends Rect {
  readonly words: readonly Word[];
  /** Stands for the text in tables: a word at its foot, as wide as its lines are high. */
  readonly word: PageWord;
  /** True if others end at the same height, as heads above columns do. */
  readonly isInRow: boolean;
}

/** Tables of a page: with rules around their cells, and without. */
interface PageTables {
  readonly ruled: readonly FoundTable[];
  readonly unruled: readonly FoundTable[];
}

/** Texts that run up or down, among words at any angle. */
export function turnedHeads(words: readonly Word[]): readonly TurnedHead[] {
  const texts: Word[][][] = [];
  for (const word of words.filter(({ look }) => Math.abs(Math.sin(look.angle)) > 0.99)) {
    const lines = texts.at(-1);
    const line = lines?.at(-1);
    if (line && isNextWord(line, word)) line.push(word);
    else if (line && isNextLine(line, word)) lines?.push([word]);
    else texts.push([[word]]);
  }
  if (texts.length > MAX_HEADS) return [];
  const heads = texts.map((lines) => ({ lines, box: unionOf(lines.flat()) }));
  return heads.flatMap(({ lines, box }) => {
    const [first] = lines.flat();
    if (!first) return [];
    const isInRow = heads.some(
      ({ box: other }) =>
        overlapX(other, box) < 0 && Math.abs(other.y1 - box.y1) < SAME_FOOT * first.look.size,
    );
    return { ...box, words: lines.flat(), isInRow, word: wordFor(joinLines(lines.map(textOf)), box, first) };
  });
}

function isNextWord(line: readonly Word[], word: Word): boolean {
  const box = unionOf(line);
  return (
    isAlike(line, word) &&
    overlapX(box, word) > 0.5 * (word.x1 - word.x0) &&
    -overlapY(box, word) < MAX_GAP * word.look.size
  );
}

function isNextLine(line: readonly Word[], word: Word): boolean {
  const box = unionOf(line);
  return (
    isAlike(line, word) &&
    Math.abs(middleX(box) - middleX(word)) < LINE_PITCH * word.look.size &&
    overlapY(box, word) > 0
  );
}

function isAlike([first]: readonly Word[], { look }: Word): boolean {
  return (
    first !== undefined &&
    Math.abs(first.look.angle - look.angle) < 0.01 &&
    Math.abs(first.look.size - look.size) < 0.5
  );
}

function textOf(line: readonly Word[]): string {
  return line.map(({ text, isGlued }, at) => (at > 0 && !isGlued ? ` ${text}` : text)).join("");
}

function wordFor(text: string, { x0, x1, y1 }: Rect, { look, markedContent, confidence }: Word): PageWord {
  const { size, isBold } = look;
  const place = { x0, x1, y0: y1 - size, y1, base: y1 - DESCENT * size };
  const flags = { isBold, isScript: false, isGlued: false, isMirrored: false };
  return { ...place, ...flags, text, size, look: { ...look, angle: 0 }, markedContent, confidence };
}

/**
 * Heads that are cells of tables, which the page has without them, too. Above columns without rules nothing stands above
 * them.
 */
export function headsIn(
  { ruled, unruled }: PageTables,
  heads: readonly TurnedHead[],
  plain: PageTables,
): readonly TurnedHead[] {
  const standIns = new Set(heads.map(({ word }) => word));
  const known = new Set([...plain.ruled, ...plain.unruled].flatMap(({ words }) => words));
  const uprightIn = ({ words }: FoundTable) => words.filter((word) => !standIns.has(word));
  const isKnown = (table: FoundTable) => {
    const upright = uprightIn(table);
    return 2 * upright.filter((word) => known.has(word)).length > upright.length;
  };
  const grids = ruled.filter(isKnown);
  const columns = unruled.filter(isKnown);
  return heads.filter(
    ({ word, y0 }) =>
      grids.some(({ words }) => words.includes(word)) ||
      columns.some((table) => table.words.includes(word) && uprightIn(table).every(({ base }) => base > y0)),
  );
}
