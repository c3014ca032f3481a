import { type Span, sentencesOf } from "./sentences.ts";
import { type Unit, unitsOf } from "./units.ts";
import { isNumber, stemOf, wordsOf } from "./words.ts";

/** Where a page says something: a span of its Markdown, and the line it stands on, from 1. */
interface Citation extends Span {
  readonly line: number;
}

/** A sentence that has less of its words on a line than this share does not come from there. */
const LEAST_SHARE = 0.5;
/** Answers are short; of longer texts the first sentences are looked for. */
const MAX_SENTENCES = 40;

/** The parts of a page that a text comes from, in the order of the page: word for word, else by most of its words. */
export function citationsOf(text: string, markdown: string): readonly Citation[] {
  const { units } = unitsOf(markdown);
  const words = units.map((unit) => new Set(stemsOf(unit.text)));
  const found = statementsOf(text).flatMap((statement) => {
    const exact = units.filter((unit) => isSaidBy(unit, statement));
    return exact.length > 0 ? exact : nearest(statement, units, words);
  });
  return [...new Set(found)]
    .toSorted((one, other) => one.start - other.start)
    .map(({ start, end, line }) => ({ start, end, line: line + 1 }));
}

function statementsOf(text: string): readonly string[] {
  return text
    .split("\n")
    .flatMap((line) => sentencesOf(line).map(({ start, end }) => line.slice(start, end).trim()))
    .filter((statement) => statement !== "")
    .slice(0, MAX_SENTENCES);
}

function isSaidBy(unit: Unit, statement: string): boolean {
  return unit.text.includes(statement) || (unit.text.length > 20 && statement.includes(unit.text));
}

/** The unit with most of the statement's words; figures count three times, as they are rarely said by chance. */
function nearest(
  statement: string,
  units: readonly Unit[],
  words: readonly ReadonlySet<string>[],
): readonly Unit[] {
  const stems = [...new Set(stemsOf(statement))];
  const weight = (stem: string) => (isNumber(stem) ? 3 : 1);
  const all = stems.reduce((sum, stem) => sum + weight(stem), 0);
  let [best, share] = [-1, 0];
  for (const [position, own] of words.entries()) {
    const said = stems.reduce((sum, stem) => sum + (own.has(stem) ? weight(stem) : 0), 0) / all;
    if (said > share) [best, share] = [position, said];
  }
  const unit = units[best];
  return unit && share >= LEAST_SHARE ? [unit] : [];
}

function stemsOf(text: string): readonly string[] {
  return wordsOf(text).map(stemOf);
}
