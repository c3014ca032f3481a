import type { TextDifference } from "@pergamon-dev/server/history/operator/text-difference";

/** A line of one or both of two texts. A gap leaves lines out that are the same. */
interface Line {
  readonly kind: "same" | "removed" | "added" | "gap";
  readonly text: string;
  /** Its number in the text before, and after. */
  readonly a?: number | undefined;
  readonly b?: number | undefined;
}

/** More lines are slow to draw; what they were made from has all of them. */
const MAX_LINES = 3000;
const SIGNS = { same: "", removed: "-", added: "+" } as const;
const CLASSES = { same: "", removed: "del", added: "add" } as const;

interface DifferenceLinesProps {
  readonly label: string;
  readonly lines: readonly Line[];
  /** Lines are missing at the end. */
  readonly isCut?: boolean;
}

/** How two texts differ: line by line, and within changed lines word by word. */
export function DifferenceLines({ label, lines, isCut = false }: DifferenceLinesProps) {
  const shown = lines.slice(0, MAX_LINES);
  const others = counterparts(shown);
  return (
    <div class="diff" role="region" aria-label={label} tabIndex={0}>
      {shown.map(({ kind, text, a, b }, index) =>
        kind === "gap" ? (
          <div key={index} class="gap">
            …
          </div>
        ) : (
          <div key={index} class={CLASSES[kind]}>
            <i>{a}</i>
            <i>{b}</i>
            <b aria-hidden="true">{SIGNS[kind]}</b>
            {kind !== "same" && <span class="unseen">{kind}: </span>}
            <span class="wrap foreign">
              <ChangedWords text={text} other={others.get(index)} />
            </span>
          </div>
        ),
      )}
      {(isCut || shown.length < lines.length) && <div class="gap">The list of differences is truncated.</div>}
    </div>
  );
}

/** The lines of differences that the service has found. */
export function linesOfHunks(hunks: TextDifference["hunks"]): readonly Line[] {
  return hunks.flatMap(({ aLine, bLine, lines }, index): readonly Line[] => {
    let [a, b] = [aLine, bLine];
    const numbered = lines.map(({ kind, text }) => ({
      kind,
      text,
      a: kind === "added" ? undefined : a++,
      b: kind === "removed" ? undefined : b++,
    }));
    return index === 0 ? numbered : [{ kind: "gap", text: "" }, ...numbered];
  });
}

const HEAD = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/** The lines of a unified diff. */
export function linesOfDiff(diff: string): readonly Line[] {
  const lines: Line[] = [];
  let [a, b] = [0, 0];
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const [, aLine, bLine] = HEAD.exec(line) ?? [];
    const text = line.slice(1);
    if (aLine !== undefined) {
      [a, b] = [Number(aLine), Number(bLine)];
      if (lines.length > 0) lines.push({ kind: "gap", text: "" });
    } else if (a === 0 && b === 0) continue;
    else if (line.startsWith("-")) lines.push({ kind: "removed", text, a: a++ });
    else if (line.startsWith("+")) lines.push({ kind: "added", text, b: b++ });
    else if (!line.startsWith("\\")) lines.push({ kind: "same", text, a: a++, b: b++ });
  }
  return lines;
}

/** Each removed line with the one that was added in its place, and the other way round. */
function counterparts(lines: readonly Line[]): ReadonlyMap<number, string> {
  const others = new Map<number, string>();
  let removed: number[] = [];
  for (const [index, { kind, text }] of lines.entries()) {
    if (kind === "removed") removed.push(index);
    else if (kind === "added") {
      const other = removed.shift();
      if (other === undefined) continue;
      others.set(index, lines[other]?.text ?? "");
      others.set(other, text);
    } else removed = [];
  }
  return others;
}

/** A text whose words that another one lacks are marked. */
function ChangedWords({ text, other }: { readonly text: string; readonly other: string | undefined }) {
  if (other === undefined) return <>{text}</>;
  const words = text.split(/(?<=\s)|(?=\s)/);
  const isKept = keptWords(words, other.split(/(?<=\s)|(?=\s)/));
  // Where little is the same, the whole line is another one.
  const kept = words.filter((word, index) => isKept[index] && word.trim() !== "").length;
  if (kept * 3 < words.filter((word) => word.trim() !== "").length) return <>{text}</>;
  return <>{words.map((word, index) => (isKept[index] ? word : <mark key={index}>{word}</mark>))}</>;
}

/** Longer lines are compared from both ends alone. */
const MAX_WORDS = 300;

/** For each word, whether it is part of the longest run of words that both have. */
function keptWords(words: readonly string[], others: readonly string[]): readonly boolean[] {
  const isEqual = (index: number, other: number) => words[index] === others[other];
  const shorter = Math.min(words.length, others.length);
  let head = 0;
  while (head < shorter && isEqual(head, head)) head += 1;
  let tail = 0;
  while (tail < shorter - head && isEqual(words.length - 1 - tail, others.length - 1 - tail)) tail += 1;
  const kept = words.map((_, index) => index < head || index >= words.length - tail);
  const [ends, otherEnds] = [words.length - tail, others.length - tail];
  if (Math.max(ends, otherEnds) - head > MAX_WORDS) return kept;
  // Lengths of the longest common runs from each pair of words on.
  const width = otherEnds - head + 1;
  const lengths = new Uint16Array((ends - head + 1) * width);
  const at = (index: number, other: number) => (index - head) * width + other - head;
  for (let index = ends - 1; index >= head; index -= 1)
    for (let other = otherEnds - 1; other >= head; other -= 1)
      lengths[at(index, other)] = isEqual(index, other)
        ? (lengths[at(index + 1, other + 1)] ?? 0) + 1
        : Math.max(lengths[at(index + 1, other)] ?? 0, lengths[at(index, other + 1)] ?? 0);
  for (let [index, other] = [head, head]; index < ends && other < otherEnds;)
    if (isEqual(index, other)) [kept[index++], other] = [true, other + 1];
    else if ((lengths[at(index + 1, other)] ?? 0) >= (lengths[at(index, other + 1)] ?? 0)) index += 1;
    else other += 1;
  return kept;
}
