import { hashText } from "./hash.ts";

/** Lexicon kinds of a word, as bits. */
export const FIRST_NAME = 1;
export const LAST_NAME = 2;
export const TOWN = 4;
export const COUNTRY = 8;
/** Places known worldwide, including names of several words separated by a space. */
export const KNOWN_PLACE = 16;
/** Words with another meaning than a name in one of the languages. */
export const COMMON = 32;

/** Kinds of a lower-case word as bits; 0 if unknown. */
export type Lookup = (lower: string) => number;

const HASH_BITS = 24;

/**
 * Packs the lexicon. It stores only hashes: the difference from the previous one in 7 bits per byte, followed
 * by the kinds.
 */
export function packLexicon(words: ReadonlyMap<string, number>): Uint8Array {
  const entries = new Map<number, number>();
  for (const [word, kinds] of words) entries.set(slotOf(word), (entries.get(slotOf(word)) ?? 0) | kinds);
  const bytes: number[] = [];
  let before = 0;
  for (const [slot, kinds] of [...entries].sort((a, b) => a[0] - b[0])) {
    bytes.push(kinds);
    let gap = slot - before;
    for (; gap > 127; gap >>>= 7) bytes.push((gap & 127) | 128);
    bytes.push(gap);
    before = slot;
  }
  return Uint8Array.from(bytes);
}

export function openLexicon(bytes: Uint8Array): Lookup {
  const entries: number[] = [];
  let slot = 0;
  for (let at = 0; at < bytes.length;) {
    const kinds = bytes[at++] as number;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++] as number;
      slot += (byte & 127) << shift;
      if (byte < 128) break;
    }
    entries.push(slot * KINDS + kinds);
  }
  return lookupIn(tableOf(entries));
}

/** Number of values that the kinds can take. */
const KINDS = 2 ** (32 - HASH_BITS);

/** Hash table with open addressing: an entry is in the first free place from its slot on. */
function tableOf(entries: readonly number[]): Uint32Array {
  const table = new Uint32Array(2 ** Math.ceil(Math.log2(entries.length * 1.5 + 1)));
  for (const entry of entries) {
    let place = Math.floor(entry / KINDS) & (table.length - 1);
    while (table[place] !== 0) place = (place + 1) & (table.length - 1);
    table[place] = entry;
  }
  return table;
}

function lookupIn(table: Uint32Array): Lookup {
  const last = table.length - 1;
  return (lower) => {
    const slot = slotOf(lower);
    for (let place = slot & last; ; place = (place + 1) & last) {
      const entry = table[place] as number;
      if (entry === 0) return 0;
      if (entry >>> (32 - HASH_BITS) === slot) return entry & (KINDS - 1);
    }
  };
}

function slotOf(word: string): number {
  return hashText(word) >>> (32 - HASH_BITS);
}

/** True if a word is a form of a common word, or ends with one, as compound nouns do. */
export function isMadeOfCommon(word: string, lookup: Lookup): boolean {
  const lower = word.replace(/[äöü]/g, (letter) => PLAIN_LETTERS.get(letter) ?? letter);
  if (isForm(lower, SHORTEST_FORM, lookup) || isForm(word, SHORTEST_FORM, lookup)) return true;
  for (let start = 3; start <= lower.length - SHORTEST_PART; start++) {
    if (isForm(lower.slice(start), SHORTEST_PART, lookup)) return true;
  }
  return false;
}

const PLAIN_LETTERS: ReadonlyMap<string, string> = new Map([
  ["ä", "a"],
  ["ö", "o"],
  ["ü", "u"],
]);
const SHORTEST_FORM = 4;
const SHORTEST_PART = 5;
const MAX_ENDING_LENGTH = 2;

/** True if a word is common, with or without its ending. */
function isForm(word: string, shortest: number, lookup: Lookup): boolean {
  for (let length = word.length; length >= Math.max(shortest, word.length - MAX_ENDING_LENGTH); length--) {
    if ((lookup(word.slice(0, length)) & COMMON) > 0) return true;
  }
  return false;
}
