import { stemmer } from "stemmer";

import { headingsOf, wordsOf } from "./index-words.ts";
import type { IndexedPage } from "./indexed-pages.ts";

/** Highest position that Postgres stores. Words after it share this position. */
const MAX_POSITION = 16_383;
/** Maximum positions of a word that Postgres stores. */
const MAX_POSITIONS = 255;
/** A tsvector may take 1 MB. Words beyond this limit are not searched. */
const MAX_VECTOR_BYTES = 900_000;
/** Bytes of a word for its length and the number of its positions, and then bytes of a position. */
const BYTES_OF_WORD = 4;
const BYTES_OF_POSITION = 2;
const ACCENTS = /[\u0300-\u036F]/g;

interface TextOfTeam {
  /** Its number in the index. */
  readonly team: number;
  readonly page: Pick<IndexedPage, "title" | "description" | "markdown">;
}

/** `vectorOf` in a thread that is there anyway. */
export type VectorOf = (text: TextOfTeam) => Promise<string>;

/**
 * The page as the text of a `tsvector`. Each word starts with the number of its team, so that a search reads
 * the words of one team alone. Words are stemmed here, because the server may use other languages.
 */
export function vectorOf({ team, page: { title, description, markdown } }: TextOfTeam): string {
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

/** Converts a query of quoted words, `AND`, `OR` and brackets to the text of a `tsquery`. */
export function vectorQuery(team: number, expression: string): string {
  return expression
    .replaceAll(/"([^"]+)"/g, (_quoted, word: string) => `'${lexemeOf(team, word)}'`)
    .replaceAll(" AND ", " & ")
    .replaceAll(" OR ", " | ");
}

/** Words contain letters and digits only, so no escaping is needed. */
function lexemeOf(team: number, word: string): string {
  return `${team.toString(36)} ${stemmer(word.normalize("NFD").replaceAll(ACCENTS, ""))}`;
}
