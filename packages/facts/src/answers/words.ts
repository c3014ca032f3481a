const UNSPACED_SCRIPTS = "Han|Hiragana|Katakana|Thai|Lao|Khmer|Myanmar"
  .split("|")
  .map((script) => `\\p{Script=${script}}`)
  .join("");

/** Scripts without spaces between words. */
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, "u");

const RUNS = new RegExp(`[${UNSPACED_SCRIPTS}]+|[\\p{L}\\p{M}\\p{N}]+`, "gu");
const ASCII_RUNS = /[a-z0-9]+/g;

/** Longer letter runs are not words; the rest is ignored. */
const MAX_WORD_LENGTH = 64;

/**
 * The words of a text in order, lower-cased and normalised. For scripts without spaces, its characters and
 * pairs of adjacent characters.
 */
export function wordsOf(text: string): readonly string[] {
  const isAscii = !/[^\0-\x7f]/.test(text);
  if (isAscii) return (text.toLowerCase().match(ASCII_RUNS) ?? []).map(shortened);
  const runs = text.normalize("NFKC").toLowerCase().match(RUNS) ?? [];
  return runs.flatMap((run) => (UNSPACED.test(run) ? charactersAndPairs(run) : [shortened(run)]));
}

function shortened(run: string): string {
  return run.length > MAX_WORD_LENGTH ? run.slice(0, MAX_WORD_LENGTH) : run;
}

function charactersAndPairs(run: string): readonly string[] {
  const characters = Array.from(run);
  return characters.flatMap((character, index) => {
    const next = characters[index + 1];
    return next === undefined ? [character] : [character, character + next];
  });
}

/** "Runs" and "run", "fees" and "fee". */
const SHORT_WITH_S = /^[a-z]+[^s]s$/;

/**
 * The beginning of a word, which inflected forms share in languages that inflect at the end. Short words and
 * numbers stay unchanged.
 */
export function stemOf(word: string): string {
  if (word.length === 4 && SHORT_WITH_S.test(word)) return word.slice(0, -1);
  if (word.length <= 4 || isNumber(word)) return word;
  if (word.length <= 6) return word.slice(0, -1);
  return word.slice(0, Math.max(5, Math.ceil(word.length * 0.7)));
}

export function isNumber(word: string): boolean {
  return /^\d/.test(word);
}
