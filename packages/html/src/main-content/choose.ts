import type { PageTables } from "./tables/page-tables.ts";
import { completeCards } from "./whole-cards.ts";
import { keepWhatBelongs } from "./belonging.ts";
import { keepListedSections } from "./contents.ts";
import { dropNearRepeats } from "./near-repeats.ts";
import { keepSentences } from "./sentences.ts";
import { notesOf } from "../markdown/notes.ts";
import { HEADING } from "../parser/tag-traits.ts";
import { TEXT } from "../parser/tree.ts";

/**
 * Chooses the blocks to keep, 1 or 0 by block: the set with the highest expected F1. Tables, lists and
 * columns are decided as wholes. Their headings and short gaps are added, repeats are dropped.
 */
export function chooseBlocks(page: PageTables, chances: Float32Array): Uint8Array {
  const { size } = page.blocks;
  const unitOf = page.units;
  const words = new Float64Array(size);
  const expected = new Float64Array(size);
  for (let block = 0; block < size; block++) {
    const unit = unitOf[block] ?? 0;
    const count = Math.max(1, page.texts.words[block] ?? 0);
    words[unit] = (words[unit] ?? 0) + count;
    expected[unit] = (expected[unit] ?? 0) + count * (chances[block] ?? 0);
  }
  const isChosen = bestSet(words, expected);
  const kept = new Uint8Array(size);
  for (let block = 0; block < size; block++) kept[block] = isChosen[unitOf[block] ?? 0] ?? 0;
  decideColumns(page, kept);
  completeCards(page, chances, kept);
  keepWhatBelongs(page, chances, kept);
  keepListedSections(page, chances, kept);
  keepSentences(page, chances, kept);
  keepNotesOf(page, kept);
  dropRepeats(page, kept);
  dropNearRepeats(page, kept);
  return kept;
}

/**
 * Returns the units with the highest expected F1 together: the likeliest ones, until another one would lower
 * it.
 */
function bestSet(words: Float64Array, expected: Float64Array): Uint8Array {
  const chances = new Float64Array(words.length);
  const units: number[] = [];
  let all = 0;
  for (let unit = 0; unit < words.length; unit++) {
    chances[unit] = (expected[unit] ?? 0) / (words[unit] ?? 1);
    all += expected[unit] ?? 0;
    if ((words[unit] ?? 0) > 0) units.push(unit);
  }
  compared = chances;
  units.sort(byChance);
  let taken = 0;
  let hits = 0;
  let best = 0;
  let cut = 0;
  for (let order = 0; order < units.length; order++) {
    const unit = units[order] ?? 0;
    taken += words[unit] ?? 0;
    hits += expected[unit] ?? 0;
    const f1 = (2 * hits) / (taken + all);
    if (f1 <= best) continue;
    best = f1;
    cut = order + 1;
  }
  const isChosen = new Uint8Array(words.length);
  for (const unit of units.slice(0, cut)) isChosen[unit] = 1;
  return isChosen;
}

/** By unit. A comparison for each page would be compiled again and again. */
let compared = new Float64Array();

function byChance(a: number, b: number): number {
  return (compared[b] ?? 0) - (compared[a] ?? 0) || a - b;
}

/** Fewer blocks do not form a column. */
const MIN_BLOCKS = 4;
/**
 * A column stays as a whole when at least this share of it is kept, else it goes. Measured: macro 0.8330
 * against 0.8325.
 */
const KEPT_SHARE = 0.5;

/**
 * Decides a column of a series as one: the prices of all cards, the names above all replies. A column
 * consists of the blocks with the same elements and classes in the items of one series.
 */
function decideColumns(page: PageTables, kept: Uint8Array): void {
  for (const blocks of findColumns(page)) {
    if (blocks.length < MIN_BLOCKS) continue;
    const share = blocks.reduce((sum, block) => sum + (kept[block] ?? 0), 0) / blocks.length;
    for (const block of blocks) kept[block] = share >= KEPT_SHARE ? 1 : 0;
  }
}

function findColumns({ tree, blocks, repetition }: PageTables): Iterable<readonly number[]> {
  const columns = new Map<number, Map<number, number[]>>();
  for (let block = 0; block < blocks.size; block++) {
    const owner = blocks.owner[block] ?? 0;
    const item = repetition.item[owner] ?? -1;
    // Paragraphs and list items are not cards: each is decided for itself.
    if (item < 0 || item === owner) continue;
    const series = tree.parent[item] ?? 0;
    const signature = repetition.signature[block] ?? 0;
    let ofSeries = columns.get(series);
    if (!ofSeries) columns.set(series, (ofSeries = new Map()));
    const column = ofSeries.get(signature);
    if (column) column.push(block);
    else ofSeries.set(signature, [block]);
  }
  return [...columns.values()].flatMap((ofSeries) => [...ofSeries.values()]);
}

