import { excerpt } from "./excerpt.ts";
import { type Extract, passagesOf } from "./passages.ts";
import { type RankedUnit, rankUnits } from "./rank.ts";
import { unitsOf } from "./units.ts";

/** An answer is short. */
const MAX_ANSWER_LENGTH = 400;
const MAX_UNITS = 3;

/** A unit that is less probable than this besides the best one is not part of the answer. */
const LEAST_ODDS = 0.1;

/**
 * Less of a question than this share matches by chance. Of XQuAD's answers that come first, 5 of 1000 have less.
 */
const LEAST_TOLD = 0.17;

/** The answer where the page has none. */
export const NOT_TOLD = "The page does not seem to answer this.";

/**
 * The sentences of a page that answer a question best, as they stand there, in 400 characters. Undefined when the page
 * has no text.
 */
export function answerQuestion(markdown: string, question: string): Extract | undefined {
  const page = unitsOf(markdown);
  const { units, told } = rankUnits(page.units, question);
  const [best] = units;
  if (!best) return undefined;
  const answer = { isFromAll: page.isWhole };
  if (told < LEAST_TOLD) return { ...answer, text: NOT_TOLD };
  const { text } = best.unit;
  if (text.length > MAX_ANSWER_LENGTH) return { ...answer, text: excerpt(text, question, MAX_ANSWER_LENGTH) };
  return { ...answer, text: passagesOf(shortEnough(units, best), markdown).join(" ") };
}

function shortEnough(units: readonly RankedUnit[], best: RankedUnit): readonly RankedUnit[] {
  const chosen: RankedUnit[] = [];
  let length = 0;
  for (const ranked of units.slice(0, MAX_UNITS)) {
    const longer = length + ranked.unit.text.length + 1;
    if (longer > MAX_ANSWER_LENGTH + 1 || Math.exp(ranked.score - best.score) < LEAST_ODDS) continue;
    chosen.push(ranked);
    length = longer;
  }
  return chosen;
}
