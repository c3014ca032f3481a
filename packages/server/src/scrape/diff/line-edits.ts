import { diffArrays } from "diff";

/** Marks on the lines of two versions: those that are gone, and those that are new. */
export interface LineEdits {
  readonly removed: readonly boolean[];
  readonly added: readonly boolean[];
}

/** Lines of two versions as numbers: equal lines have equal numbers. */
interface NumberedLines {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** Edits between two anchors beyond which all lines there count as replaced: some 100 ms. */
const MAX_EDITS = 2000;

/**
 * Which lines are gone and which are new. Lines that each version has once, in the same order, stay; between them the
 * fewest edits are sought, as long as that is cheap.
 * @param timeLimitMs when it takes longer, more lines than needed count as replaced.
 */
export function lineEdits({ before, after }: NumberedLines, timeLimitMs: number): LineEdits {
  const removed = before.map(() => true);
  const added = after.map(() => true);
  const endsAtMs = performance.now() + timeLimitMs;
  const keep = (old: number, now: number, count = 1) => {
    removed.fill(false, old, old + count);
    added.fill(false, now, now + count);
  };
  const end = { old: before.length, now: after.length };
  let from = { old: 0, now: 0 };
  for (const anchor of [...anchors(before, after), end]) {
    const gap = { before: before.slice(from.old, anchor.old), after: after.slice(from.now, anchor.now) };
    for (const { old, now, count } of equalRuns(gap, endsAtMs)) keep(from.old + old, from.now + now, count);
    if (anchor !== end) keep(anchor.old, anchor.now);
    from = { old: anchor.old + 1, now: anchor.now + 1 };
  }
  return { removed, added };
}

/** Runs of lines that stay, in two lists of lines without anchors. */
function equalRuns({ before, after }: NumberedLines, endsAtMs: number) {
  if (before.length === 0 || after.length === 0) return [];
  const timeout = Math.max(1, endsAtMs - performance.now());
  const changes = diffArrays([...before], [...after], { maxEditLength: MAX_EDITS, timeout }) ?? [];
  const runs: (Anchor & { readonly count: number })[] = [];
  let [old, now] = [0, 0];
  for (const { added, removed, value } of changes) {
    const count = value.length;
    if (!added && !removed) runs.push({ old, now, count });
    if (!added) old += count;
    if (!removed) now += count;
  }
  return runs;
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
