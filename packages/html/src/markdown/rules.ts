import { type HtmlTree, tagId } from "../parser/tree.ts";
import { writeBox, writeCode, writePre } from "./code.ts";
import { opensPart } from "./hidden.ts";
import type { Conversion, Rule } from "./conversion.ts";
import { escapeHeadingEnd } from "./escape.ts";
import type { Mark } from "./piece.ts";
import { headingText, writeLink } from "./links.ts";
import { lowered, raised } from "./small-signs.ts";
import { writeInput, writeItem, writeList, writeLooseItem } from "./lists.ts";
import { writeFrame, writeImage, writePlayer } from "./media.ts";
import { writeLooseCell, writeTable } from "./tables.ts";
import { mathSource, pictureSource } from "./math-source.ts";
import { AttributeNames } from "../parser/attribute-names.ts";

const OPTION = tagId("option");
const NAMES = ["name", "id", "class", "aria-label"];
const NAMED = new AttributeNames(NAMES.join(" "));
/**
 * Names of fields that choose a product variant. Fields that sort, filter or ask for an address are not
 * content.
 */
const OF_PRODUCT =
  /(?:^|[^a-z])(?:variants?|variations?|attributes?|options?|swatch(?:es)?|colou?rs?|sizes?|materials?|finish|flavou?rs?|farbe|größe|taille|couleur|talla|maat|kleur)(?![a-z])/i;
const NOT_OF_PRODUCT =
  /sort|filter|order-?by|quantity|qty|country|state|region|currency|language|per-?page|rating/i;
const MIN_CHOICES = 2;
const MAX_CHOICES = 100;
const MAX_LENGTH = 80;

/**
 * Writes `select` as the values that a product can have, the chosen one in bold. Other fields are not
 * content.
 */
function writeChoices(conversion: Conversion, node: number): void {
  const { tree } = conversion;
  if (!choosesProduct(tree, node)) return;
  const choices = choicesOf(tree, node);
  if (choices.length < MIN_CHOICES || choices.length > MAX_CHOICES) return;
  if (conversion.style !== "paragraph") {
    conversion.run.text(choices.map(({ text }) => text).join(", "));
    return;
  }
  conversion.boundary();
  choices.forEach((choice, at) => {
    if (at > 0) conversion.writer.nextJoin = "line";
    writeItem(conversion, "- ", () => writeChoice(conversion, choice));
  });
  conversion.writer.nextJoin = "paragraph";
}

function writeChoice(conversion: Conversion, { text, isChosen }: Choice): void {
  const write = () => conversion.run.text(text);
  if (isChosen) conversion.marked({ kind: "strong" }, write);
  else write();
}

function choosesProduct(tree: HtmlTree, node: number): boolean {
  if (!tree.mayHave(node, NAMED)) return false;
  const names = NAMES.map((name) => tree.attribute(node, name) ?? "")
    .join(" ")
    .replace(/([a-z])([A-Z])/g, "$1-$2");
  return OF_PRODUCT.test(names) && !NOT_OF_PRODUCT.test(names);
}

interface Choice {
  readonly text: string;
  readonly isChosen: boolean;
}

/** Drops a first entry without a value, which only asks the reader to choose. */
function choicesOf(tree: HtmlTree, node: number): readonly Choice[] {
  const choices: Choice[] = [];
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end && choices.length <= MAX_CHOICES; inner++) {
    if (tree.tag[inner] !== OPTION || tree.attribute(inner, "value") === "") continue;
    const text = tree.textContent(inner).replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
    const isChosen = tree.attribute(inner, "selected") !== undefined;
    if (text !== "") choices.push({ text, isChosen });
  }
  return choices;
}

/** Writes `math` and `script type="math/tex"`: `$…$` in a line, `$$…$$` on a separate line. */
function writeMath(conversion: Conversion, node: number): void {
  const source = mathSource(conversion.tree, node);
  if (source) conversion.formula(source);
}

