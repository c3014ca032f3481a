import { COUNTRY, FIRST_NAME, KNOWN_PLACE, type Lookup } from "./tagger/lexicon.ts";
import type { Span } from "./span.ts";

/** Capital words that follow each other, small words of names in between. */
const CAPITALS =
  /(?<![\p{L}\p{M}\p{N}_])\p{Lu}[\p{L}\p{M}’]*(?:-\p{Lu}?[\p{L}\p{M}]+)*\.?(?: (?:(?:van|von|de|del|della|di|da|dos|der|den|la|le|ter|ten|zu|bin|ibn|al|of|do|y) ){0,2}\p{Lu}[\p{L}\p{M}’]*(?:-\p{Lu}?[\p{L}\p{M}]+)*\.?){0,7}/gu;

const MAX_WORDS_OF_PLACE = 4;

/** Names of people and places that lists know: a first name before other capital words, countries, known towns. */
export function listedNames(text: string, lookup: Lookup): readonly Span[] {
  const spans: Span[] = [];
  for (const { 0: run, index } of text.matchAll(CAPITALS)) {
    const words = [...run.matchAll(/[^ ]+/g)].map((match) => ({
      text: bare(match[0]),
      start: index + match.index,
    }));
    for (let at = 0; at < words.length;) {
      const length = lengthOfPlace(words, at, lookup);
      const person = length > 0 ? 0 : lengthOfPerson(words, at, lookup);
      const taken = length + person;
      if (taken > 0) spans.push(spanOf(words.slice(at, at + taken), length > 0 ? "LOCATION" : "PERSON"));
      at += Math.max(1, taken);
    }
  }
  return spans;
}

interface Word {
  readonly text: string;
  readonly start: number;
}

function lengthOfPlace(words: readonly Word[], at: number, lookup: Lookup): number {
  for (let length = Math.min(MAX_WORDS_OF_PLACE, words.length - at); length > 0; length--) {
    const joined = words
      .slice(at, at + length)
      .map(({ text }) => text.toLowerCase())
      .join(" ");
    if ((lookup(joined) & KNOWN_PLACE) > 0) return length;
  }
  return (lookup(words[at]?.text.toLowerCase() ?? "") & COUNTRY) > 0 ? 1 : 0;
}

/** A first name and what follows it up to the last capital word; 0 when nothing follows. */
function lengthOfPerson(words: readonly Word[], at: number, lookup: Lookup): number {
  const first = words[at]?.text ?? "";
  if (!/^\p{Lu}.{2}/u.test(first) || (lookup(first.toLowerCase()) & FIRST_NAME) === 0) return 0;
  const end = words.findLastIndex(
    ({ text }, index) => index > at && index <= at + 4 && /^\p{Lu}\p{Ll}/u.test(text),
  );
  return end > at ? end - at + 1 : 0;
}

function spanOf(words: readonly Word[], entity: Span["entity"]): Span {
  const last = words.at(-1) as Word;
  return { start: (words[0] as Word).start, end: last.start + last.text.length, entity };
}

/** Without the apostrophe of a genitive and the full stop of a sentence. */
function bare(word: string): string {
  return word.replace(/[’']s?$/, "").replace(/(?<=\p{L}{2})\.$/u, "");
}
