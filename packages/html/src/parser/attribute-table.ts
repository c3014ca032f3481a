/** Maximum attributes kept per tag. A tag with more is hostile. */
const PER_TAG_MAX = 1024;

/** Average characters per attribute on ordinary pages, rounded down so that the table rarely grows. */
const CHARACTERS_PER_ATTRIBUTE = 48;

/** All attributes of a page in source order, as source offsets. Repeated names are kept. */
export class AttributeTable {
  size = 0;
  /** Hash of the lower-case name. */
  hash: Int32Array;
  nameStart: Int32Array;
  nameEnd: Int32Array;
  valueStart: Int32Array;
  /** Exclusive end; equal to `valueStart` when there is no value. */
  valueEnd: Int32Array;
  #tagStart = 0;

  constructor(sourceLength: number) {
    const capacity = 64 + Math.floor(sourceLength / CHARACTERS_PER_ATTRIBUTE);
    this.hash = new Int32Array(capacity);
    this.nameStart = new Int32Array(capacity);
    this.nameEnd = new Int32Array(capacity);
    this.valueStart = new Int32Array(capacity);
    this.valueEnd = new Int32Array(capacity);
  }

  /** Begins a tag. `dropTag` returns to this state. */
  beginTag(): void {
    this.#tagStart = this.size;
  }

  /** Removes the attributes of the last tag. */
  dropTag(): void {
    this.size = this.#tagStart;
  }

  /** Number of the first attribute of the last tag. */
  get tagStart(): number {
    return this.#tagStart;
  }

  /**
   * Appends an attribute without a value, which `setValue` can add. Returns false when the tag has too many.
   */
  addName(hash: number, start: number, end: number): boolean {
    if (this.size - this.#tagStart >= PER_TAG_MAX) return false;
    if (this.size === this.hash.length) this.#grow(this.size * 2);
    const index = this.size++;
    this.hash[index] = hash;
    this.nameStart[index] = start;
    this.nameEnd[index] = end;
    this.valueStart[index] = end;
    this.valueEnd[index] = end;
    return true;
  }

  /** Sets the value of the last attribute. */
  setValue(start: number, end: number): void {
    this.valueStart[this.size - 1] = start;
    this.valueEnd[this.size - 1] = end;
  }

  #grow(capacity: number): void {
    this.hash = enlarged(this.hash, capacity);
    this.nameStart = enlarged(this.nameStart, capacity);
    this.nameEnd = enlarged(this.nameEnd, capacity);
    this.valueStart = enlarged(this.valueStart, capacity);
    this.valueEnd = enlarged(this.valueEnd, capacity);
  }
}

export function enlarged(table: Int32Array, capacity: number): Int32Array {
  const larger = new Int32Array(capacity);
  larger.set(table);
  return larger;
}
