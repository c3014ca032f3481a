/** Characters that change the direction of a text, or that are invisible. */
const DECEIVING =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF]/g;
/** Longer names and addresses are useless to readers, and slow to draw. */
const SHOWN_CHARACTERS = 2000;

/** A foreign name or address, with characters made visible that would make it look like another one. */
export function plainly(text: string): string {
  const shown = text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
  return shown.replace(
    DECEIVING,
    (character) => `[U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}
