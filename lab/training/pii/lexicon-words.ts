import {
  COMMON,
  COUNTRY,
  FIRST_NAME,
  KNOWN_PLACE,
  LAST_NAME,
  TOWN,
} from "../../../packages/facts/src/redaction/tagger/lexicon.ts";
import type { NameLists } from "./generate.ts";
import { countriesIn, firstNamesOfTheWorld, here, lastNamesOfTheWorld, places } from "./own-lists.ts";

/** What `lists.py` writes: lists by language. */
export type Lists = Readonly<Record<string, NameLists & { readonly abroad?: readonly string[] }>>;

const countries = ["en", "de", "fr", "es", "it", "nl", "pl", "pt", "sv", "da", "cs", "tr"].flatMap(
  countriesIn,
);

/** Places whose names mean something else in one of the languages. */
const AMBIGUOUS_PLACES: ReadonlySet<string> = new Set(
  "nice mobile essen main oder lot somme cher tours limousin midi como marche po baden queens leiden seine porto split bath reading cork sucre gera".split(
    " ",
  ),
);

/** What the tagger's lists know of words, and of names of several words. @param found words that are no names. */
export function lexiconWords(lists: Lists, found: ReadonlySet<string>): ReadonlyMap<string, number> {
  const words = new Map<string, number>();
  const know = (word: string, kind: number) => words.set(word, (words.get(word) ?? 0) | kind);
  const add = (names: readonly string[], kind: number) => {
    for (const name of names) {
      for (const word of name.toLowerCase().match(/[\p{L}\p{M}]+(?:-[\p{L}\p{M}]+)*/gu) ?? [])
        if (word.length >= 3) know(word, kind);
    }
  };
  const common = commonWordsOf(lists, found);
  for (const { first, last, towns } of Object.values(lists)) {
    add(first, FIRST_NAME);
    add(last, LAST_NAME);
    add(
      towns.filter((town) => !/^\d|^[A-Z]{2}$/.test(town) && !common.has(town.toLowerCase())),
      TOWN,
    );
  }
  add(places, TOWN);
  add(firstNamesOfTheWorld, FIRST_NAME);
  add(lastNamesOfTheWorld, LAST_NAME);
  add(lists["other"]?.abroad ?? [], TOWN);
  const names = new Set(
    Object.values(lists).flatMap(({ first, last }) => [...first, ...last].map((name) => name.toLowerCase())),
  );
  for (const place of places.map((name) => name.toLowerCase())) {
    if (place.length > 3 && !names.has(place) && !common.has(place)) know(place, KNOWN_PLACE);
  }
  for (const name of countries) {
    if (!name.includes(" ")) add([name], COUNTRY);
    know(name.toLowerCase(), KNOWN_PLACE);
  }
  for (const word of common) know(word, COMMON);
  return words;
}

/** Words that are no names, or not only: places are places, but for those that mean something else more often. */
function commonWordsOf(lists: Lists, found: ReadonlySet<string>): ReadonlySet<string> {
  const common = new Set([
    ...found,
    ...here("nouns-de.txt").toLowerCase().split(/\s+/),
    ...Object.values(lists).flatMap((list) => list.words.filter((word) => /^\p{Ll}+$/u.test(word))),
  ]);
  for (const name of [...places, ...countries].map((place) => place.toLowerCase()))
    if (!AMBIGUOUS_PLACES.has(name)) common.delete(name);
  return common;
}
