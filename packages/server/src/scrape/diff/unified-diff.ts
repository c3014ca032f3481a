import { type LineEdits, lineEdits } from "./line-edits.ts";

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
export interface DiffHunk {
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
