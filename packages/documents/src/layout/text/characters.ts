const LAST_ASCII = 0x7f;

/** Scripts without spaces between words. */
const UNSPACED = /[\u3000-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;
const FIRST_UNSPACED = 0x3000;

export function isUnspaced(character: string): boolean {
  return character.charCodeAt(0) >= FIRST_UNSPACED && UNSPACED.test(character);
}

const ASCII_SIGNS = new Set("=<>^_{}|\\");
const OTHER_SIGNS = /[≤≥∑∏∫√±×÷∈→∞]/g;

/** Counts letters, capitals among them, ASCII digits, blanks and signs of formulas in one walk. */
export function countCharacters(text: string) {
  let [letters, capitals, digits, blanks, signs, others] = [0, 0, 0, 0, 0, ""];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > LAST_ASCII) others += text[at];
    else if (code >= 0x61 && code <= 0x7a) letters++;
    else if (code === 0x20) blanks++;
    else if (code >= 0x41 && code <= 0x5a) capitals++;
    else if (code >= 0x30 && code <= 0x39) digits++;
    else if (ASCII_SIGNS.has(text[at] ?? "")) signs++;
  }
  letters += capitals;
  if (others === "") return { letters, capitals, digits, blanks, signs };
  letters += others.match(/\p{L}/gu)?.length ?? 0;
  capitals += others.match(/\p{Lu}/gu)?.length ?? 0;
  signs += others.match(OTHER_SIGNS)?.length ?? 0;
  return { letters, capitals, digits, blanks, signs };
}

/** In UTF-16 units: a letter and a hyphen. */
const MAX_END_LENGTH = 3;

/** How a line joins the next: whether its final hyphen is dropped, and the separator. */
interface Seam {
  readonly dropsHyphen: boolean;
  readonly space: "" | " ";
}

export function seamOf(before: string, after: string): Seam {
  if (before.endsWith("\u00ad")) return { dropsHyphen: true, space: "" };
  if (/\p{L}[-\u2010]$/u.test(before.slice(-MAX_END_LENGTH)) && /^\p{Ll}/u.test(after))
    return { dropsHyphen: true, space: "" };
  if (/\d[\u2013\u2014]$/.test(before.slice(-2)) && /^\d/.test(after))
    return { dropsHyphen: false, space: "" };
  if (isOneAddress(before, after)) return { dropsHyphen: false, space: "" };
  const isOneWord = isUnspaced(before.slice(-1)) && isUnspaced(after.slice(0, 1));
  return { dropsHyphen: false, space: isOneWord || before === "" ? "" : " " };
}

/** In UTF-16 units: the end of a line in which an address may begin. */
const ADDRESS_LENGTH = 200;

/** An address breaks behind a slash or another sign of its own, and goes on with more of it. */
function isOneAddress(before: string, after: string): boolean {
  if (!/[/?&=_]$/.test(before) || !/^[\w%~-]/.test(after)) return false;
  if (!/https?:\/\/\S*$|www\.\S*$/i.test(before.slice(-ADDRESS_LENGTH))) return false;
  return /^\S*[./_?=&%#-]\S/.test(after);
}

/** Joins the lines of a paragraph, and removes hyphenation. */
export function joinLines(lines: readonly string[]): string {
  let text = "";
  for (const line of lines) {
    const { dropsHyphen, space } = seamOf(text, line);
    text = (dropsHyphen ? text.slice(0, -1) : text) + space + line;
  }
  return text.replaceAll("\u00ad", "");
}
