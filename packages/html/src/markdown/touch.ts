/**
 * How a text meets the text before it without white space between: "inside" the same element, after the
 * "start" or "end" of one, as "siblings" in two adjacent elements, or after an "image".
 */
export type Touch = "inside" | "start" | "end" | "siblings" | "image";

const WORD_CHARACTER_END = /[\p{L}\p{N}]$/u;
const WORD_CHARACTER_START = /^[\p{L}\p{N}]/u;
/** Letters of scripts that have capitals, digits, and the percent sign. */
const WORD_END = /[\p{Ll}\p{Lu}\p{N}%]$/u;
const SIBLING_START = /^[\p{Lu}\p{N}\p{Sc}]/u;
const SMALL_END = /[\p{L}\p{N}]\p{Ll}$/u;
const LABEL_END = /[\p{L}\p{N})]:$/u;
const SENTENCE_END = /[,;.!?…)”]$/;
/** A qualifier before a name in code: `json.` before `Encoder`. */
const QUALIFIER = /^[a-z_][\w.]*\.$/;
const DIGIT = /\d/;
const LABEL_OR_AMOUNT_END = /(?:^\p{L}{3,}|\d)$/u;
const AMOUNT_START = /^\p{Sc}\d/u;
/** A name with a number after it: `Ann046` before `Regular`, but not `CO2` before `E`. */
const NUMBERED_END = /\p{L}{2}\d+$/u;
const WORD_START = /^\p{Lu}\p{Ll}{2}/u;
const SMALL_START = /^\p{Ll}/u;
const CAPITAL_START = /^\p{Lu}/u;

/**
 * Whether two texts are shown apart although no white space is between them, such as `Author` and `Ann` in
 * two `span` elements, or a label and its value. The source does not say so, but no element's edge divides a
 * word before a capital or a digit: in 1,600 such places of the labelled pages, the texts were apart without
 * exception.
 */
export function areApart(left: string, right: string, touch: Touch): boolean {
  if (touch === "image") return WORD_CHARACTER_START.test(right);
  if (touch === "inside" || left === "" || startsSmall(right)) return false;
  if (CAPITAL_START.test(right) && (SMALL_END.test(left) || LABEL_END.test(left))) return true;
  if (AMOUNT_START.test(right)) return LABEL_OR_AMOUNT_END.test(left);
  if (NUMBERED_END.test(left) && WORD_START.test(right)) return true;
  if (touch !== "siblings" || !SIBLING_START.test(right)) return false;
  if (SENTENCE_END.test(left)) return CAPITAL_START.test(right) && !QUALIFIER.test(left);
  if (!WORD_END.test(left)) return false;
  // Initials have their own element; animated words and counters come one character at a time.
  return left.length > 1 || (right.length > 1 && DIGIT.test(left));
}

/** Whether text starts with a lower-case ASCII letter, as most text after an element's edge does. */
function startsSmall(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 0x61 && code <= 0x7a;
}

export function endsWord(text: string): boolean {
  return WORD_CHARACTER_END.test(text);
}

/** Whether two texts without white space between them look like parts of one word. */
export function isOneWord(left: string, right: string): boolean {
  return WORD_CHARACTER_END.test(left) && SMALL_START.test(right);
}
