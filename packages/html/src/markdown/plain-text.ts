/**
 * Characters that need work: white space to fold, invisible characters, and characters that may need an
 * escape. Most texts have none, so one search settles them.
 */
const NOTABLE_CHARACTERS = String.raw`\0-\x1f!&*<[-\]_\x60~-\xa0\u00ad\u1680\u2000-\u200f\u2028-\u202f\u205f\u2060\u2066-\u2069\u3000\ue000-\uf8ff\ufeff\ufffc`;
const NOTABLE = new RegExp(`[${NOTABLE_CHARACTERS}]|  `);
/** Holds all of these in fewer ranges: where a class has more than 16, V8 calls a function for each two-byte character. */
const MAYBE_NOTABLE =
  /[\0-\x1f!&*<[-\]_\x60~-\xa0\u00ad\u1680-\u200f\u2028-\u202f\u205f-\u2069\u3000\ue000-\uffff]| {2}/;

/**
 * Whether text stays unchanged in the middle of a line: only its ends need folding, nothing needs an escape.
 */
export function isPlainText(text: string): boolean {
  return !MAYBE_NOTABLE.test(text) || !NOTABLE.test(text);
}
