import { TEXT } from "../html/parser/tree.ts";
import type { PageTables } from "./page-tables.ts";
import { hashOfText } from "./tokens.ts";

/** Shorter texts look alike by chance: names of products, rows. */
const MIN_WORDS = 12;
/** Texts that share so much of their words say the same. */
const MIN_ALIKE = 0.8;
/** Of each text so many words are looked up to find those that may say the same. */
const KEYS = 3;
/** So many texts under one word are compared; more are the rows of a series. */
const MOST_COMPARED = 8;
const MOST_WORDS = 400;
const WORD = /[\p{L}\p{N}]+/gu;

/**
 * Leaves out what says nearly the same as a text before it in another place of the page: the copy for narrow windows,
 * the teaser of its own text. Texts of the same elements and classes are told apart on purpose: rows, refrains.
 */
export function dropNearRepeats(page: PageTables, kept: Uint8Array): void {
  const known = new Map<number, number[]>();
  const sets: (ReadonlySet<number> | undefined)[] = [];
  for (let block = 0; block < page.blocks.size; block++) {
    const isAlone = page.units[block] === block && page.units[block + 1] !== block;
    const mayRepeat = isAlone && kept[block] === 1 && (page.texts.words[block] ?? 0) >= MIN_WORDS;
    if (!mayRepeat) continue;
    const words = wordsOf(page, block);
    sets[block] = words;
    const keys = [...words].sort((a, b) => a - b).slice(0, KEYS);
    const before = keys.flatMap((key) => known.get(key) ?? []);
    const isRepeat = before.some(
      (other) =>
        page.repetition.signature[other] !== page.repetition.signature[block] &&
        areAlike(words, sets[other] ?? words),
    );
    if (isRepeat) kept[block] = 0;
    else for (const key of keys) remember(known, key, block);
  }
}

function remember(known: Map<number, number[]>, key: number, block: number): void {
  const blocks = known.get(key);
  if (!blocks) known.set(key, [block]);
  else if (blocks.length < MOST_COMPARED) blocks.push(block);
}

function wordsOf({ tree, blocks }: PageTables, block: number): ReadonlySet<number> {
  const words = new Set<number>();
  const last = blocks.last[block] ?? 0;
  for (let node = blocks.first[block] ?? 0; node <= last && words.size < MOST_WORDS; node++) {
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
