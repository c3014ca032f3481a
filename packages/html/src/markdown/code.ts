import { AttributeNames } from "../parser/attribute-names.ts";
import { type HtmlTree, tagId, TEXT } from "../parser/tree.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { labelInside, onlyCodeOf } from "./code-badge.ts";
import { languageOf } from "./code-language.ts";
import type { Conversion } from "./conversion.ts";
import { nodeBefore } from "../selection/text.ts";
import { foldText, readAgain } from "./fold.ts";
import { writeLinked } from "./links.ts";

const [BREAK, CODE, PRE] = ["br", "code", "pre"].map(tagId);
const BREAKS = tagSet("br");
const ANCHOR = tagId("a");
const NOT_CODE = tagSet("script style template button select textarea svg noscript iframe");
const LINES = tagSet("div p li ol ul tr table tbody section article pre");
const BOXES = tagSet("pre code p", LINES);

const GUTTER_CLASS =
  /(?:^|[\s_-])(?:gutter|linenos?|line-?num(?:ber)?s?|lineno|ln|lnt|blob-num|ln-num(?:bers)?)(?:$|[\s_-])/i;

/** Highlighters put every line into its own element. Some of them drop the line breaks between. */
const LINE_CLASS = /(?:^|[\s_-])line(?:$|\s)/i;

const GUTTER_ATTRIBUTES = new AttributeNames("class data-line-number style");

/** Numbers of lines are often told apart only by what readers cannot select. */
const UNSELECTABLE = /user-select\s*:\s*none/i;

const HOVERS = new AttributeNames("class role");
/** What opens over a part of the code: its type, its meaning. */
const HOVER_CLASS = /(?:^|[\s_-])(?:hover-?info|type-?info|popup|popover|tooltip)(?:$|[\s_-])/i;

const BLANK_START = /^(?:[ \t]*\n)+/;

const NAMED = new AttributeNames("class style");
/** Elements with blocks of their own, which `code` stands around. */
const HOLDS_LINES = tagSet("pre table");
const KEEPS_LINES = /white-space\s*:\s*(?:pre|pre-wrap|break-spaces)\s*(?:;|!|$)/i;
const IS_BLOCK = /display\s*:\s*block/i;
const IS_TYPEWRITER = /font-family\s*:[^;]*mono/i;
const BLOCK_CLASS = /(?:^|\s)(?:block|code-?block|block-?code)(?:\s|$)/i;
/** Elements of editors in pages, whose children are lines: CodeMirror 5 and 6, Ace, Monaco. */
const EDITOR_CLASS = /^\s*(?:CodeMirror-code|cm-content|ace_layer ace_text-layer|view-lines)(?:\s|$)/;
const CODE_BOX = /(?:^|[\s_-])code(?:[\s_-]?(?:block|box|listing|snippet))?(?:\s|$)/i;

/**
 * Writes `pre`, and `code` that holds lines, as a fenced block. Inside headings it becomes a code span, inside cells one for each
 * line.
 */
export function writePre(conversion: Conversion, node: number): void {
  if (conversion.style === "cell") {
    writeCellLines(conversion, node);
    return;
  }
  if (conversion.style !== "paragraph") {
    writeCodeSpan(conversion, node);
    return;
  }
  const { tree } = conversion;
  conversion.boundary();
  if (!isSameListing(tree, nodeBefore(tree, node), node))
    writeFence(conversion, listingText(tree, node), languageOf(tree, node));
}

function writeCellLines({ tree, run }: Conversion, node: number): void {
  const lines = pieceText(tree, node)
    .split("\n")
    .filter((line) => line.trim() !== "");
  lines.forEach((line, at) => {
    if (at > 0) run.lineBreak();
    run.verbatim(codeSpan(line.trimEnd()));
  });
}

/** The most that a cell shows of code. More is written as blocks, without the table. */
const [MAX_CELL_LINES, MAX_CELL_CHARS] = [6, 300];

/** Whether code is short enough for a cell of a table. */
export function fitsCell(tree: HtmlTree, node: number): boolean {
  const text = pieceText(tree, node);
  return text.length <= MAX_CELL_CHARS && text.split("\n", MAX_CELL_LINES + 1).length <= MAX_CELL_LINES;
}

