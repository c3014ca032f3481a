import type { OutlineLine } from "./fold-tree.ts";

/** How many equal neighbours are shown: the default first, then fewer until all fits. */
const SHOWN_REPEATS = [20, 10, 5, 3] as const;

/**
 * Lines as indented text of at most so many bytes. Long lists are cut first, with a count of what is left out; what
 * still does not fit then is left out at the end, and said so.
 */
export function writeLines(lines: readonly OutlineLine[], maxBytes: number): string {
  for (const shown of SHOWN_REPEATS) {
    const text = linesOf(lines, shown, 0).join("\n");
    if (Buffer.byteLength(text) <= maxBytes) return text;
  }
  return cutText(linesOf(lines, SHOWN_REPEATS.at(-1) ?? 1, 0), maxBytes);
}

/** Lines that contain the words, with what surrounds them. */
export function findLines(lines: readonly OutlineLine[], words: string, most: number): readonly string[] {
  const wanted = words.toLowerCase();
  const all = linesOf(lines, Number.POSITIVE_INFINITY, 0);
  return all.filter((line) => line.toLowerCase().includes(wanted)).slice(0, most);
}

function linesOf(lines: readonly OutlineLine[], shown: number, depth: number): readonly string[] {
  const written: string[] = [];
  for (const run of runsOf(lines)) {
    const kept = run.slice(0, shown + 1).length > shown ? run.slice(0, shown) : run;
    for (const line of kept) {
      written.push(`${" ".repeat(depth)}${line.text}`, ...linesOf(line.below, shown, depth + 1));
    }
    const left = run.length - kept.length;
    if (left > 0) written.push(`${" ".repeat(depth)}… ${left} more ${run[0]?.role ?? ""}`);
  }
  return written;
}

/** Neighbours of the same role. */
function runsOf(lines: readonly OutlineLine[]): readonly (readonly OutlineLine[])[] {
  const runs: OutlineLine[][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last?.[0]?.role === line.role) last.push(line);
    else runs.push([line]);
  }
  return runs;
}

const CUT = "… the rest of the page is left out: use find to look for words in it";

function cutText(lines: readonly string[], maxBytes: number): string {
  let leftBytes = maxBytes - Buffer.byteLength(CUT) - 1;
  const fitting: string[] = [];
  for (const line of lines) {
    leftBytes -= Buffer.byteLength(line) + 1;
    if (leftBytes < 0) break;
    fitting.push(line);
  }
  return [...fitting, CUT].join("\n");
}
