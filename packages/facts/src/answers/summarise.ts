import { type Extract, passagesOf } from "./passages.ts";
import { indexUnits, rarity, type UnitIndex, type UnitWords } from "./unit-index.ts";
import { type LineKind, type Unit, unitsOf } from "./units.ts";
import { stemOf, wordsOf } from "./words.ts";

/**
 * Maximum sentences of a summary, and maximum words if it has more than one. On 537 articles, ROUGE-1 is .31
 * with this limit and .26 without it: authors describe their pages in 26 words, and longer summaries share a
 * smaller part with that.
 */
const MAX_UNITS = 3;
const MAX_WORDS = 60;

/** Later sentences are ignored, as the subject of a page comes first. */
const MAX_COMPARED = 3000;

/** Shorter pieces are labels, and longer ones are not sentences. */
const FEWEST_WORDS = 6;
const MAX_CHARACTERS = 600;

/** Kinds of lines to take sentences from; the first group that the page has is used. */
const SOURCES: readonly (readonly LineKind[])[] = [["text"], ["item"], ["row", "heading", "code"]];

/** A picture, including a linked one. Its URL is not part of a sentence. */
const PICTURE =
  /\[!\[[^\]]{0,500}\]\([^)]{0,4000}\)\]\([^)]{0,4000}\)\s*|!\[[^\]]{0,500}\]\([^)]{0,4000}\)\s*/g;

/** Weights for words of the title and for an early position, besides similarity to the page. */
const TITLE_WEIGHT = 0.5;
const PLACE_WEIGHT = 0.8;

/** Penalty for sentences that repeat chosen ones. */
const REPETITION_WEIGHT = 0.5;

/**
 * The most representative sentences, unchanged and in page order: the first one, and up to two that share
 * most with the whole page and least with each other. Undefined if the page has no text.
 */
export function summarise(markdown: string): Extract | undefined {
  const { units: all, isWhole } = unitsOf(markdown);
  const units = sourceOf(all).slice(0, MAX_COMPARED);
  if (units.length === 0) return undefined;
  const chosen = choose(indexUnits(units), titleStems(all));
  const ranked = chosen.map((place) => {
    const unit = units[place] as Unit;
    return { unit, position: all.indexOf(unit), score: 0 };
  });
  const text = passagesOf(ranked, markdown).map(withoutPictures).join("\n");
  return { text, isFromAll: isWhole };
}

/**
 * Candidate sentences. If none has a normal length, short and long ones are used. Of duplicates, the first
 * counts.
 */
function sourceOf(units: readonly Unit[]): readonly Unit[] {
  const isUsual = ({ text }: Unit) =>
    text.length <= MAX_CHARACTERS && wordsOf(text).length >= FEWEST_WORDS && !text.endsWith(":");
  const first = new Map(units.toReversed().map((unit) => [unit.text, unit]));
  const different = units.filter(
    (unit) => first.get(unit.text) === unit && /[\p{L}\p{N}]/u.test(withoutPictures(unit.text)),
  );
  const ofKinds = SOURCES.map((kinds) => different.filter(({ kind }) => kinds.includes(kind)));
  return [...ofKinds.map((some) => some.filter(isUsual)), ...ofKinds].find((some) => some.length > 0) ?? [];
}

function withoutPictures(text: string): string {
  return text.replace(PICTURE, "").trim();
}

function titleStems(units: readonly Unit[]): ReadonlySet<string> {
  const title = units.find(({ kind }) => kind === "heading")?.text ?? "";
  return new Set(wordsOf(title).map(stemOf));
}

/** Indices of the chosen units, including the first unit. */
function choose(index: UnitIndex, title: ReadonlySet<string>): readonly number[] {
  const vectors = index.words.map((words) => vectorOf(words, index));
  const centre = centreOf(vectors);
  const values = vectors.map(
    (vector, position) =>
      similarity(vector, centre) +
      TITLE_WEIGHT * shareOf(title, index.words[position]) +
      PLACE_WEIGHT / (1 + position),
  );
  const lengthOf = (position: number) => index.words[position]?.stems.length ?? 0;
  const chosen = [0];
  let room = MAX_WORDS - lengthOf(0);
  while (chosen.length < MAX_UNITS) {
    const worth = values.map((value, position) => value - repetition(position, chosen, vectors));
    const open = [...worth.keys()].filter(
      (position) => !chosen.includes(position) && lengthOf(position) <= room,
    );
    const [first] = open;
    if (first === undefined) break;
    const best = open.reduce((one, other) => ((worth[other] ?? 0) > (worth[one] ?? 0) ? other : one), first);
    chosen.push(best);
    room -= lengthOf(best);
  }
  return chosen;
}

/** Stem → weight, normalised to length 1. */
type Vector = ReadonlyMap<string, number>;

function vectorOf({ counts }: UnitWords, { frequency, units }: UnitIndex): Vector {
  const weights = [...counts].map(
    ([stem, count]) =>
      [stem, (1 + Math.log(count)) * rarity(frequency.get(stem) ?? 0, units.length)] as const,
  );
  return normalised(new Map(weights));
}

function centreOf(vectors: readonly Vector[]): Vector {
  const sums = new Map<string, number>();
  for (const vector of vectors) {
    for (const [stem, weight] of vector) sums.set(stem, (sums.get(stem) ?? 0) + weight);
  }
  return normalised(sums);
}

function normalised(vector: Vector): Vector {
  const length = Math.sqrt([...vector.values()].reduce((sum, weight) => sum + weight ** 2, 0));
  if (length === 0) return vector;
  return new Map([...vector].map(([stem, weight]) => [stem, weight / length]));
}

function similarity(one: Vector, other: Vector): number {
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let sum = 0;
  for (const [stem, weight] of small) sum += weight * (large.get(stem) ?? 0);
  return sum;
}

function repetition(position: number, chosen: readonly number[], vectors: readonly Vector[]): number {
  const own = vectors[position] as Vector;
  return REPETITION_WEIGHT * Math.max(...chosen.map((other) => similarity(own, vectors[other] as Vector)));
}

function shareOf(title: ReadonlySet<string>, words: UnitWords | undefined): number {
  if (title.size === 0 || !words) return 0;
  return [...title].filter((stem) => words.counts.has(stem)).length / title.size;
}
