import { type HtmlTree, tagId } from "../../packages/html/src/parser/tree.ts";
import { withoutBuilderCodes } from "../../packages/html/src/markdown/conversion.ts";
import { codeText, isGutter } from "../../packages/html/src/markdown/code.ts";
import { isCodeBadge, onlyCodeOf } from "../../packages/html/src/markdown/code-badge.ts";
import { isDrawnCopy, isIconName } from "../../packages/html/src/markdown/drawn-copy.ts";
import { isWindowNote } from "../../packages/html/src/markdown/left-out-text.ts";
import { protectedMail } from "../../packages/html/src/markdown/protected-mail.ts";

const ANCHOR = tagId("a");
const HEADING = /^h[1-6]$/u;
const PRE = tagId("pre");
const EDIT_LINK = "mw-editsection";

/** Why the Markdown leaves an element of the main content out on purpose; undefined for all that it must keep. */
export function whyLeftOut(tree: HtmlTree, node: number): string | undefined {
  if (isDrawnCopy(tree, node)) return "drawn, and said beside it";
  if (isIconName(tree, node)) return "names of icons";
  if (isCodeBadge(tree, node)) return "what code is written in";
  if (protectedMail(tree, node) !== undefined) return "instead of an address that is written";
  if (tree.attributeStartsWith(node, "class", EDIT_LINK)) return "links to edit";
  if (isGutter(tree, node) || isLineCount(tree, node)) return "numbers of lines";
  if (isBesideCode(tree, node)) return "what offers to run code";
  if (tree.tag[node] === ANCHOR && isHeadingMark(tree, node)) return "what a heading calls itself";
  return undefined;
}

/** The same for a text. */
export function whyTextLeftOut(tree: HtmlTree, node: number): string | undefined {
  const text = tree.text(node);
  if (isWindowNote(text)) return "what a link does with its window";
  return withoutBuilderCodes(text) === text ? undefined : "codes of page builders";
}

/** A number alone in code that counts lines. */
function isLineCount(tree: HtmlTree, node: number): boolean {
  if (!/^\d+$/u.test(tree.textContent(node).trim())) return false;
  const code = codeAround(tree, node);
  if (code < 0) return false;
  const counted = linesOfFigures(tree.textContent(code));
  return counted > 2 && linesOfFigures(codeText(tree, code)) === 0;
}

function linesOfFigures(code: string): number {
  return code.match(/^\s*\d+$/gmu)?.length ?? 0;
}

/** A link next to the only code of its block. */
function isBesideCode(tree: HtmlTree, node: number): boolean {
  if (tree.tag[node] !== ANCHOR) return false;
  const block = codeAround(tree, node);
  const code = block < 0 ? undefined : onlyCodeOf(tree, block);
  return code !== undefined && (node < code || node >= (tree.end[code] ?? 0));
}

/** The `pre` around an element, -1 when there is none. */
function codeAround(tree: HtmlTree, node: number): number {
  let around = tree.parent[node] ?? -1;
  while (around > 0 && tree.tag[around] !== PRE) around = tree.parent[around] ?? -1;
  return around > 0 ? around : -1;
}

function isHeadingMark(tree: HtmlTree, node: number): boolean {
  if (!tree.textContent(node).trim().startsWith("#")) return false;
  for (let around = node; around > 0; around = tree.parent[around] ?? -1)
    if (HEADING.test(tree.nameOf(around))) return true;
  return false;
}
