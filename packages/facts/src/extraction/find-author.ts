import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import { valueAfter } from "../structured/pairs.ts";
import { textOf } from "../structured/text-of.ts";
import { distanceFromHeading, type PageParts, weightOfPlace } from "./page-parts.ts";
import { isPersonName, opensByline, personIn } from "../structured/person-name.ts";

const NAMED = new AttributeNames(
  "class id rel itemprop href data-testid data-component data-author data-author-name data-qa",
);
const AUTHOR =
  /author|byline|by-line|autor|auteur|writer|firma|verfasser|contributor|journalist|redacteur|credit/i;
const EXACT =
  /(?:author|byline|autor|auteur|writer)[\w-]{0,12}(?:name|link)|(?:^|\s)(?:author|byline|autor|fn|vcard)(?:\s|$)/i;
const NOT_OWN =
  /comment|related|recommend|avatar|photo|image|caption|trending|popular|reviewer|sidebar|also|more-?from|reply|quote/i;
/** Class names of lines below headings that name the author among other things. */
const AROUND =
  /(?:post|entry|article|story|page)?-?(?:meta|info|header-?name|subhead-?name|details)(?:\s|$)/i;
const PROFILE =
  /\/(?:authors?|autor(?:es|en)?|auteurs?|people|person|profiles?|staff|by|writers?|contributors?|journalists?|redaktion|team|users?)\/[^/?#]{3,}/i;
const ANCHOR = tagId("a");

/** In characters from the heading. Lines further away rarely name the page's author. */
const FAR = 3000;
const MAX_LENGTH = 200;
/** Maximum characters before the words that open a byline, such as a date. */
const MAX_BEFORE = 60;
const MAX_LOOKED_AT = 20_000;
/** Minimum score of a name. */
const SURE = 0.42;

/** The author of the page's text as readers see it: from the line below the heading, or from markup. */
export function findAuthor(parts: PageParts): string | undefined {
  const scores = new Map<string, number>();
  const { tree } = parts;
  for (let node = 1, left = MAX_LOOKED_AT; node < tree.size && left > 0; node++) {
    const sign = signOf(parts, node);
    if (sign === 0) continue;
    left--;
    const weight = sign * weightOfPlace(parts, node) * nearness(distanceFromHeading(parts, node));
    if (weight < SURE / 2 || isOfOthers(parts, node) || parts.teased[node] === 1) continue;
    const name = namedAlone(tree, node) ?? nameIn(lineAt(tree, node), sign);
    if (name === undefined) continue;
    scores.set(name, Math.max(scores.get(name) ?? 0, weight) + (scores.has(name) ? 0.05 : 0));
  }
  const [best] = [...scores].sort(([, one], [, other]) => other - one);
  return best && best[1] >= SURE ? best[0] : undefined;
}

/** Likelihood that an element or text names the author, 0 to 1. */
function signOf(parts: PageParts, node: number): number {
  const { tree } = parts;
  if (tree.tag[node] === TEXT) return tree.isBlank(node) ? 0 : signOfText(parts, node);
  if (!tree.mayHave(node, NAMED)) return 0;
  if (/author/i.test(tree.attribute(node, "rel") ?? "")) return 0.95;
  const names = ["class", "id", "itemprop", "data-testid", "data-component", "data-qa"]
    .map((name) => tree.attribute(node, name) ?? "")
    .join(" ");
  if (EXACT.test(names)) return 0.9;
  if (AUTHOR.test(names)) return 0.8;
  if (AROUND.test(names)) return 0.55;
  const isProfile = tree.tag[node] === ANCHOR && PROFILE.test(tree.attribute(node, "href") ?? "");
  return isProfile && !isInText(tree, node) ? 0.7 : 0;
}

/** Whether a link stands in a paragraph, which tells of people who have not written it. */
function isInText(tree: HtmlTree, link: number): boolean {
  return textOf(tree, tree.parent[link] ?? 0, MAX_LENGTH).length >= MAX_LENGTH;
}

/** In the middle of a sentence, `by` refers to something else. */
function signOfText({ tree, layout: { offset } }: PageParts, node: number): number {
  const text = tree.text(node);
  const before = (offset[node] ?? 0) - (offset[tree.parent[node] ?? 0] ?? 0);
  if (before > MAX_BEFORE) return 0;
  return text.length < MAX_LENGTH && opensByline(`${text.trim()} `) ? 0.75 : 0;
}

/** A name that is a separate text in an element. Texts next to it are a role or a date. */
function namedAlone(tree: HtmlTree, node: number): string | undefined {
  if (tree.tag[node] === TEXT) return undefined;
  for (let inner = node + 1; inner < Math.min(tree.end[node] ?? 0, node + 40); inner++) {
    if (tree.tag[inner] !== TEXT || tree.isBlank(inner)) continue;
    const text = tree.text(inner).replace(/\s+/g, " ").trim();
    if (text.includes(" ") && isPersonName(text)) return text;
  }
  return undefined;
}

/** If the line says more than the author, the part that is a name. */
function nameIn(line: string, sign: number): string | undefined {
  const whole = sign > 0.6 ? personIn(line) : undefined;
  return (
    whole ??
    line
      .split(/\s*[|•·–—]\s*/u)
      .map((part) => personIn(part))
      .find((name) => name?.includes(" "))
  );
}

/** The text of an element. If the text only opens the line, includes what follows it. */
function lineAt(tree: HtmlTree, node: number): string {
  if (tree.tag[node] !== TEXT) return textOf(tree, node, MAX_LENGTH);
  const own = tree.text(node).trim();
  if (personIn(own) !== undefined) return own;
  return `${own} ${valueAfter(tree, node)}`.slice(0, MAX_LENGTH).trim();
}

function nearness(distance: number): number {
  if (distance < -600) return 0.5;
  return distance < 400 ? 1 : distance < FAR ? 0.85 : 0.7;
}

/** True if an ancestor shows that this is another person: a commenter, or the author of other texts. */
function isOfOthers({ tree, heading }: PageParts, node: number): boolean {
  let at = node;
  for (let level = 0; level < 8 && at > 0; level++, at = tree.parent[at] ?? 0) {
    if (tree.tag[at] === TEXT) continue;
    if (at !== node && at <= heading.node && heading.node < (tree.end[at] ?? 0)) return false;
    const names = `${tree.attribute(at, "class") ?? ""} ${tree.attribute(at, "id") ?? ""}`;
    if (NOT_OWN.test(names.slice(0, 300)) && !/author-?(?:image|photo|avatar)/i.test(names)) return true;
  }
  return false;
}
