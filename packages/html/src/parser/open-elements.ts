import type { NodeTable } from "./node-table.ts";
import { INTEGRATION_POINT, type TagSet } from "./tag-traits.ts";
import { DOCUMENT, tagId, UNKNOWN } from "./tree.ts";

/** Deeper elements are flattened: they become childless children of the element at this level. */
const DEPTH_MAX = 512;

const SVG = tagId("svg");
const MATH = tagId("math");

/** The elements open at the current point of a parse. Level 0 is the document. */
export class OpenElements {
  /** Level of the innermost open element. */
  depth = 0;
  readonly #table: NodeTable;
  readonly #nodes = new Int32Array(DEPTH_MAX + 1);
  readonly #tags = new Uint8Array(DEPTH_MAX + 1);
  readonly #hashes = new Int32Array(DEPTH_MAX + 1);
  /** 1 when children are parsed as svg or math. */
  readonly #foreign = new Uint8Array(DEPTH_MAX + 1);
  /** 1 when the end tag came while a block inside was open. The element closes together with that block. */
  readonly #ended = new Uint8Array(DEPTH_MAX + 1);
  /** Number of open elements per tag. */
  readonly #counts = new Uint16Array(256);
  /** Number of flattened elements per tag whose end tag has not come yet. */
  readonly #flattened = new Int32Array(256);
  #flattenedTotal = 0;
  /** The last end tag that changed nothing, while it would still change nothing. */
  #idleTag = -1;
  #idleHash = 0;

  constructor(table: NodeTable) {
    this.#table = table;
    this.#tags[0] = DOCUMENT;
  }

  get node(): number {
    return this.#nodes[this.depth] ?? 0;
  }

  get tag(): number {
    return this.#tags[this.depth] ?? DOCUMENT;
  }

  /** Whether content at this point belongs to svg or math. */
  get foreign(): boolean {
    return this.#foreign[this.depth] === 1;
  }

  has(tag: number): boolean {
    return this.#counts[tag] !== 0;
  }

  tagAt(level: number): number {
    return this.#tags[level] ?? DOCUMENT;
  }

  /** Whether children of the element at a level belong to svg or math. */
  isForeignAt(level: number): boolean {
    return this.#foreign[level] === 1;
  }

  /** Whether the element at a level has this tag. The hash tells unknown names apart. */
  isAt(level: number, tag: number, hash: number): boolean {
    return this.#tags[level] === tag && (tag !== UNKNOWN || this.#hashes[level] === hash);
  }

  push(node: number, tag: number, hash: number): void {
    if (this.depth === DEPTH_MAX) {
      this.#flattened[tag] = (this.#flattened[tag] ?? 0) + 1;
      this.#flattenedTotal++;
      return;
    }
    this.#idleTag = -1;
    const inherited = this.#foreign[this.depth] === 1 && INTEGRATION_POINT[tag] === 0;
    const level = ++this.depth;
    this.#nodes[level] = node;
    this.#tags[level] = tag;
    this.#hashes[level] = hash;
    this.#foreign[level] = inherited || tag === SVG || tag === MATH ? 1 : 0;
    this.#ended[level] = 0;
    this.#counts[tag] = (this.#counts[tag] ?? 0) + 1;
  }

  /** Consumes an end tag that belongs to a flattened element; false when there is none. */
  endFlattened(tag: number): boolean {
    const count = this.#flattened[tag] ?? 0;
    if (this.#flattenedTotal === 0 || count === 0) return false;
    this.#flattened[tag] = count - 1;
    this.#flattenedTotal--;
    return true;
  }

  /** Closes the element at a level and everything inside it. */
  closeFrom(level: number): void {
    this.#idleTag = -1;
    if (this.#flattenedTotal > 0) {
      this.#flattened.fill(0);
      this.#flattenedTotal = 0;
    }
    let lowest = level;
    while (lowest > 1 && this.#ended[lowest - 1] === 1) lowest--;
    const { end, size } = this.#table;
    for (; this.depth >= lowest; this.depth--) {
      const tag = this.tag;
      end[this.node] = size;
      this.#counts[tag] = (this.#counts[tag] ?? 1) - 1;
    }
  }

  /** Records that an end tag changes nothing as long as no element is opened or closed. */
  noteIdle(tag: number, hash: number): void {
    this.#idleTag = tag;
    this.#idleHash = hash;
  }

  isIdle(tag: number, hash: number): boolean {
    return this.#idleTag === tag && this.#idleHash === hash;
  }

  /** Closes the element at a level as soon as nothing inside it is open. */
  closeLater(level: number): void {
    this.#ended[level] = 1;
  }

  /** Closes the innermost (or outermost) element with one of these tags, unless one of the stops hides it. */
  closeNearest(tags: TagSet, stops: TagSet, reach: "innermost" | "outermost"): void {
    let found = 0;
    for (let level = this.depth; level > 0; level--) {
      const tag = this.tagAt(level);
      if (tags[tag] === 1) found = level;
      if (found > 0 && reach === "innermost") break;
      if (tags[tag] === 0 && stops[tag] === 1) break;
    }
    if (found > 0) this.closeFrom(found);
  }

  /** Closes the svg or math element around the innermost element. */
  leaveForeign(): void {
    let level = this.depth;
    while (this.#foreign[level] === 1) level--;
    this.closeFrom(level + 1);
  }
}
