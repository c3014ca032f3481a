/** Characters that turn the direction of a text round, or that nobody sees. */
const DECEIVING = /[\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;

/** A name or address that somebody else chose, with what would make it look like another one made visible. */
export function plainly(text: string): string {
  return text.replace(
    DECEIVING,
    (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}
