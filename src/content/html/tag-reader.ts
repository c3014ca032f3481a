import { isNameAt, lowerCase, NAME_BREAK } from "./characters.ts";
import { AttributeCursor } from "./scan-attributes.ts";
import { tagNames, UNKNOWN } from "./tree.ts";

const GREATER = 62;
const SLOTS = 1024;

/** Tag ids by hash of the name, next free slot on a clash; 0 is an empty slot. */
const idBySlot: Uint8Array = fillSlots();

/** Reads one tag at a time without allocating; the fields hold the last one read. */
export class TagReader {
  tag = 0;
  /** Hash of the lower-case name; tells unknown names apart. */
  hash = 0;
  nameEnd = 0;
  /** Where the attributes end: the offset of `>`. */
  stop = 0;
  /** Offset after the tag. */
  next = 0;
  /** False when the input ended inside the tag. */
  closed = false;
  selfClosing = false;
  readonly #source: string;
  readonly #cursor: AttributeCursor;

  constructor(source: string) {
    this.#source = source;
    this.#cursor = new AttributeCursor(source, source.length);
  }

  /** Reads the tag whose name begins at `from`. */
  read(from: number): void {
    this.#readName(from);
    if (this.nameEnd < this.#source.length && this.#source.charCodeAt(this.nameEnd) === GREATER) {
      this.closed = true;
      this.selfClosing = false;
      this.stop = this.nameEnd;
      this.next = this.nameEnd + 1;
      return;
    }
    const cursor = this.#cursor;
    cursor.startAt(this.nameEnd);
    while (cursor.next());
    this.closed = cursor.closed;
    this.selfClosing = cursor.selfClosing;
    this.next = cursor.position;
    this.stop = cursor.position - 1;
  }

  #readName(from: number): void {
    const source = this.#source;
    const { length } = source;
    let at = from;
    let hash = 0;
    while (at < length) {
      const code = source.charCodeAt(at);
      if (code <= GREATER && NAME_BREAK[code] === 1) break;
      hash = nextHash(hash, lowerCase(code));
      at++;
    }
    this.hash = hash;
    this.nameEnd = at;
    this.tag = findTag(source, from, at, hash);
  }
}

function findTag(source: string, from: number, to: number, hash: number): number {
  for (let slot = hash & (SLOTS - 1); ; slot = (slot + 1) & (SLOTS - 1)) {
    const id = idBySlot[slot] ?? 0;
    if (id === 0) return UNKNOWN;
    const name = tagNames[id] ?? "";
    if (name.length === to - from && isNameAt(source, from, name)) return id;
  }
}

function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 33) + code) | 0;
}

function fillSlots(): Uint8Array {
  const slots = new Uint8Array(SLOTS);
  tagNames.forEach((name, id) => {
    if (id <= UNKNOWN) return;
    let hash = 0;
    for (let i = 0; i < name.length; i++) hash = nextHash(hash, name.charCodeAt(i));
    let slot = hash & (SLOTS - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    slots[slot] = id;
  });
  return slots;
}
