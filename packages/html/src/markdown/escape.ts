import { isLetter } from "../parser/characters.ts";
import { canClose, canOpen, isBlank } from "./flanking.ts";
import { foldText } from "./fold.ts";

/** Characters next to a piece of text; "" at the edge of a line. */
interface Surroundings {
  readonly before: string;
  readonly after: string;
  /** Inside `[…]` every bracket needs an escape. */
  readonly insideLink: boolean;
  /** Whether the line has emphasis, whose delimiters could pair with those of the text. */
  readonly hasEmphasis: boolean;
}

const SPECIAL = /[\\`*_[\]<&~!]/;
/** Special characters. Delimiters match as whole runs. */
const EVERY_SPECIAL = /[\\`[\]<&!]|\*+|_+|~+/g;
const ASCII_PUNCTUATION = /[!-/:-@[-`{-~]/;
const ENTITY = /&(?:#\d{1,7}|#[xX][\da-fA-F]{1,6}|[A-Za-z][A-Za-z\d]{1,31});/y;

/** Whether the text has a character that Markdown may read as markup. */
export function needsEscape(text: string): boolean {
  return SPECIAL.test(text);
}

/** Backslash-escapes the characters of plain text that Markdown would read as markup at their place. */
export function escapeText(text: string, surroundings: Surroundings): string {
  let escaped = "";
  let from = 0;
  EVERY_SPECIAL.lastIndex = 0;
  for (let found = EVERY_SPECIAL.exec(text); found; found = EVERY_SPECIAL.exec(text)) {
    const [special] = found;
    if (!isMarkup(special, text, found.index, surroundings)) continue;
    escaped += text.slice(from, found.index) + escapeEach(special);
    from = found.index + special.length;
  }
  return from === 0 ? text : escaped + text.slice(from);
}

function escapeEach(special: string): string {
  return special.length === 1 ? `\\${special}` : special.replace(/./g, "\\$&");
}

function isMarkup(special: string, text: string, at: number, surroundings: Surroundings): boolean {
  const end = at + special.length;
  const before = at > 0 ? characterBefore(text, at) : surroundings.before;
  const after = end < text.length ? characterAt(text, end) : surroundings.after;
  switch (special.charAt(0)) {
    case "`":
      return true;
    case "\\":
      return after === "" || ASCII_PUNCTUATION.test(after);
    case "*":
    case "_":
    case "~":
      return isDelimiter(special.charAt(0), { before, after }, surroundings.hasEmphasis);
    case "<":
      return /[A-Za-z/!?]/.test(after);
    case "&":
      return isEntity(text, at);
    case "[":
      return surroundings.insideLink;
    case "]":
      return surroundings.insideLink || after === "(";
    default:
      return after === "[" && end >= text.length;
  }
}

/**
 * Delimiters work in pairs. When possible openers are escaped, possible closers may stay, unless the line has
 * emphasis that they could close. For tildes the closers are escaped, because a tilde mostly stands before an
 * estimate.
 */
function isDelimiter(
  delimiter: string,
  { before, after }: { readonly before: string; readonly after: string },
  hasEmphasis: boolean,
): boolean {
  const opens = canOpen(delimiter, before, after);
  const closes = canClose(delimiter, before, after);
  if (hasEmphasis) return opens || closes;
  return delimiter === "~" ? closes : opens;
}

function isEntity(text: string, at: number): boolean {
  ENTITY.lastIndex = at;
  return ENTITY.test(text);
}

export function characterBefore(text: string, at: number): string {
  const low = text.charCodeAt(at - 1);
  const isPair = low >= 0xdc00 && low <= 0xdfff && at > 1;
  return text.slice(isPair ? at - 2 : at - 1, at);
}

export function characterAt(text: string, at: number): string {
  const code = text.codePointAt(at) ?? 0;
  return code > 0xffff ? String.fromCodePoint(code) : text.charAt(at);
}

const LINE_MARKER = /^(?:#{1,6}|[-+*]|>)/;
const ORDERED_MARKER = /^(\d{1,9})([.)])/;
const TASK_BOX = /^\[[ xX]\]/;
const DEFINITION = /^\[[^\]]{1,999}\]:/;
/** Matches underlines of headings and table heads, and thematic breaks. */
const UNDERLINE = /^(?:=+|[-:| ]*-[-:| ]*|(?:\* *){3,}|(?:_ *){3,})$/;

/**
 * Escapes the start of a line that Markdown would read as a heading, list item, quote, thematic break, task
 * box or link definition. `line` is already escaped inside; `after` is the character after it, "" at the
 * line's end.
 */
export function escapeLineStart(line: string, after: string): string {
  if (startsWithLetter(line)) return line;
  const ordered = ORDERED_MARKER.exec(line);
  if (ordered) {
    const digits = ordered[1] ?? "";
    const next = line.charAt(ordered[0].length) || after;
    return isBlank(next) ? `${digits}\\${line.slice(digits.length)}` : line;
  }
  return startsBlock(line, after) ? `\\${line}` : line;
}

function startsWithLetter(line: string): boolean {
  const code = line.charCodeAt(0);
  return code < 0x80 ? isLetter(code) : /^\p{L}/u.test(line);
}

function startsBlock(line: string, after: string): boolean {
  if (line.startsWith(">") || line.startsWith("~~~")) return true;
  const marker = LINE_MARKER.exec(line)?.[0];
  if (marker !== undefined && isBlank(line.charAt(marker.length) || after)) return true;
  if (TASK_BOX.test(line)) return isBlank(line.charAt(3) || after);
  if (line.startsWith("[")) return DEFINITION.test(line);
  return after === "" && UNDERLINE.test(line);
}

/** Escapes a trailing run of `#`, which Markdown would otherwise drop as the heading's closing sequence. */
export function escapeHeadingEnd(heading: string): string {
  return heading.replace(/(^| )(#+)$/, "$1\\$2");
}

/** Escapes a URL for the parentheses of a link, also inside a table cell. */
export function escapeDestination(url: string): string {
  if (!/[\s<>|\\()]/.test(url)) return url;
  const clean = url.replace(/[\s<>|\\]/g, (character) => encodeURIComponent(character));
  return isBalanced(clean) ? clean : clean.replace(/[()]/g, "\\$&");
}

/** Markdown parsers give up beyond 32 levels of parentheses. */
const MAX_PARENTHESES = 32;

function isBalanced(url: string): boolean {
  let depth = 0;
  for (let at = 0; at < url.length; at++) {
    const code = url.charCodeAt(at);
    if (code === 0x28) depth++;
    if (code === 0x29) depth--;
    if (depth < 0 || depth > MAX_PARENTHESES) return false;
  }
  return depth === 0;
}

/** A link title in double quotes, with a space before it; "" for no title. */
export function formatTitle(title: string): string {
  const folded = foldText(title).trim();
  if (folded === "") return "";
  const escaped = folded.replace(/[\\"`<&|]/g, (character: string, at: number) =>
    character === "&" && !isEntity(folded, at) ? character : `\\${character}`,
  );
  return ` "${escaped}"`;
}

const INSIDE_ALT: Surroundings = { before: "[", after: "]", insideLink: true, hasEmphasis: false };

/** Escapes the alternative text of an image, on one line. */
export function escapeAlt(alt: string): string {
  const folded = foldText(alt).trim();
  if (!/[\\[\]`<*_]/.test(folded)) return folded;
  return folded.replace(/[\\[\]`<]|\*+|_+/g, (special: string, at: number) =>
    isMarkup(special, folded, at, INSIDE_ALT) ? escapeEach(special) : special,
  );
}
