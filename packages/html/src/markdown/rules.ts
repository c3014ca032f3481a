import { tagId } from "../parser/tree.ts";
import { writeChoices } from "./choices.ts";
import { writeCode, writePre } from "./code.ts";
import type { Conversion, Rule } from "./conversion.ts";
import { escapeHeadingEnd } from "./escape.ts";
import type { Mark } from "./piece.ts";
import { headingText, writeLink } from "./links.ts";
import { writeInput, writeList, writeLooseItem } from "./lists.ts";
import { writeMath } from "./math.ts";
import { writeFrame, writeImage, writePlayer } from "./media.ts";
import { writeLooseCell, writeTable } from "./tables.ts";

const H1 = tagId("h1");

const STRONG: Mark = { kind: "strong" };
const EMPHASIS: Mark = { kind: "emphasis" };
const STRIKE: Mark = { kind: "strike" };

/** Which rule writes which elements. What is not listed is inline and written as its children. */
const table: readonly (readonly [names: string, rule: Rule])[] = [
  [
    `address article aside body caption center dd details dialog dir div dl fieldset figcaption figure
     footer form header hgroup html legend main nav p search section tbody tfoot thead tr`,
    writeBlock,
  ],
  ["h1 h2 h3 h4 h5 h6", writeHeading],
  ["strong b", (conversion, node) => writeMarked(conversion, node, STRONG)],
  ["em i", (conversion, node) => writeMarked(conversion, node, EMPHASIS)],
  ["del s strike", (conversion, node) => writeMarked(conversion, node, STRIKE)],
  ["dt summary", writeTerm],
  ["ul ol menu dir", writeList],
  ["li", writeLooseItem],
  ["input", writeInput],
  ["pre listing xmp", writePre],
  ["code kbd samp tt", writeCode],
  ["table", writeTable],
  ["td th", writeLooseCell],
  ["a", writeLink],
  ["img", writeImage],
  ["video audio", writePlayer],
  ["iframe embed object", writeFrame],
  ["blockquote", writeQuote],
  ["hr", writeRule],
  ["br", (conversion) => conversion.run.lineBreak()],
  ["q", (conversion, node) => writeEnclosed(conversion, node, ['"', '"'])],
  ["rt", (conversion, node) => writeEnclosed(conversion, node, ["(", ")"])],
  ["sup", writeSuperscript],
  ["math", writeMath],
  ["script", writeMath],
  ["button", writeButton],
  ["select", writeChoices],
  [
    `area canvas col colgroup datalist frame frameset head keygen map meter noembed noframes option param
     progress rp source style svg textarea title track`,
    () => undefined,
  ],
];

/** The rules by tag id. */
export const rules: readonly (Rule | undefined)[] = buildRules();

function buildRules(): (Rule | undefined)[] {
  const byTag: (Rule | undefined)[] = [];
  for (const [names, rule] of table) for (const name of names.trim().split(/\s+/)) byTag[tagId(name)] = rule;
  return byTag;
}

function writeBlock(conversion: Conversion, node: number): void {
  conversion.block(node);
}

function writeHeading(conversion: Conversion, node: number): void {
  if (conversion.style !== "paragraph") {
    conversion.block(node);
    return;
  }
  conversion.boundary();
  const text = headingText(conversion, node);
  const level = (conversion.tree.tag[node] ?? H1) - H1 + 1;
  if (text !== "") conversion.writer.block(`${"#".repeat(level)} ${escapeHeadingEnd(text)}`);
}

function writeMarked(conversion: Conversion, node: number, mark: Mark): void {
  // A fresh object each time: marks are compared by identity.
  conversion.marked({ ...mark }, () => conversion.children(node));
}

/** `dt` and `summary`: a bold line of its own. */
function writeTerm(conversion: Conversion, node: number): void {
  conversion.boundary();
  conversion.marked({ ...STRONG }, () => conversion.block(node));
}

function writeQuote(conversion: Conversion, node: number): void {
  if (conversion.style !== "paragraph") {
    conversion.block(node);
    return;
  }
  conversion.boundary();
  conversion.writer.container("> ", "> ", () => conversion.block(node));
}

function writeRule(conversion: Conversion): void {
  conversion.boundary();
  // Behind a list marker, dashes would make the whole line a rule.
  const isPossible =
    conversion.style === "paragraph" && conversion.writer.written > 0 && !conversion.writer.isAtMarker;
  if (isPossible) conversion.writer.rule();
}

function writeEnclosed(
  conversion: Conversion,
  node: number,
  [before, after]: readonly [string, string],
): void {
  conversion.run.text(before);
  conversion.children(node);
  conversion.run.text(after);
}

/** An amount of whole units, whose hundredths may follow as a superscript. */
const AMOUNT = /[$€£¥]\s?\d[\d,]*$/;

/** `sup`: its text, but digits behind digits are an exponent, or the cents of a price. */
function writeSuperscript(conversion: Conversion, node: number): void {
  const { run, tree } = conversion;
  const before = run.textBefore;
  if (/\d$/.test(before)) {
    const text = tree.textContent(node).trim();
    if (/^\d\d$/.test(text) && AMOUNT.test(before)) run.text(".");
    else if (/^[-−+]?\d+$/.test(text)) run.text("^");
  }
  conversion.children(node);
}

/**
 * A button's label is content only where it stands for a heading or opens a part of the page; behind the words of a
 * heading it offers something about it.
 */
function writeButton(conversion: Conversion, node: number): void {
  const opensContent = conversion.tree.attribute(node, "aria-expanded") !== undefined;
  const isAside = !opensContent && conversion.isInWordedHeading && !conversion.run.isEmpty;
  if (isAside) return;
  if (conversion.style === "heading") conversion.children(node);
  else if (opensContent && !conversion.run.isInside("link")) conversion.block(node);
}
