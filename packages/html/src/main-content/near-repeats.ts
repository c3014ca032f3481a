import { headingAround } from "./belonging.ts";
import { tagId, TEXT } from "../parser/tree.ts";
import type { PageTables } from "./tables/page-tables.ts";
import { hashOfText } from "./tables/tokens.ts";

/** Shorter texts look alike by chance: product names, rows. */
const MIN_WORDS = 12;
/** Texts that share at least this part of their words count as repeats. */
const MIN_ALIKE = 0.8;
/** Number of words of each text that are looked up to find candidates for repeats. */
const KEYS = 3;
/** Maximum texts compared per word. More texts are the rows of a series. */
const MAX_COMPARED = 8;
const MAX_WORDS = 400;
const PRE = tagId("pre");
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Drops texts that nearly repeat an earlier text elsewhere on the page: the copy for narrow windows, the
 * teaser of its own text. Texts of the same elements and classes differ on purpose: rows,
 * refrains. So do headings and code.
 */
export function dropNearRepeats(page: PageTables, kept: Uint8Array): void {
  const known = new Map<number, number[]>();
  const sets: Sets = new Map();
  for (let block = 0; block < page.blocks.size; block++) {
    const owner = page.blocks.owner[block] ?? 0;
    const isAlone = page.units[block] === block && page.units[block + 1] !== block;
    const isText = page.tree.tag[owner] !== PRE && headingAround(page.tree, owner) < 0;
    // What nobody sees is no first copy of what is seen.
    const isSeen = page.elements.hidden[owner] !== 1;
    const mayRepeat =
      isAlone && isText && isSeen && kept[block] === 1 && (page.texts.words[block] ?? 0) >= MIN_WORDS;
    if (!mayRepeat) continue;
    const keys = keysOf(page, block, sets);
    if (isRepeat(page, block, { keys, known, sets })) kept[block] = 0;
    else for (const key of keys) remember(known, key, block);
  }
}

/** Word hashes of the blocks read so far. */
type Sets = Map<number, ReadonlySet<number>>;

interface Known {
  readonly keys: readonly number[];
  readonly known: ReadonlyMap<number, readonly number[]>;
  readonly sets: Sets;
}

// NOTE: V8 drops the compiled code of closures that end with their page, so this file has none.
function isRepeat(page: PageTables, block: number, { keys, known, sets }: Known): boolean {
  const { signature } = page.repetition;
  for (const key of keys) {
    for (const other of known.get(key) ?? []) {
      const isElsewhere =
        signature[other] !== signature[block] && parentOf(page, other) !== parentOf(page, block);
      if (isElsewhere && areAlike(setOf(page, block, sets), setOf(page, other, sets))) return true;
    }
  }
  return false;
}

function parentOf({ tree, blocks }: PageTables, block: number): number {
  return tree.parent[blocks.owner[block] ?? 0] ?? 0;
}

function setOf(page: PageTables, block: number, sets: Sets): ReadonlySet<number> {
  const words = sets.get(block) ?? wordsOf(page, block);
  sets.set(block, words);
  return words;
}

/**
 * Returns the smallest hashes of a block's words. Most blocks share none with another, and need no set of all
 * their words.
 */
function keysOf(page: PageTables, block: number, sets: Sets): readonly number[] {
  const { tree, blocks, texts } = page;
  const keys: number[] = [];
  if ((texts.words[block] ?? 0) >= MAX_WORDS) {
    for (const word of setOf(page, block, sets)) keepSmallest(keys, word);
    return keys;
  }
  const last = blocks.last[block] ?? 0;
  for (let node = blocks.first[block] ?? 0; node <= last; node++) {
    if (tree.tag[node] !== TEXT) continue;
    for (const word of tree.text(node).toLowerCase().match(WORD) ?? []) keepSmallest(keys, hashOfText(word));
  }
  return keys;
}

/** Keeps the smallest numbers, in order and without repeats. */
function keepSmallest(keys: number[], key: number): void {
  if (keys.length === KEYS && key >= (keys[KEYS - 1] ?? key)) return;
  let at = keys.length;
  while (at > 0 && key <= (keys[at - 1] ?? key)) at--;
  if (keys[at] === key) return;
  keys.splice(at, 0, key);
  if (keys.length > KEYS) keys.pop();
}

function remember(known: Map<number, number[]>, key: number, block: number): void {
  const blocks = known.get(key);
  if (!blocks) known.set(key, [block]);
  else if (blocks.length < MAX_COMPARED) blocks.push(block);
}

function wordsOf({ tree, blocks }: PageTables, block: number): ReadonlySet<number> {
  const words = new Set<number>();
  const last = blocks.last[block] ?? 0;
  for (let node = blocks.first[block] ?? 0; node <= last && words.size < MAX_WORDS; node++) {
    if (tree.tag[node] !== TEXT) continue;
    for (const word of tree.text(node).toLowerCase().match(WORD) ?? []) words.add(hashOfText(word));
  }
  return words;
}

function areAlike(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (small.size < MIN_ALIKE * large.size) return false;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared >= MIN_ALIKE * (small.size + large.size - shared);
}
