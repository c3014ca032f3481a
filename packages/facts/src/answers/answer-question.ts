import { type Extract, passagesOf } from "./passages.ts";
import { type RankedUnit, rankUnits } from "./rank.ts";
import { unitsOf } from "./units.ts";
import { stemOf, wordsOf } from "./words.ts";

/** In characters. Answers are short. */
const MAX_ANSWER_LENGTH = 400;
const MAX_UNITS = 3;

/** Minimum probability of a further unit, relative to the best one. */
const LEAST_ODDS = 0.1;

/**
 * With a smaller share of the question on the page, a match is chance. Of XQuAD's answers ranked first, 5 of
 * 1000 have less.
 */
const LEAST_TOLD = 0.17;

/** Used if the page has no answer. */
export const NOT_TOLD = "The page does not seem to answer this.";

/**
 * The sentences that answer the question best, quoted from the page, in at most 400 characters. Undefined if
 * the page has no text.
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

/** The excerpt with the most words of a query, unchanged, cut between words where the script has spaces. */
export function excerpt(text: string, query: string, length: number): string {
  if (text.length <= length) return text;
  const start = bestStart(text, query, length);
  const end = Math.min(text.length, start + length);
  return betweenSpaces(text, start, end).trim();
}

/** Start of the window with the most words of the query. */
function bestStart(text: string, query: string, length: number): number {
  const places = placesOf(text, query);
  const last = text.length - length;
  const starts = [0, ...places.map((place) => Math.min(last, Math.max(0, place - Math.floor(length / 4))))];
  const countFrom = (start: number) =>
    places.filter((place) => place >= start && place < start + length).length;
  return starts.reduce((best, start) => (countFrom(start) > countFrom(best) ? start : best), 0);
}

/** Offsets of words that share a stem with the query. */
function placesOf(text: string, query: string): readonly number[] {
  const stems = new Set(wordsOf(query).map(stemOf));
  const words = text.matchAll(/[\p{L}\p{M}\p{N}]+/gu);
  return [...words]
    .filter(([word]) => wordsOf(word).some((part) => stems.has(stemOf(part))))
    .map(({ index }) => index);
}

function betweenSpaces(text: string, start: number, end: number): string {
  const first = start === 0 ? 0 : text.indexOf(" ", start - 1) + 1;
  const last = end === text.length ? end : text.lastIndexOf(" ", end);
  return last > first && first < start + (end - start) / 2 ? text.slice(first, last) : text.slice(start, end);
}
