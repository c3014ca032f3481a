import { diffArrays } from "diff";

/** Lines that stay are shown so far around an edit. */
const CONTEXT_LINES = 3;
const NO_NEWLINE = "\\ No newline at end of file";

/** Two versions of a text. */
export interface TextVersions {
  readonly before: string;
  readonly after: string;
}

/**
 * What changed, as `git diff` shows it, without the header of the file. Empty when nothing did.
 * @param timeLimitMs when finding the smallest diff takes longer, a larger one is given that is as true.
 */
export function unifiedDiff(versions: TextVersions, timeLimitMs: number): string {
  const { old, now, hunks } = compare(versions, timeLimitMs);
  return hunks.map((hunk) => hunkText(hunk, old, now)).join("");
}

/** Lines that changed, with those around them. */
interface DiffHunk {
  /** Of its first line in both versions, from 0 on. */
  readonly beforeLine: number;
  readonly afterLine: number;
  /** Without the ends of lines. */
  readonly lines: readonly { readonly sign: " " | "-" | "+"; readonly text: string }[];
}

/** The same as data. @param timeLimitMs as above. */
export function diffHunks(versions: TextVersions, timeLimitMs: number): readonly DiffHunk[] {
  const { old, now, hunks } = compare(versions, timeLimitMs);
  return hunks.map((hunk) => ({
    beforeLine: hunk[0]?.old ?? 0,
    afterLine: hunk[0]?.now ?? 0,
    lines: hunk.map((step) => ({
      sign: step.sign,
      text: ((step.sign === "+" ? now[step.now] : old[step.old]) ?? "").replace(/\n$/, ""),
    })),
  }));
}

function compare({ before, after }: TextVersions, timeLimitMs: number) {
  const [old, now] = [linesOf(before), linesOf(after)];
  const numbers = numbered([...old, ...now]);
  const lines = { before: numbers.slice(0, old.length), after: numbers.slice(old.length) };
  return { old, now, hunks: hunksOf(stepsOf(lineEdits(lines, timeLimitMs))) };
}

/** The lines with their ends, as a last line without one differs from the same line with one. */
function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function numbered(lines: readonly string[]): readonly number[] {
  const known = new Map<string, number>();
  return lines.map((line) => {
    const number = known.get(line) ?? known.size;
    known.set(line, number);
    return number;
  });
}

/** One line of the diff, and where it is in both versions. */
interface Step {
  readonly sign: " " | "-" | "+";
  readonly old: number;
  readonly now: number;
}

function stepsOf({ removed, added }: LineEdits): readonly Step[] {
  const steps: Step[] = [];
  let [old, now] = [0, 0];
  while (old < removed.length || now < added.length) {
    const sign = removed[old] ? "-" : added[now] ? "+" : " ";
    steps.push({ sign, old, now });
    if (sign !== "+") old += 1;
    if (sign !== "-") now += 1;
  }
  return steps;
}

/** Edits with the lines around them; those that would touch are one. */
function hunksOf(steps: readonly Step[]): readonly (readonly Step[])[] {
  const ranges: { start: number; end: number }[] = [];
  for (const [at, { sign }] of steps.entries()) {
    if (sign === " ") continue;
    const last = ranges.at(-1);
    const start = Math.max(0, at - CONTEXT_LINES);
    const end = Math.min(steps.length, at + CONTEXT_LINES + 1);
    if (last && start <= last.end) last.end = end;
    else ranges.push({ start, end });
  }
  return ranges.map(({ start, end }) => steps.slice(start, end));
}

function hunkText(hunk: readonly Step[], old: readonly string[], now: readonly string[]): string {
  const [first] = hunk;
  if (!first) return "";
  const oldCount = hunk.filter(({ sign }) => sign !== "+").length;
  const nowCount = hunk.filter(({ sign }) => sign !== "-").length;
  const head = `@@ -${range(first.old, oldCount)} +${range(first.now, nowCount)} @@\n`;
  const body = hunk.map((step) =>
    shown(step.sign, (step.sign === "+" ? now[step.now] : old[step.old]) ?? ""),
  );
  return head + body.join("");
}

/** Counted from 1; nothing is behind the line before it. */
function range(start: number, count: number): string {
  if (count === 0) return `${start},0`;
  return count === 1 ? String(start + 1) : `${start + 1},${count}`;
}

function shown(sign: string, line: string): string {
  return line.endsWith("\n") ? sign + line : `${sign}${line}\n${NO_NEWLINE}\n`;
}

/** Marks on the lines of two versions: those that are gone, and those that are new. */
interface LineEdits {
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
function lineEdits({ before, after }: NumberedLines, timeLimitMs: number): LineEdits {
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