/** Shorter texts may repeat on purpose: prices, labels, table cells. */
const MIN_WORDS = 8;
/**
 * From this share of texts that come two or three times, the page carries copies for several window widths.
 */
const MIN_SHARE = 0.2;
const MAX_VARIANTS = 3;

/**
 * Drops kept texts that repeat word for word: the title above every reply of a thread, and every repeat in a
 * page that is written twice. Elsewhere a text may repeat on purpose, as in the plans of a price list.
 */
function dropRepeats(page: PageTables, kept: Uint8Array): void {
  const { tree, blocks, texts } = page;
  const groups = findRepeated(page, kept);
  const parentOf = (block = 0): number => tree.parent[blocks.owner[block] ?? 0] ?? 0;
  // Repeats next to each other are the refrain of a song.
  const isHeading = (block = 0): boolean => HEADING[tree.tag[blocks.owner[block] ?? 0] ?? 0] === 1;
  // A heading that an entry of the contents says first is no repeat.
  const spare = groups
    .filter(({ length }) => length <= MAX_VARIANTS)
    .flatMap(([first, ...others]) =>
      others.filter((other) => parentOf(other) !== parentOf(first) && isHeading(other) === isHeading(first)),
    );
  const wordsOf = (block: number): number => texts.words[block] ?? 0;
  let words = 0;
  for (let block = 0; block < blocks.size; block++) if (kept[block] === 1) words += wordsOf(block);
  const isTwice = spare.reduce((sum, block) => sum + wordsOf(block), 0) >= MIN_SHARE * words;
  if (isTwice) for (const block of spare) kept[block] = 0;
  for (const [first = 0, ...others] of groups) {
    if (!isHeading(first)) continue;
    for (const block of others) kept[block] = 0;
  }
}

/** Returns groups of two or more kept blocks with the same text of at least `MIN_WORDS` words. */
function findRepeated(page: PageTables, kept: Uint8Array): readonly number[][] {
  const { blocks, texts, repetition, elements } = page;
  const groups = new Map<string, number[]>();
  for (let block = 0; block < blocks.size; block++) {
    const mayRepeat = (repetition.copies[block] ?? 0) > 1 && (texts.words[block] ?? 0) >= MIN_WORDS;
    if (kept[block] !== 1 || !mayRepeat || elements.hidden[blocks.owner[block] ?? 0] === 1) continue;
    // All digits look alike to `repetition`.
    const text = textOf(page, block);
    const group = groups.get(text);
    if (group) group.push(block);
    else groups.set(text, [block]);
  }
  return [...groups.values()].filter(({ length }) => length > 1);
}

function textOf({ tree, blocks }: PageTables, block: number): string {
  const last = blocks.last[block] ?? 0;
  let text = "";
  for (let node = blocks.first[block] ?? 0; node <= last; node++)
    if (tree.tag[node] === TEXT) text += ` ${tree.text(node)}`;
  return text.trim().replace(/\s+/g, " ").toLowerCase();
}

/** Notes with a larger share of what is kept without them are terms of business, not of the text. */
const MAX_NOTES = 0.5;

/** Keeps the notes whose marks stand in kept text, wherever on the page they are. */
function keepNotesOf({ tree, blocks, texts }: PageTables, kept: Uint8Array): void {
  const { references, byLabel } = notesOf(tree);
  if (references.size === 0) return;
  const wanted = new Set<number>();
  for (const [mark, label] of references) {
    const note = byLabel.get(label) ?? -1;
    if (note < 0 || kept[lastBefore(blocks, mark)] !== 1) continue;
    const end = tree.end[note] ?? 0;
    for (let block = lastBefore(blocks, note) + 1; block < blocks.size; block++) {
      if ((blocks.first[block] ?? 0) >= end) break;
      if (kept[block] !== 1) wanted.add(block);
    }
  }
  let words = 0;
  for (let block = 0; block < blocks.size; block++) if (kept[block] === 1) words += texts.words[block] ?? 0;
  for (const block of wanted) words -= (texts.words[block] ?? 0) / MAX_NOTES;
  if (words > 0) for (const block of wanted) kept[block] = 1;
}

/** The last block that begins before the end of a node; -1 when none does. */
function lastBefore({ first, size }: PageTables["blocks"], node: number): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((first[middle] ?? 0) < node) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
