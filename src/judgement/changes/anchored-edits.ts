import type { LineEdits, NumberedLines } from "./numbered-lines.ts";

/**
 * Edits that are found fast in any text: lines that each version has once, in the same order, and what is equal right
 * next to them, stay; everything else counts as replaced.
 */
export function anchoredEdits({ before, after }: NumberedLines): LineEdits {
  const removed = before.map(() => true);
  const added = after.map(() => true);
  function keepAround(old: number, now: number, step: 1 | -1): void {
    let [i, j] = [old, now];
    while (removed[i] && added[j] && before[i] === after[j]) {
      removed[i] = false;
      added[j] = false;
      i += step;
      j += step;
    }
  }
  keepAround(0, 0, 1);
  keepAround(before.length - 1, after.length - 1, -1);
  for (const { old, now } of anchors(before, after)) {
    keepAround(old, now, 1);
    keepAround(old - 1, now - 1, -1);
  }
  return { removed, added };
}

interface Anchor {
  readonly old: number;
  readonly now: number;
}

/** Lines that each version has exactly once: the most of them that have the same order in both. */
function anchors(before: readonly number[], after: readonly number[]): readonly Anchor[] {
  const places = placesOfUnique(after);
  const candidates = [...placesOfUnique(before)].flatMap(([line, old]) => {
    const now = places.get(line);
    return now === undefined ? [] : [{ old, now }];
  });
  return longestRising(candidates);
}

function placesOfUnique(lines: readonly number[]): ReadonlyMap<number, number> {
  const places = new Map<number, number>();
  const repeated = new Set<number>();
  for (const [at, line] of lines.entries()) {
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** The longest part of the list in which `now` rises, by patience sorting. */
function longestRising(list: readonly Anchor[]): readonly Anchor[] {
  interface Card {
    readonly anchor: Anchor;
    readonly below: Card | undefined;
  }
  const piles: Card[] = [];
  for (const anchor of list) {
    const pile = firstPile(piles.length, (at) => (piles[at]?.anchor.now ?? 0) >= anchor.now);
    piles[pile] = { anchor, below: piles[pile - 1] };
  }
  const rising: Anchor[] = [];
  for (let card = piles.at(-1); card; card = card.below) rising.push(card.anchor);
  return rising.toReversed();
}

/** The first of so many piles for which it holds; they are sorted by it. */
function firstPile(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
