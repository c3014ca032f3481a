import { AttributeNames } from "../parser/attribute-names.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";
import type { Conversion } from "./conversion.ts";
import { writeItem } from "./lists.ts";

const OPTION = tagId("option");
const NAMES = ["name", "id", "class", "aria-label"];
const NAMED = new AttributeNames(NAMES.join(" "));
/** Names of fields that choose what is sold. Fields that sort, filter or ask for an address are not content. */
const OF_PRODUCT =
  /(?:^|[^a-z])(?:variants?|variations?|attributes?|options?|swatch(?:es)?|colou?rs?|sizes?|materials?|finish|flavou?rs?|farbe|größe|taille|couleur|talla|maat|kleur)(?![a-z])/i;
const NOT_OF_PRODUCT =
  /sort|filter|order-?by|quantity|qty|country|state|region|currency|language|per-?page|rating/i;
const MIN_CHOICES = 2;
const MAX_CHOICES = 100;
const MAX_LENGTH = 80;

/** `select`: the values that a product can have, the chosen one in bold; other fields are not content. */
export function writeChoices(conversion: Conversion, node: number): void {
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

/** A first entry without a value only asks to choose. */
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
