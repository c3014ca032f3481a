import { MONEY, PRICE_WORDS } from "./money.ts";
import { BEGINNING_LENGTH, rarity, type UnitIndex } from "./unit-index.ts";
import { isNumber, stemOf, wordsOf } from "./words.ts";

export interface QueryTerm {
  readonly word: string;
  /** Matching stems on the page, with the quality of the match, up to 1. */
  readonly forms: ReadonlyMap<string, number>;
  /** Importance of the term for the rank of a unit. */
  readonly weight: number;
}

/** Two consecutive words of a query. */
interface QueryPair {
  readonly stems: readonly [string, string];
  readonly weight: number;
}

/** The query, reduced to what the page contains. */
export interface QueryTerms {
  /** Terms that the page has, without duplicates. */
  readonly terms: readonly QueryTerm[];
  readonly pairs: readonly QueryPair[];
  /** All stems of the query, including those that the page lacks. */
  readonly stems: ReadonlySet<string>;
  /** Share of the query's weight that the page has. */
  readonly known: number;
}

/** Match quality of a stem that resembles the query's stem. */
const SIMILAR = 0.6;
/** Minimum share of common letters, counted from the start. */
const LEAST_COMMON = 0.7;

/** Factors on a term's rarity. On a short page, rarity alone does not identify small words. */
const NUMBER_FACTOR = 1.5;
const NAME_FACTOR = 1.3;
const SMALL_WORD_FACTOR = 0.5;
const SMALL_WORD = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]{1,3}$/u;
/** Question words, which rarely occur in the answer. */
const QUESTION_WORD =
  /^(?:what|which|where|when|whose|whom|does|many|much|welche[mnrs]?|wann|warum|wieviele?|viele?|quién|quiénes|cuándo|dónde|cuál|cuáles|cuánt[oa]s?|quel(?:le)?s?|quand|combien|quando|quant[oaie]|quale|waar|wanneer|сколько|когда|какой|какая|какие|каком|hangi|nerede|zaman)$/;

/** Only this many first words of a query are used. */
const MAX_WORDS = 100;

export function queryTerms(query: string, index: UnitIndex): QueryTerms {
  const words = wordsOf(query).slice(0, MAX_WORDS);
  const names = namesIn(query);
  const byStem = new Map(words.toReversed().map((word) => [stemOf(word), word]));
  const all = [...byStem].map(([stem, word]) => termOf({ stem, word, isName: names.has(word) }, index));
  const terms = all.filter(({ forms }) => forms.size > 0);
  const stems = words.map(stemOf);
  return {
    terms,
    pairs: pairsOf(stems, new Map(terms.map((term) => [stemOf(term.word), term.weight]))),
    stems: new Set(stems),
    known: weightOf(terms) / Math.max(weightOf(all), Number.EPSILON),
  };
}

export function weightOf(terms: readonly QueryTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

interface Word {
  readonly stem: string;
  readonly word: string;
  readonly isName: boolean;
}

function termOf({ stem, word, isName }: Word, index: UnitIndex): QueryTerm {
  const forms = new Map(formsOf(stem, index));
  if (PRICE_WORDS.test(word) && index.frequency.has(MONEY)) forms.set(MONEY, SIMILAR);
  const among = Math.max(0, ...[...forms.keys()].map((form) => index.frequency.get(form) ?? 0));
  return { word, forms, weight: rarity(among, index.units.length) * factorOf(word, isName) };
}

function factorOf(word: string, isName: boolean): number {
  if (isNumber(word)) return NUMBER_FACTOR;
  if (SMALL_WORD.test(word) || QUESTION_WORD.test(word)) return SMALL_WORD_FACTOR;
  return isName ? NAME_FACTOR : 1;
}

/** The stem itself, and stems of the page that share most of its letters. */
function formsOf(stem: string, { frequency, byBeginning }: UnitIndex): ReadonlyMap<string, number> {
  const forms = new Map<string, number>();
  if (frequency.has(stem)) forms.set(stem, 1);
  if (stem.length < BEGINNING_LENGTH || isNumber(stem)) return forms;
  for (const other of byBeginning.get(stem.slice(0, BEGINNING_LENGTH)) ?? []) {
    if (other !== stem && isSimilar(stem, other)) forms.set(other, SIMILAR);
  }
  return forms;
}

function isSimilar(stem: string, other: string): boolean {
  let common = BEGINNING_LENGTH;
  while (common < stem.length && stem[common] === other[common]) common += 1;
  return common >= LEAST_COMMON * Math.max(stem.length, other.length);
}

/** Capitalised words that are not at the start of the query. */
function namesIn(query: string): ReadonlySet<string> {
  const names = [...query.matchAll(/(?<=\S\s+["“«(]*)\p{Lu}[\p{L}\p{M}\p{N}]*/gu)];
  return new Set(names.map(([name]) => name.normalize("NFKC").toLowerCase()));
}

function pairsOf(stems: readonly string[], weights: ReadonlyMap<string, number>): readonly QueryPair[] {
  return stems.slice(1).flatMap((second, index) => {
    const first = stems[index] ?? "";
    const weight = Math.sqrt((weights.get(first) ?? 0) * (weights.get(second) ?? 0));
    return weight > 0 ? [{ stems: [first, second] as const, weight }] : [];
  });
}