/** Writes a picture, as its formula where it shows one. */
function writePicture(conversion: Conversion, node: number): void {
  const tex = pictureSource(conversion.tree, node);
  if (tex === undefined) writeImage(conversion, node);
  else conversion.run.verbatim(`$${tex}$`);
}

const ANCHOR = tagId("a");
const H1 = tagId("h1");

const STRONG: Mark = { kind: "strong" };
const EMPHASIS: Mark = { kind: "emphasis" };
const STRIKE: Mark = { kind: "strike" };

/** The rule of each element. Elements not listed are inline: only their children are written. */
const table: readonly (readonly [names: string, rule: Rule])[] = [
  [
    `address article aside body caption center dd details dialog dir dl fieldset figcaption figure
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
  ["div", writeBox],
  ["pre listing xmp", writePre],
  ["code kbd samp tt", writeCode],
  ["table", writeTable],
  ["td th", writeLooseCell],
  ["a", writeLink],
  ["img", writePicture],
  ["video audio", writePlayer],
  ["iframe embed object", writeFrame],
  ["blockquote", writeQuote],
  ["hr", writeRule],
  ["br", (conversion) => conversion.run.lineBreak()],
  ["q", (conversion, node) => writeEnclosed(conversion, node, ['"', '"'])],
  ["rt", (conversion, node) => writeEnclosed(conversion, node, ["(", ")"])],
  ["sup", writeSuperscript],
  ["sub", writeSubscript],
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
  // Marks are compared by identity, so each gets a new object.
  conversion.marked({ ...mark }, () => conversion.children(node));
}

/** Writes `dt` and `summary` as a separate bold line. */
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
  // After a list marker, dashes would turn the whole line into a thematic break.
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

/** An amount of whole currency units, whose hundredths may follow as a superscript. */
const AMOUNT = /[$€£¥]\s?\d[\d,]*$/;

/** What may have a power or an index: a letter, a number, the end of brackets. */
const BASE = /[\p{L}\p{M}\p{N})\]|]$/u;

/**
 * Writes `sup` as its text. After digits, digits are a power (`10^3`) or the cents of a price; a number after anything else is
 * written raised, so that `x²` and `s⁻¹` are no `x2` and `s-1`. Words such as `rd` stay words.
 */
function writeSuperscript(conversion: Conversion, node: number): void {
  const { run, tree } = conversion;
  const before = run.textBefore;
  const text = tree.textContent(node).trim();
  const power = raised(text);
  if (/\d$/.test(before) && !holdsLink(tree, node)) {
    if (/^\d\d$/.test(text) && AMOUNT.test(before)) run.text(".");
    else if (/^[-−+]?\d+$/.test(text)) run.text("^");
  } else if (power !== undefined && BASE.test(before) && !holdsLink(tree, node)) {
    run.text(power);
    return;
  }
  conversion.children(node);
}

function writeSubscript(conversion: Conversion, node: number): void {
  const { run, tree } = conversion;
  const text = tree.textContent(node).trim();
  const index = lowered(text);
  const hasBase = /^\d/.test(text)
    ? BASE.test(run.textBefore)
    : /(?<![\p{L}\p{M}])\p{L}$/u.test(run.textBefore);
  if (index !== undefined && hasBase && !holdsLink(tree, node)) run.text(index);
  else conversion.children(node);
}

function holdsLink(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) if (tree.tag[inner] === ANCHOR) return true;
  return false;
}

/**
 * A button's label is content only when it stands for a heading or opens a part of the page. After the words
 * of a heading, the button only offers an action on it.
 */
function writeButton(conversion: Conversion, node: number): void {
  const opensContent = opensPart(conversion.tree, node);
  const isAside = !opensContent && conversion.isInWordedHeading && !conversion.run.isEmpty;
  if (isAside) return;
  if (conversion.style === "heading") conversion.children(node);
  else if (opensContent && !conversion.run.isInside("link")) conversion.block(node);
}
