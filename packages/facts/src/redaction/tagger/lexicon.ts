import { hashText } from "./hash.ts";

/** What a word is known as: bits of a number. */
export const FIRST_NAME = 1;
export const LAST_NAME = 2;
export const TOWN = 4;
export const COUNTRY = 8;
/** Places that are known all over the world, also those of several words, which a space parts. */
export const KNOWN_PLACE = 16;
/** Words that mean something else than a name in one of the languages. */
export const COMMON = 32;

/** What lists say of a word in lower case: the bits above, 0 for an unknown one. */
export type Lookup = (lower: string) => number;

const HASH_BITS = 24;

/**
 * Words by their hash, which is all that is kept of them: how far each is behind the one before, seven bits a byte, and
 * what they are known as.
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

/** How many numbers the kinds of a word can make. */
const KINDS = 2 ** (32 - HASH_BITS);

/** An open table: an entry is at the first free place from where its slot points to. */
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

/** Whether a word is a form of a common one, or ends with one, as joined nouns do. */
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

/** Whether a word is common, without its ending or with it. */
function isForm(word: string, shortest: number, lookup: Lookup): boolean {
  for (let length = word.length; length >= Math.max(shortest, word.length - MAX_ENDING_LENGTH); length--) {
    if ((lookup(word.slice(0, length)) & COMMON) > 0) return true;
  }
  return false;
}
