import type { AttributeTable } from "./attribute-table.ts";
import { hashOf, isNameAt, lowerCase, NAME_BREAK, nextHash } from "./characters.ts";
import { AttributeScanner } from "./scan-attributes.ts";
import { tagNames, UNKNOWN } from "./tree.ts";

const GREATER = 62;
const SLOTS = 1024;

/** Tag ids by hash of the name, in the next free slot on a clash; 0 is an empty slot. */
const idBySlot: Uint8Array = fillSlots();

/** Reads one tag at a time without allocating. The fields describe the last tag. */
export class TagReader {
  tag = 0;
  /** Hash of the lower-case name, which tells unknown names apart. */
  hash = 0;
  nameEnd = 0;
  /** Offset after the tag. */
  next = 0;
  /** False when the input ended inside the tag. */
  closed = false;
  selfClosing = false;
  readonly #source: string;
  readonly #table: AttributeTable;
  readonly #attributes: AttributeScanner;

  constructor(source: string, table: AttributeTable) {
    this.#source = source;
    this.#table = table;
    this.#attributes = new AttributeScanner(source, table);
  }

  /** Reads the tag whose name begins at `from`, and appends its attributes to the table. */
  read(from: number): void {
    this.#readName(from);
    this.#table.beginTag();
    if (this.nameEnd < this.#source.length && this.#source.charCodeAt(this.nameEnd) === GREATER) {
      this.closed = true;
      this.selfClosing = false;
      this.next = this.nameEnd + 1;
      return;
    }
    const attributes = this.#attributes;
    attributes.scan(this.nameEnd);
    this.closed = attributes.closed;
    this.selfClosing = attributes.selfClosing;
    this.next = attributes.position;
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

function fillSlots(): Uint8Array {
  const slots = new Uint8Array(SLOTS);
  tagNames.forEach((name, id) => {
    if (id <= UNKNOWN) return;
    let slot = hashOf(name) & (SLOTS - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    slots[slot] = id;
  });
  return slots;
}
