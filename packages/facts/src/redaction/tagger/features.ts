import { hashText, mix } from "./hash.ts";
import { COMMON, isMadeOfCommon, type Lookup } from "./lexicon.ts";
import type { Token } from "./tokens.ts";

/** Number of hashed features, each with a weight per label. */
export const BUCKETS = 2 ** 17;

/** Precomputed properties of one word. */
interface Word {
  readonly lower: string;
  readonly hash: number;
  readonly shape: number;
  readonly prefix: number;
  readonly ending2: number;
  readonly ending3: number;
  readonly ending4: number;
  readonly isCapital: boolean;
  readonly kinds: number;
}

const NO_WORD: Word = {
  lower: "",
  hash: 1,
  shape: 1,
  prefix: 1,
  ending2: 1,
  ending3: 1,
  ending4: 1,
  isCapital: false,
  kinds: 0,
};

/** Context of a text's words. */
interface FeatureSource {
  /** Words that occur in lower case in the text. A capitalised form of them is rarely a name. */
  readonly lowerWords: ReadonlySet<string>;
  wordOf(token: string): Word;
}

export function openFeatureSource(text: string, lookup: Lookup): FeatureSource {
  const words = new Map<string, Word>();
  return {
    lowerWords: new Set(text.match(/(?<!\p{L})\p{Ll}{3,1000}(?!\p{L})/gu) ?? []),
    wordOf(token) {
      const known = words.get(token);
      if (known) return known;
      const word = wordOf(token, lookup);
      words.set(token, word);
      return word;
    },
  };
}

/**
 * Feature indices of each token, from 0 to `BUCKETS`. Undefined for tokens that are certainly not names:
 * lower-case ones that are not between capitalised ones. In a sequence without capitals, all tokens get
 * features.
 */
export function featuresOf(
  tokens: readonly Token[],
  { lowerWords, wordOf: knownWord }: FeatureSource,
): readonly (Uint32Array | undefined)[] {
  const capitals = tokens.map(({ text }) => isCapital(text));
  const hasCapitals = tokens.length > MAX_LENGTH_WITHOUT_CAPITALS || capitals.includes(true);
  const wordAt = (index: number) => {
    const token = tokens[index];
    return token ? knownWord(token.text) : NO_WORD;
  };
  const isShouted = hasCapitals && tokens.length > 6 && !tokens.some(({ text }) => /^\p{Ll}/u.test(text));
  return tokens.map((_, index) => {
    const isBetween =
      (capitals[index - 1] || capitals[index - 2]) && (capitals[index + 1] || capitals[index + 2]);
    if (hasCapitals && !capitals[index] && !isBetween) return undefined;
    const around: Window = [
      wordAt(index - 2),
      wordAt(index - 1),
      wordAt(index),
      wordAt(index + 1),
      wordAt(index + 2),
    ];
    const [, before, word] = around;
    const isStart = index === 0 || before.lower === "\n" || /^[.!?:•]$/.test(before.lower);
    return rowOf(around, (isShouted ? 4 : 0) + (isStart ? 2 : 0) + (lowerWords.has(word.lower) ? 1 : 0));
  });
}

/** Longer sequences without capitals are not text in which the author omitted them. */
const MAX_LENGTH_WITHOUT_CAPITALS = 150;

/** A word with the two words before and after it. */
type Window = readonly [Word, Word, Word, Word, Word];

const FEATURES = 25;

function rowOf([before2, before, word, next, next2]: Window, circumstance: number): Uint32Array {
  const capital = word.isCapital ? 1 : 0;
  const row = new Uint32Array(FEATURES);
  row[0] = at(1, 0);
  row[1] = at(2, word.hash);
  row[2] = at(3, word.shape, circumstance);
  row[3] = at(4, word.prefix);
  row[4] = at(5, word.ending2);
  row[5] = at(6, word.ending3);
  row[6] = at(7, word.ending4, capital);
  row[7] = at(8, before.hash, word.shape);
  row[8] = at(9, next.hash, word.shape);
  row[9] = at(10, before2.hash, capital);
  row[10] = at(11, next2.hash, capital);
  row[11] = at(12, before.shape, word.shape);
  row[12] = at(13, next.shape, word.shape);
  row[13] = at(14, before.hash, word.hash);
  row[14] = at(15, word.hash, next.hash);
  row[15] = at(16, mix(before.shape, word.shape), next.shape);
  row[16] = at(17, before2.hash, mix(before.hash, word.shape));
  row[17] = at(18, mix(before.ending3, word.shape), word.kinds);
  row[18] = at(19, word.kinds, mix(word.shape, circumstance));
  row[19] = at(20, mix(before.kinds, word.kinds), mix(next.kinds, word.shape));
  row[20] = at(21, word.kinds, before.hash);
  row[21] = at(22, word.kinds, next.hash);
  row[22] = at(23, mix(before.kinds, before.shape), mix(word.kinds, word.shape));
  row[23] = at(24, mix(before2.hash, before.hash), mix(word.kinds, next.shape));
  row[24] = at(25, mix(next.hash, next2.hash), word.shape);
  return row;
}

function isCapital(text: string): boolean {
  const code = text.charCodeAt(0);
  return code < 128 ? code >= 65 && code <= 90 : /^[\p{Lu}\p{Lo}]/u.test(text);
}

function at(feature: number, value: number, other = 0): number {
  return mix(feature, value, other) & (BUCKETS - 1);
}

/** Features from endings, shape and lists. Deterministic per word. */
function wordOf(text: string, lookup: Lookup): Word {
  const lower = text.toLowerCase();
  return {
    lower,
    hash: /^\d/.test(text) ? (DIGITS[Math.min(text.length, DIGITS.length - 1)] as number) : hashText(lower),
    shape: shapeOf(text),
    prefix: hashText(lower.slice(0, 3)),
    ending2: hashText(lower.slice(-2)),
    ending3: hashText(lower.slice(-3)),
    ending4: hashText(lower.slice(-4)),
    isCapital: /^\p{Lu}/u.test(text),
    kinds: kindsOf(lower, lookup),
  };
}

/** A bit above those of the lexicon. */
const MADE_OF_COMMON = 2 * COMMON;

function kindsOf(lower: string, lookup: Lookup): number {
  const kinds = lookup(lower) || (lower.length > 5 && lower.endsWith("s") ? lookup(lower.slice(0, -1)) : 0);
  return kinds || (isMadeOfCommon(lower, lookup) ? MADE_OF_COMMON : 0);
}

const LOWER = 2;
const CAPITAL = 3;
const SIGN = 9;

/** Numbers are distinguished only by their length. */
const DIGITS: readonly number[] = [11, 12, 13, 14, 15, 16];

const SHAPES: readonly (readonly [RegExp, number])[] = [
  [/^\p{Ll}+$/u, LOWER],
  [/^\p{Lu}\p{Ll}+$/u, CAPITAL],
  [/^\p{Lu}$/u, 4],
  [/^\p{Lu}+$/u, 5],
  [/^\p{Lu}[\p{L}\p{M}]*-\p{Lu}[\p{L}\p{M}-]*$/u, 6],
  [/^\p{Lu}/u, 7],
  [/^\p{N}/u, 8],
  [/^\p{L}/u, 10],
];

function shapeOf(text: string): number {
  return SHAPES.find(([pattern]) => pattern.test(text))?.[1] ?? (SIGN + hashText(text) * 16) % 65_536;
}