/** The text of code, and of the pieces of the same listing after it. */
function listingText(tree: HtmlTree, node: number): string {
  const end = tree.end[tree.parent[node] ?? 0] ?? 0;
  const pieces = [pieceText(tree, node)];
  let piece = node;
  for (let next = tree.end[node] ?? end; next < end; next = tree.end[next] ?? end) {
    if (tree.tag[next] === TEXT && tree.isBlank(next)) continue;
    if (!isSameListing(tree, piece, next)) break;
    piece = next;
    pieces.push(pieceText(tree, next));
  }
  return pieces.join("\n");
}

/** Whether two siblings show one listing: blocks of `code`, with what they print in `pre`. */
function isSameListing(tree: HtmlTree, first: number, second: number): boolean {
  const tags = [tree.tag[first], tree.tag[second]];
  if (first < 0 || !tags.includes(CODE)) return false;
  return [first, second].every((node) => tree.tag[node] === PRE || isCodeBlock(tree, node));
}

function isCodeBlock(tree: HtmlTree, node: number): boolean {
  return tree.tag[node] === CODE && showsLines(tree, node) && !holdsAny(tree, node, HOLDS_LINES);
}

/** The lines of one element. Those in `code` may be indented as the source around them is. */
function pieceText(tree: HtmlTree, node: number): string {
  const text = codeText(tree, node);
  const lines = text.replace(BLANK_START, "").trimEnd().split("\n");
  const isIndented = tree.tag[node] === CODE && BLANK_START.test(text);
  const indents = lines.filter((line) => line !== "").map((line) => line.search(/\S/));
  const indent = isIndented ? Math.min(...indents.filter((count) => count >= 0)) : 0;
  return lines.map((line) => line.slice(indent)).join("\n");
}

/** Writes `code`, `kbd`, `samp`, `tt` as a code span, or as a fenced block when it shows lines. */
export function writeCode(conversion: Conversion, node: number): void {
  const { tree } = conversion;
  if (conversion.style !== "paragraph") writeCodeSpan(conversion, node);
  else if (holdsAny(tree, node, HOLDS_LINES)) conversion.block(node);
  else if (showsLines(tree, node) || holdsAny(tree, node, BREAKS)) writePre(conversion, node);
  else writeCodeSpan(conversion, node);
}

/** Writes `div`, as a fenced block when it shows lines of code. */
export function writeBox(conversion: Conversion, node: number): void {
  if (conversion.style === "paragraph" && isCodeBox(conversion.tree, node)) writePre(conversion, node);
  else conversion.block(node);
}

function showsLines(tree: HtmlTree, node: number): boolean {
  if (!tree.mayHave(node, NAMED)) return false;
  const style = tree.attribute(node, "style") ?? "";
  return (
    KEEPS_LINES.test(style) || IS_BLOCK.test(style) || BLOCK_CLASS.test(tree.attribute(node, "class") ?? "")
  );
}

/** Whether a `div` is an editor, or a box of text whose line breaks readers see as those of code. */
function isCodeBox(tree: HtmlTree, node: number): boolean {
  if (!tree.mayHave(node, NAMED)) return false;
  const className = tree.attribute(node, "class") ?? "";
  if (EDITOR_CLASS.test(className)) return true;
  const style = tree.attribute(node, "style") ?? "";
  if (style !== "" && KEEPS_LINES.test(style) && IS_TYPEWRITER.test(style)) return true;
  const isNamed = (tree.attribute(node, "data-lang") ?? tree.attribute(node, "data-language")) !== undefined;
  if (!isNamed || !CODE_BOX.test(className) || holdsAny(tree, node, BOXES)) return false;
  return tree.textContent(node).trim().includes("\n");
}

function holdsAny(tree: HtmlTree, node: number, tags: Uint8Array): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) if (tags[tree.tag[inner] ?? 0] === 1) return true;
  return false;
}

/** Writes a fenced block. Empty code writes nothing. */
export function writeFence(conversion: Conversion, code: string, language: string): void {
  const text = code.replace(BLANK_START, "").trimEnd();
  if (text === "") return;
  const fence = "`".repeat(Math.max(3, longestRun(text) + 1));
  conversion.writer.block(`${fence}${language}\n${text}\n${fence}`);
}

/** The text of code line by line, without line numbers, controls and language labels. */
export function codeText(tree: HtmlTree, node: number): string {
  const parts: string[] = [];
  collectCode(tree, onlyCodeOf(tree, node) ?? node, parts, labelInside(tree, node));
  return withoutLineCount(readAgain(parts.join("")).replaceAll("\u00a0", " ").replaceAll("\u200b", ""));
}

