import { stemmer } from "stemmer";

import { headingsOf, wordsOf } from "./index-words.ts";
import type { IndexedPage } from "./indexed-pages.ts";

/** Of a page that Postgres numbers; words behind share the last number. */
const MAX_POSITION = 16_383;
/** Of a word that Postgres keeps. */
const MAX_POSITIONS = 255;
/** A vector takes 1 MB at most; what is behind is not searched. */
const MAX_VECTOR_BYTES = 900_000;
/** Of each word, its length and the number of its positions; of each position. */
const BYTES_OF_WORD = 4;
const BYTES_OF_POSITION = 2;
const ACCENTS = /[\u0300-\u036F]/g;

/**
 * The page as text of a `tsvector`. Each word begins with the number of its team, so that a search reads the words of one
 * team alone. Words are reduced here: the server's own languages may be others.
 */
export function vectorOf(team: number, { title, description, markdown }: IndexedPage): string {
  const parts = [
    { words: wordsOf(title), weight: "A" },
    { words: wordsOf(headingsOf(markdown)), weight: "B" },
    { words: wordsOf(`${description}\n${markdown}`), weight: "D" },
  ];
  const positions = new Map<string, string[]>();
  let [position, bytes] = [0, 0];
  for (const { words, weight } of parts) {
    for (const word of words) {
      position = Math.min(MAX_POSITION, position + 1);
      const lexeme = lexemeOf(team, word);
      const known = positions.get(lexeme);
      if (known && known.length >= MAX_POSITIONS) continue;
      bytes += BYTES_OF_POSITION + (known ? 0 : BYTES_OF_WORD + Buffer.byteLength(lexeme));
      if (bytes > MAX_VECTOR_BYTES) break;
      if (known) known.push(`${position}${weight}`);
      else positions.set(lexeme, [`${position}${weight}`]);
    }
  }
  return [...positions].map(([lexeme, places]) => `'${lexeme}':${places.join(",")}`).join(" ");
}

/** A query of quoted words, `AND`, `OR` and brackets as text of a `tsquery`. */
export function vectorQuery(team: number, expression: string): string {
  return expression
    .replaceAll(/"([^"]+)"/g, (_quoted, word: string) => `'${lexemeOf(team, word)}'`)
    .replaceAll(" AND ", " & ")
    .replaceAll(" OR ", " | ");
}

/** Words have letters and digits only. */
function lexemeOf(team: number, word: string): string {
  return `${team.toString(36)} ${stemmer(word.normalize("NFD").replaceAll(ACCENTS, ""))}`;
}
