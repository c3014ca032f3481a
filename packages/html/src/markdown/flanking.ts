import { isLetter } from "../parser/characters.ts";

const PUNCTUATION = /[\p{P}\p{S}]/u;

/**
 * Whether a run of `*`, `_` or `~` between two characters can open emphasis. "" stands for the edge of a line.
 * CommonMark, section 6.2.
 */
export function canOpen(delimiter: string, before: string, after: string): boolean {
  const leansRight = isFlanking(after, before);
  if (delimiter !== "_") return leansRight;
  return leansRight && (!isFlanking(before, after) || isPunctuation(before));
}

/** Whether a run of `*`, `_` or `~` between two characters can close emphasis. */
export function canClose(delimiter: string, before: string, after: string): boolean {
  const leansLeft = isFlanking(before, after);
  if (delimiter !== "_") return leansLeft;
  return leansLeft && (!isFlanking(after, before) || isPunctuation(after));
}

/** CommonMark's flanking rule: a delimiter run leans on the character `toward`, seen from `away`. */
function isFlanking(toward: string, away: string): boolean {
  if (isBlank(toward)) return false;
  return !isPunctuation(toward) || isBlank(away) || isPunctuation(away);
}

function isPunctuation(character: string): boolean {
  const code = character.charCodeAt(0);
  return code < 0x80 ? code > 0x20 && code < 0x7f && !isLetterOrDigit(code) : PUNCTUATION.test(character);
}

function isLetterOrDigit(code: number): boolean {
  return isLetter(code) || (code >= 0x30 && code <= 0x39);
}

/** White space, or the edge of a line. */
export function isBlank(character: string): boolean {
  const code = character.charCodeAt(0);
  return code > 0x20 && code < 0x80 ? false : character === "" || /\s/.test(character);
}
