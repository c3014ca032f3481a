import { type Line, lineOf } from "./page/line.ts";
import type { ContentsPart } from "./tables/contents.ts";

/** In em. Values stand at most this far from their labels, and on their baseline. */
const MAX_GAP = 18;
const SAME_BASE = 0.25;
const MAX_LABEL_WORDS = 5;
const SAME_SIZE = 0.1;
/** In points. Values below each other begin within this distance. */
const SAME_START = 1.5;
/** In em. Further lines of a value are this close, and pairs that belong together. */
const MAX_PITCH = 1.6;
const MAX_DISTANCE = 2.5;
/** Pages with more lines are not searched, as each label is compared with all lines. */
const MAX_LINES = 3000;

/** A label and its value on one line. */
interface Pair {
  readonly line: Line;
  readonly labelEnd: number;
  readonly valueStart: number;
  readonly isParted: boolean;
}

/**
 * Labels that end in a colon, each with its value beside it and the value's further lines. A label alone beside running text is
 * a heading of its margin; one that no gap parts from its value is a label where other values begin at the same place.
 */
export function labelledValues(lines: readonly Line[]): readonly ContentsPart[] {
  const mayHave = lines.some(({ words }) => words.some(({ text }) => isLabel(text)));
  if (!mayHave || lines.length > MAX_LINES) return [];
  const pairs = lines.flatMap((line) => partedPair(line, lines) ?? wholePair(line) ?? []);
  const taken = new Set(pairs.flatMap(({ line }) => line.words));
  const others = lines.filter(({ words: [word] }) => word && !taken.has(word));
  return pairs.flatMap((pair) => {
    const more = furtherLines(pair, others);
    const isOneOfSeveral = pairs.some((other) => belongTogether(pair, other));
    if (!isOneOfSeveral && (!pair.isParted || more.length > 0 || endsText(pair, others))) return [];
    return [{ lines: [pair.line, ...more], isEntry: true }];
  });
}

function isLabel(text: string): boolean {
  const end = text.at(-1);
  return end === ":" || end === "：";
}

/** Words of a line may run from the right. */
function mayBeLabel({ words }: Line): boolean {
  return isLabel(words[0]?.text ?? "") || isLabel(words.at(-1)?.text ?? "");
}

function partedPair(label: Line, lines: readonly Line[]): Pair | undefined {
  if (!mayBeLabel(label) || !isLabel(label.text) || !/\p{L}/u.test(label.text)) return undefined;
  const isBeside = ({ x0, base }: Line) =>
    x0 >= label.x1 &&
    x0 - label.x1 < MAX_GAP * label.size &&
    Math.abs(base - label.base) < SAME_BASE * label.size;
  const [value] = lines.filter(isBeside).toSorted((a, b) => a.x0 - b.x0);
  if (!value || isLabel(value.text) || label.words.length > MAX_LABEL_WORDS) return undefined;
  if (Math.abs(value.size - label.size) > SAME_SIZE * label.size) return undefined;
  const line = lineOf([...label.words, ...value.words]);
  return { line, labelEnd: label.x1, valueStart: value.x0, isParted: true };
}

function wholePair(line: Line): Pair | undefined {
  const at = line.words.findIndex(({ text }) => isLabel(text));
  const [label, value] = [line.words[at], line.words[at + 1]];
  if (!label || !value || value.isGlued || at >= MAX_LABEL_WORDS) return undefined;
  return { line, labelEnd: label.x1, valueStart: value.x0, isParted: false };
}

/** True for values that begin below each other, with gaps or where their labels begin or end elsewhere. */
function belongTogether(a: Pair, b: Pair): boolean {
  const isNear = Math.abs(a.line.base - b.line.base) < MAX_DISTANCE * a.line.size;
  const isSameStart = Math.abs(a.valueStart - b.valueStart) < SAME_START;
  const isAligned =
    (a.isParted && b.isParted) ||
    Math.abs(a.labelEnd - b.labelEnd) > SAME_START ||
    Math.abs(a.line.x0 - b.line.x0) > SAME_START;
  return a !== b && isNear && isSameStart && isAligned;
}

/** True where the value is the last line of a text. */
function endsText({ line: { base, size }, valueStart }: Pair, lines: readonly Line[]): boolean {
  return lines.some(
    (before) =>
      before.base < base &&
      base - before.base < MAX_PITCH * size &&
      Math.abs(before.x0 - valueStart) < SAME_START,
  );
}

function furtherLines({ line, valueStart }: Pair, lines: readonly Line[]): readonly Line[] {
  const more: Line[] = [];
  let last: Line | undefined = line;
  while (last) {
    const { base, size }: Line = last;
    last = lines.find(
      (next) =>
        next.base > base &&
        next.base - base < MAX_PITCH * size &&
        Math.abs(next.x0 - valueStart) < SAME_START,
    );
    if (last) more.push(last);
  }
  return more;
}
