import { hashText } from "./hash.ts";

/** What a word is known as: bits of a number. */
export const FIRST_NAME = 1;
export const LAST_NAME = 2;
export const TOWN = 4;
export const COUNTRY = 8;
/** Places that are known all over the world, also those of several words, which a space parts. */
export const KNOWN_PLACE = 16;

/** What lists say of a word in lower case: the bits above, 0 for an unknown one. */
export type Lookup = (lower: string) => number;

const HASH_BITS = 24;
const SLOT_BYTES = 4;

/** Words by their hash, which is all that is kept of them: four bytes each, sorted. */
export function packLexicon(words: ReadonlyMap<string, number>): Uint8Array {
  const entries = new Map<number, number>();
  for (const [word, kinds] of words) entries.set(slotOf(word), (entries.get(slotOf(word)) ?? 0) | kinds);
  const slots = [...entries]
    .map(([slot, kinds]) => slot * 2 ** (32 - HASH_BITS) + kinds)
    .sort((a, b) => a - b);
  const bytes = new Uint8Array(slots.length * SLOT_BYTES);
  const view = new DataView(bytes.buffer);
  slots.forEach((slot, index) => view.setUint32(index * SLOT_BYTES, slot));
  return bytes;
}

export function openLexicon(bytes: Uint8Array): Lookup {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kinds = new Map<number, number>();
  for (let at = 0; at < bytes.byteLength; at += SLOT_BYTES) {
    const slot = view.getUint32(at);
    kinds.set(slot >>> (32 - HASH_BITS), slot & (2 ** (32 - HASH_BITS) - 1));
  }
  return (lower) => kinds.get(slotOf(lower)) ?? 0;
}

function slotOf(word: string): number {
  return hashText(word) >>> (32 - HASH_BITS);
}
