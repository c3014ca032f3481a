/** Stop words of properties and labels. */
const EMPTY = new Set(
  "the a an of in on for to and or is was are with its this that it der die das des le la les el los il".split(
    " ",
  ),
);

const MAX_LENGTH = 120;
const MAX_WORDS = 8;

/**
 * Folded words of a property's name or a label: `publicationDate`, `publication_date` and `Publication date:`
 * are equal.
 */
export function labelWords(label: string): readonly string[] {
  const parted = label
    .slice(0, MAX_LENGTH)
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
  const words =
    parted
      .normalize("NFKD")
      .replace(/\p{M}+/gu, "")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  const telling = words.filter((word) => !EMPTY.has(word));
  return (telling.length > 0 ? telling : words).slice(0, MAX_WORDS).map(singular);
}

/** The folded words as one lookup key. */
export function labelKey(label: string): string {
  return labelWords(label).join(" ");
}

function singular(word: string): string {
  if (word.length < 4 || !/^[a-z]+s$/.test(word) || /(?:ss|us|is|ies|as)$/.test(word)) {
    return /^[a-z]{2,}[^aeiou]ies$/.test(word) && word !== "series" ? `${word.slice(0, -3)}y` : word;
  }
  return word.slice(0, -1);
}

/** Similarity of two word lists, 0 to 1. */
export function likeness(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0;
  const shared = one.filter((word) => other.includes(word)).length;
  return shared / new Set([...one, ...other]).size;
}