export function isGutter(tree: HtmlTree, node: number): boolean {
  if (!tree.mayHave(node, GUTTER_ATTRIBUTES)) return false;
  const className = tree.attribute(node, "class") ?? "";
  const isMarked =
    GUTTER_CLASS.test(className) ||
    tree.attribute(node, "data-line-number") !== undefined ||
    UNSELECTABLE.test(tree.attribute(node, "style") ?? "");
  return isMarked && /^[\d\s]*$/.test(tree.textContent(node));
}

/** @param label - a part that is not code; -1 for none */
function collectCode(tree: HtmlTree, node: number, parts: string[], label: number): void {
  const end = tree.end[node] ?? 0;
  for (let child = node + 1; child < end; child = tree.end[child] ?? end) {
    if (child === label) continue;
    const tag = tree.tag[child] ?? 0;
    if (tag === TEXT) parts.push(tree.text(child));
    else if (tag === BREAK) parts.push("\n");
    else if (NOT_CODE[tag] !== 1 && !isGutter(tree, child) && !isHover(tree, child))
      collectElement(tree, child, parts, label);
  }
}

function isHover(tree: HtmlTree, node: number): boolean {
  if (!tree.mayHave(node, HOVERS)) return false;
  return HOVER_CLASS.test(tree.attribute(node, "class") ?? "") || tree.attribute(node, "role") === "tooltip";
}

function collectElement(tree: HtmlTree, node: number, parts: string[], label: number): void {
  const isLine = LINES[tree.tag[node] ?? 0] === 1;
  const previous = isLine ? -1 : lineBefore(tree, node);
  if (isLine || previous >= 0) endLine(parts);
  if (previous >= 0 && tree.end[previous] === previous + 1) parts.push("\n");
  collectCode(tree, node, parts, label);
  if (isLine) endLine(parts);
}

/** The line of code right before this one; -1 when the element is not a line or has text before it. */
function lineBefore(tree: HtmlTree, node: number): number {
  const parent = tree.parent[node] ?? 0;
  let previous = node - 1;
  if (previous <= parent || !isLineElement(tree, node)) return -1;
  while (tree.parent[previous] !== parent) previous = tree.parent[previous] ?? parent;
  return isLineElement(tree, previous) ? previous : -1;
}

function isLineElement(tree: HtmlTree, node: number): boolean {
  return tree.mayHave(node, GUTTER_ATTRIBUTES) && LINE_CLASS.test(tree.attribute(node, "class") ?? "");
}

function endLine(parts: string[]): void {
  const last = parts.at(-1);
  if (last !== undefined && !last.endsWith("\n")) parts.push("\n");
}

function writeCodeSpan(conversion: Conversion, node: number): void {
  const { tree, run } = conversion;
  const raw = foldText(codeText(tree, node));
  const code = raw.trim();
  if (raw.startsWith(" ")) run.space();
  if (code !== "") {
    const link = conversion.link === undefined ? onlyLink(tree, node) : -1;
    if (link >= 0) writeLinked(conversion, link, () => run.verbatim(codeSpan(code)));
    else run.verbatim(codeSpan(code));
  }
  if (raw.endsWith(" ")) run.space();
}

/** The link that is the code's only child, -1 when there is none. */
function onlyLink(tree: HtmlTree, node: number): number {
  const child = node + 1;
  const isOnlyChild = child < (tree.end[node] ?? 0) && tree.end[child] === tree.end[node];
  return isOnlyChild && tree.tag[child] === ANCHOR ? child : -1;
}

/** Wraps code in backticks, one more than the longest run inside. */
function codeSpan(code: string): string {
  const fence = "`".repeat(longestRun(code) + 1);
  const isPadded = code.startsWith("`") || code.endsWith("`");
  return isPadded ? `${fence} ${code} ${fence}` : fence + code + fence;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return longest;
}

/**
 * Drops lines that only number the other lines: `1`, code, `2`, code. Blank lines of code may be missing.
 * Code that does not start that way, or consists of little more than digits, stays unchanged.
 */
function withoutLineCount(code: string): string {
  if (!/^\s*1\s*\n/.test(code)) return code;
  const lines = code.trim().split("\n");
  const kept: string[] = [];
  let next = 1;
  let isCounted = false;
  for (const line of lines) {
    const isCount = line.trim() === String(next);
    if (!isCount && !isCounted) return code;
    if (!isCount) kept.push(line);
    else if (isCounted) kept.push("");
    if (isCount) next++;
    isCounted = isCount;
  }
  const filled = kept.filter((line) => line.trim() !== "");
  return next > 2 && filled.length * 2 >= next - 1 ? kept.join("\n") : code;
}
