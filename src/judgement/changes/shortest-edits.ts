import type { LineEdits, NumberedLines } from "./numbered-lines.ts";

/** A part of both versions: lines from `start` to before `end` of the one and of the other. */
interface Box {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly nowStart: number;
  readonly nowEnd: number;
}

/** A point on a shortest way through a box: so many lines of each version are before it. */
interface Point {
  readonly old: number;
  readonly now: number;
}

/**
 * The fewest edits that make one version the other, by Myers' method in linear space: a point in the middle of a
 * shortest way is sought from both ends, and both halves are treated alike (E. Myers, "An O(ND) Difference Algorithm and
 * Its Variations", 1986). Where several ways are as short, it goes as git does.
 * @returns undefined once the time limit is over.
 */
export function shortestEdits(lines: NumberedLines, timeLimitMs: number): LineEdits | undefined {
  const { before, after } = lines;
  const removed = before.map(() => false);
  const added = after.map(() => false);
  const search = new MiddleSearch(lines, performance.now() + timeLimitMs);
  const boxes: Box[] = [{ oldStart: 0, oldEnd: before.length, nowStart: 0, nowEnd: after.length }];
  for (let box = boxes.pop(); box; box = boxes.pop()) {
    const { oldStart, oldEnd, nowStart, nowEnd } = withoutEqualEnds(box, lines);
    if (oldStart === oldEnd) added.fill(true, nowStart, nowEnd);
    else if (nowStart === nowEnd) removed.fill(true, oldStart, oldEnd);
    else {
      const middle = search.find({ oldStart, oldEnd, nowStart, nowEnd });
      if (!middle) return undefined;
      boxes.push({ oldStart: middle.old, oldEnd, nowStart: middle.now, nowEnd });
      boxes.push({ oldStart, oldEnd: middle.old, nowStart, nowEnd: middle.now });
    }
  }
  return { removed, added };
}

function withoutEqualEnds({ oldStart, oldEnd, nowStart, nowEnd }: Box, lines: NumberedLines): Box {
  const { before, after } = lines;
  let [top, bottom] = [0, 0];
  const room = Math.min(oldEnd - oldStart, nowEnd - nowStart);
  while (top < room && before[oldStart + top] === after[nowStart + top]) top += 1;
  while (bottom < room - top && before[oldEnd - 1 - bottom] === after[nowEnd - 1 - bottom]) bottom += 1;
  return {
    oldStart: oldStart + top,
    oldEnd: oldEnd - bottom,
    nowStart: nowStart + top,
    nowEnd: nowEnd - bottom,
  };
}

/** Diagonals from `low` to `high`, and how far on each one the ways of the present length reach. */
interface Frontier {
  low: number;
  high: number;
  readonly reach: Int32Array;
}

const FAR = 0x7fffffff;
/** Rounds between two looks at the clock. */
const ROUNDS = 16;

/** Looks for the middle of shortest ways, with the same memory for all boxes. Diagonals are `old - now`. */
class MiddleSearch {
  readonly #lines: NumberedLines;
  readonly #endsAtMs: number;
  readonly #forward: Int32Array;
  readonly #backward: Int32Array;
  /** Index of diagonal 0. */
  readonly #zero: number;

  constructor(lines: NumberedLines, endsAtMs: number) {
    const size = lines.before.length + lines.after.length + 3;
    this.#lines = lines;
    this.#endsAtMs = endsAtMs;
    this.#forward = new Int32Array(size);
    this.#backward = new Int32Array(size);
    this.#zero = lines.after.length + 1;
  }

  /** @returns undefined once the time is over. */
  find(box: Box): Point | undefined {
    const first = box.oldStart - box.nowStart;
    const last = box.oldEnd - box.nowEnd;
    const forward: Frontier = { low: first, high: first, reach: this.#forward };
    const backward: Frontier = { low: last, high: last, reach: this.#backward };
    forward.reach[this.#zero + first] = box.oldStart;
    backward.reach[this.#zero + last] = box.oldEnd;
    const isOdd = ((first - last) & 1) !== 0;
    for (let round = 0; ; round += 1) {
      if (round % ROUNDS === 0 && performance.now() > this.#endsAtMs) return undefined;
      this.#widen(forward, box, -1);
      const met = this.#goForward(forward, isOdd ? backward : undefined, box);
      if (met) return met;
      this.#widen(backward, box, FAR);
      const found = this.#goBackward(backward, isOdd ? undefined : forward, box);
      if (found) return found;
    }
  }

  /** One diagonal more on each side, or one less where the box ends. */
  #widen(frontier: Frontier, { oldStart, oldEnd, nowStart, nowEnd }: Box, outside: number): void {
    const { reach } = frontier;
    if (frontier.low > oldStart - nowEnd) {
      frontier.low -= 1;
      reach[this.#zero + frontier.low - 1] = outside;
    } else frontier.low += 1;
    if (frontier.high < oldEnd - nowStart) {
      frontier.high += 1;
      reach[this.#zero + frontier.high + 1] = outside;
    } else frontier.high -= 1;
  }

  /** One edit further on each diagonal. @returns where a way meets those from the other end. */
  #goForward({ low, high, reach }: Frontier, meets: Frontier | undefined, box: Box): Point | undefined {
    const { before, after } = this.#lines;
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const at = this.#zero + diagonal;
      const [left = 0, right = 0] = [reach[at - 1], reach[at + 1]];
      let old = left >= right ? left + 1 : right;
      while (old < box.oldEnd && old - diagonal < box.nowEnd && before[old] === after[old - diagonal])
        old += 1;
      reach[at] = old;
      if (meets && isWithin(diagonal, meets) && (meets.reach[at] ?? FAR) <= old) {
        return { old, now: old - diagonal };
      }
    }
    return undefined;
  }

  #goBackward({ low, high, reach }: Frontier, meets: Frontier | undefined, box: Box): Point | undefined {
    const { before, after } = this.#lines;
    for (let diagonal = high; diagonal >= low; diagonal -= 2) {
      const at = this.#zero + diagonal;
      const [left = 0, right = 0] = [reach[at - 1], reach[at + 1]];
      let old = left < right ? left : right - 1;
      while (
        old > box.oldStart &&
        old - diagonal > box.nowStart &&
        before[old - 1] === after[old - diagonal - 1]
      )
        old -= 1;
      reach[at] = old;
      if (meets && isWithin(diagonal, meets) && old <= (meets.reach[at] ?? -1)) {
        return { old, now: old - diagonal };
      }
    }
    return undefined;
  }
}

function isWithin(diagonal: number, { low, high }: Frontier): boolean {
  return low <= diagonal && diagonal <= high;
}
