import { diffArrays } from "diff";

/** Number of unchanged lines around an edit. */
const CONTEXT_LINES = 3;
const NO_NEWLINE = "\\ No newline at end of file";

export interface TextVersions {
  readonly before: string;
  readonly after: string;
}

/**
 * Changes in the format of `git diff`, without the file header. Empty when the versions are equal.
 * @param timeLimitMs when the smallest diff takes longer, the result is a larger diff that is still correct.
 */
export function unifiedDiff(versions: TextVersions, timeLimitMs: number): string {
  const { old, now, hunks } = compare(versions, timeLimitMs);
  return hunks.map((hunk) => hunkText(hunk, old, now)).join("");
}

/** Changed lines with the unchanged ones around them. */
interface DiffHunk {
  /** Number of its first line in each version, from 0. */
  readonly beforeLine: number;
  readonly afterLine: number;
  /** Lines without line ends. */
  readonly lines: readonly { readonly sign: " " | "-" | "+"; readonly text: string }[];
}

/** The same diff as data. @param timeLimitMs as above. */
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

/** Lines with their ends, because a last line without an end differs from the same line with one. */
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

/** One line of the diff, with its line numbers in both versions. */
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

/** Groups edits with their context. Hunks that would touch become one. */
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

/** Range of a hunk header, counted from 1. An empty range names the line before it. */
function range(start: number, count: number): string {
  if (count === 0) return `${start},0`;
  return count === 1 ? String(start + 1) : `${start + 1},${count}`;
}

function shown(sign: string, line: string): string {
  return line.endsWith("\n") ? sign + line : `${sign}${line}\n${NO_NEWLINE}\n`;
}

/** Marks on the lines of two versions: removed lines, and added lines. */
interface LineEdits {
  readonly removed: readonly boolean[];
  readonly added: readonly boolean[];
}

/** Lines of two versions as numbers. Equal lines have equal numbers. */
interface NumberedLines {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/**
 * Maximum edits between two anchors, which take some 100 ms. Beyond that, all lines between them count as
 * replaced.
 */
const MAX_EDITS = 2000;

/**
 * Finds the removed and the added lines. Lines that occur once in each version, in the same order, are
 * anchors and stay. Between anchors this searches for the fewest edits, as long as that is cheap.
 * @param timeLimitMs when it takes longer, more lines than necessary count as replaced.
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

/** Runs of unchanged lines between two lists of lines without anchors. */
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

/** Longest sequence of lines that occur exactly once in each version and keep their order. */
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

/** Longest subsequence in which `now` rises, by patience sorting. */
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

/** First of the piles for which `holds` is true. The piles are sorted by it. */
function firstPile(count: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
