import type { Line } from "../page/line.ts";
import { textOf } from "../page/line-text.ts";
import { startsAsCaption } from "../text/captions.ts";
import { middleX, widthOf } from "../numbers/geometry.ts";
import type { RuleLine } from "./rule-lines.ts";

/** Lines that begin and end no further apart than this, in points, are equally long. */
const SAME_END = 4;
/** Lines that are closer are one line drawn twice. */
const DOUBLE = 4;
const LEAST_WIDTH = 60;
const MAX_RULES = 400;
/** Lines of running text reach over this share of the width, and have so many words. */
const FULL_LINE = 0.7;
const RUNNING_WORDS = 8;

/** What is between two lines of equal length, with lines across between them: as tables are set in print. */
export interface Frame {
  /** What the lines over the whole width part, from top to bottom. */
  readonly sections: readonly (readonly Line[])[];
  /** Lines that reach over some columns only. */
  readonly partial: readonly RuleLine[];
  readonly full: readonly RuleLine[];
}

/** Frames from the top of the page down; none with another in it. */
export function framesOf(rules: readonly RuleLine[], lines: readonly Line[]): Frame[] {
  if (rules.length > MAX_RULES) return [];
  return groupsOf(rules.filter((rule) => rule.x1 - rule.x0 >= LEAST_WIDTH)).flatMap((group) =>
    framesIn(group, rules, lines),
  );
}

/** Lines of the same length below each other. */
function groupsOf(rules: readonly RuleLine[]): RuleLine[][] {
  const groups: RuleLine[][] = [];
  for (const rule of rules) {
    const group = groups.find(([first]) => first !== undefined && isSameLength(first, rule));
    const last = group?.at(-1);
    if (!group) groups.push([rule]);
    else if (last && rule.y - last.y < DOUBLE) group[group.length - 1] = rule;
    else group.push(rule);
  }
  return groups.filter(({ length }) => length > 1);
}

function isSameLength(a: RuleLine, b: RuleLine): boolean {
  return Math.abs(a.x0 - b.x0) < SAME_END && Math.abs(a.x1 - b.x1) < SAME_END;
}

function framesIn(group: readonly RuleLine[], rules: readonly RuleLine[], lines: readonly Line[]): Frame[] {
  const frames: Frame[] = [];
  let full: RuleLine[] = [];
  let sections: Line[][] = [];
  const close = () => {
    const [top, bottom] = [full[0], full.at(-1)];
    if (top && bottom && sections.length > 0)
      frames.push({ sections, full, partial: partialOf(rules, top, bottom) });
    sections = [];
  };
  for (const rule of group) {
    const before = full.at(-1);
    const inside = before ? linesBetween(before, rule, lines) : [];
    if (before && (inside.length === 0 || isRunningText(inside, before))) {
      close();
      full = [];
    } else if (before) sections.push(inside);
    full.push(rule);
  }
  close();
  return frames.filter(({ sections: { length }, partial }) => length > 1 || partial.length > 0);
}

function partialOf(rules: readonly RuleLine[], top: RuleLine, bottom: RuleLine): RuleLine[] {
  return rules.filter(
    (rule) =>
      !isSameLength(rule, top) &&
      rule.y > top.y + 1 &&
      rule.y < bottom.y - 1 &&
      rule.x0 > top.x0 - SAME_END &&
      rule.x1 < top.x1 + SAME_END,
  );
}

function linesBetween(top: RuleLine, bottom: RuleLine, lines: readonly Line[]): Line[] {
  return lines.filter((line) => {
    const isBetween = line.base - 0.3 * line.size > top.y && line.base - 0.3 * line.size < bottom.y;
    return isBetween && middleX(line) > top.x0 && middleX(line) < top.x1;
  });
}

/** Text that is between two tables, or between lines that are none of a table. */
function isRunningText(lines: readonly Line[], rule: RuleLine): boolean {
  if (lines.some(({ words }) => startsAsCaption(textOf(words.slice(0, 4))))) return true;
  const width = rule.x1 - rule.x0;
  const isRunning = (line: Line) =>
    widthOf(line) > FULL_LINE * width && line.words.length >= RUNNING_WORDS && !keepsCuts(line, rule);
  return lines.some((line) => isRunning(line) && !lines.some((other) => isBeside(other, line)));
}

/** Whether the cells that a rule is drawn along keep the words of a line apart. */
function keepsCuts({ words }: Line, { cuts }: RuleLine): boolean {
  return cuts.length > 0 && !words.some(({ x0, x1 }) => cuts.some((cut) => x0 < cut - 1 && x1 > cut + 1));
}

function isBeside(other: Line, line: Line): boolean {
  return other !== line && Math.abs(other.base - line.base) < 0.5 * line.size;
}
