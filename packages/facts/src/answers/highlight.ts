import { countPassages, type Extract, passagesOf } from "./passages.ts";
import { type RankedUnit, rankUnits } from "./rank.ts";
import { summarise } from "./summarise.ts";
import { unitsOf } from "./units.ts";

/**
 * Units that are shown, in how many lines, and how probable one has to be besides the best. XQuAD in six languages: the
 * place of the answer is shown for 94 questions of 100, in two lines on average.
 */
const MAX_UNITS = 4;
const MAX_LINES = 3;
const LEAST_ODDS = 0.02;

/**
 * The lines of a page that matter for a query, in the order of the page and as they stand there. A query that has no
 * word of the page gets the lines that the page is about. Undefined when the page has no text.
 */
export function highlight(markdown: string, query: string): Extract | undefined {
  const page = unitsOf(markdown);
  const { units, told } = rankUnits(page.units, query);
  if (told === 0) return summarise(markdown);
  const chosen: RankedUnit[] = [];
  for (const ranked of likely(units)) {
    const more = [...chosen, ranked];
    if (more.length <= MAX_UNITS && countPassages(more) <= MAX_LINES) chosen.push(ranked);
  }
  return { text: passagesOf(chosen, markdown).join("\n"), isFromAll: page.isWhole };
}

/** The best units, as many as are looked at, whose odds against the first are fair. */
function likely(units: readonly RankedUnit[]): readonly RankedUnit[] {
  const highest = units[0]?.score ?? 0;
  return units.slice(0, 2 * MAX_UNITS).filter(({ score }) => Math.exp(score - highest) >= LEAST_ODDS);
}
