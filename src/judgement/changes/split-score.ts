import type { EditedLines } from "./edited-lines.ts";

/** How well lines can be parted at a place: less is better. The indentation counts first. */
interface Score {
  readonly indentation: number;
  readonly penalty: number;
}

/** What is around a place between two lines. Indentations are undefined without a line of text. */
interface Surroundings {
  readonly isEnd: boolean;
  readonly own: number | undefined;
  readonly blanksBefore: number;
  readonly before: number | undefined;
  readonly blanksAfter: number;
  readonly after: number | undefined;
}

/** Weights of git's indent heuristic, fitted by its authors to diffs that people judged (git, `xdiff/xdiffi.c`). */
const PENALTY = {
  startOfFile: 1,
  endOfFile: 21,
  anyBlank: -30,
  blankAfter: 6,
  indent: -4,
  indentWithBlank: 10,
  outdent: 24,
  outdentWithBlank: 17,
  dedent: 23,
  dedentWithBlank: 17,
} as const;
const INDENTATION_WEIGHT = 60;
const MAX_DISTANCE = 100;
const MAX_INDENTATION = 200;
const MAX_BLANKS = 20;
const TAB = 8;

/** Where a run that can end anywhere from `highestEnd` to where it ends now reads best. */
export function bestEnd(side: EditedLines, highestEnd: number, texts: readonly string[]): number {
  const { end } = side.run;
  const { size } = side;
  const textAt = (line: number) => texts[side.lines[line] ?? -1];
  let best: { readonly end: number; readonly score: Score } | undefined;
  for (let at = Math.max(highestEnd, end - size - 1, end - MAX_DISTANCE); at <= end; at += 1) {
    const score = sum(scoreAt(at, side, textAt), scoreAt(at - size, side, textAt));
    if (!best || isAsGood(score, best.score)) best = { end: at, score };
  }
  return best?.end ?? end;
}

type TextAt = (line: number) => string | undefined;

function scoreAt(line: number, { lines }: EditedLines, textAt: TextAt): Score {
  const around = lookAround(line, lines.length, textAt);
  const { isEnd, own, blanksBefore, before, after } = around;
  const blanksAfter = own === undefined ? 1 + around.blanksAfter : 0;
  const blanks = blanksBefore + blanksAfter;
  const indentation = own ?? after;
  const penalty =
    (before === undefined && blanksBefore === 0 ? PENALTY.startOfFile : 0) +
    (isEnd ? PENALTY.endOfFile : 0) +
    PENALTY.anyBlank * blanks +
    PENALTY.blankAfter * blanksAfter +
    stepPenalty({ indentation, before, after }, blanks > 0);
  return { indentation: indentation ?? -1, penalty };
}

function stepPenalty(
  step: Pick<Surroundings, "before" | "after"> & { readonly indentation: number | undefined },
  hasBlank: boolean,
): number {
  const { indentation, before, after } = step;
  if (indentation === undefined || before === undefined || indentation === before) return 0;
  if (indentation > before) return hasBlank ? PENALTY.indentWithBlank : PENALTY.indent;
  if (after !== undefined && after > indentation) {
    return hasBlank ? PENALTY.outdentWithBlank : PENALTY.outdent;
  }
  return hasBlank ? PENALTY.dedentWithBlank : PENALTY.dedent;
}

function lookAround(line: number, count: number, textAt: TextAt): Surroundings {
  const isEnd = line >= count;
  const above = nextText(line, -1, textAt);
  const below = nextText(line, 1, textAt);
  return {
    isEnd,
    own: isEnd ? undefined : indentationOf(textAt(line) ?? ""),
    blanksBefore: above.blanks,
    before: above.indentation,
    blanksAfter: below.blanks,
    after: below.indentation,
  };
}

/** The first line with text in this direction, and how many blank ones are before it. */
function nextText(line: number, step: 1 | -1, textAt: TextAt) {
  let blanks = 0;
  for (let at = line + step; ; at += step) {
    const text = textAt(at);
    if (text === undefined) return { blanks, indentation: undefined };
    const indentation = indentationOf(text);
    if (indentation !== undefined) return { blanks, indentation };
    blanks += 1;
    if (blanks === MAX_BLANKS) return { blanks, indentation: 0 };
  }
}

/** Columns of white space before the text; undefined for a blank line. */
function indentationOf(text: string): number | undefined {
  let columns = 0;
  for (const character of text) {
    if (!/\s/.test(character)) return columns;
    if (character === " ") columns += 1;
    else if (character === "\t") columns += TAB - (columns % TAB);
    if (columns >= MAX_INDENTATION) return MAX_INDENTATION;
  }
  return undefined;
}

function sum(a: Score, b: Score): Score {
  return { indentation: a.indentation + b.indentation, penalty: a.penalty + b.penalty };
}

/** Of equal ones the lower place is taken. */
function isAsGood(score: Score, best: Score): boolean {
  const indentation = Math.sign(score.indentation - best.indentation);
  return INDENTATION_WEIGHT * indentation + (score.penalty - best.penalty) <= 0;
}
