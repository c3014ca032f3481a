import { headingAround } from "./belonging.ts";
import { tagId } from "../parser/tree.ts";
import type { PageTables } from "./tables/page-tables.ts";
import { hashOfText, NO_TEXT, withCode } from "./tables/tokens.ts";

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
  const words: Words = { keys: [], all: undefined };
  if ((texts.words[block] ?? 0) >= MAX_WORDS) {
    for (const word of setOf(page, block, sets)) keepSmallest(words.keys, word);
    return words.keys;
  }
  const last = blocks.last[block] ?? 0;
  for (let node = blocks.first[block] ?? 0; node <= last; node++) tree.visitText(node, readWords, words);
  return words.keys;
}

/** Hashes of words: all of them, or else the smallest. */
interface Words {
  readonly keys: number[];
  readonly all: Set<number> | undefined;
}

function addWord({ keys, all }: Words, hash: number): void {
  if (all) all.add(hash);
  else keepSmallest(keys, hash);
}

/** By Latin-1 character: its lower case where it is part of words, else 0. */
const LATIN: Uint8Array = Uint8Array.from({ length: 256 }, (_, code) => {
  const lower = String.fromCharCode(code).toLowerCase();
  return lower.match(WORD) ? lower.charCodeAt(0) : 0;
});

/** Characters that are matched at once: one word of some millions takes more stack than there is. */
const MAX_MATCHED = 1_000_000;

function matchWords(text: string, words: Words): void {
  for (let start = 0; start < text.length; start += MAX_MATCHED)
    for (const word of text
      .slice(start, start + MAX_MATCHED)
      .toLowerCase()
      .match(WORD) ?? [])
      addWord(words, hashOfText(word));
}

/** Reads characters of Latin-1 and the punctuation beside it; an expression takes three times as long. */
function readWords(source: string, from: number, to: number, words: Words): void {
  let hash = NO_TEXT;
  for (let at = from; at < to; at++) {
    const code = source.charCodeAt(at);
    const isPunctuation = code >= 0x2000 && code < 0x2070;
    if (code >= LATIN.length && !isPunctuation) {
      return matchWords(source.slice(from, to), words);
    }
    const lower = LATIN[code] ?? 0;
    if (lower > 0) hash = withCode(hash, lower);
    else if (hash !== NO_TEXT) {
      addWord(words, hash);
      hash = NO_TEXT;
    }
  }
  if (hash !== NO_TEXT) addWord(words, hash);
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
  const words = { keys: [], all: new Set<number>() };
  const last = blocks.last[block] ?? 0;
  for (let node = blocks.first[block] ?? 0; node <= last && words.all.size < MAX_WORDS; node++)
    tree.visitText(node, readWords, words);
  return words.all;
}

function areAlike(one: ReadonlySet<number>, other: ReadonlySet<number>): boolean {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  if (small.size < MIN_ALIKE * large.size) return false;
  let shared = 0;
  for (const word of small) if (large.has(word)) shared++;
  return shared >= MIN_ALIKE * (small.size + large.size - shared);
}
