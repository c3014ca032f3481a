import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { type HtmlTree, TEXT, tagId } from "@pergamon-dev/html/parser/tree";
import { textOf } from "../structured/text-of.ts";
import { distanceFromHeading, type PageParts, weightOfPlace } from "./page-parts.ts";
import { type ReadDate, readDate } from "./read-date.ts";

const TIME = tagId("time");
const NAMED = new AttributeNames("class id datetime data-testid");
const DATED = /date|time|publish|posted|datum|fecha|data-|timestamp|byline|meta/i;
const OTHERS = /comment|related|recommend|copyright|footer|trending|popular|sidebar|event|reply|quote/i;
const CHANGED =
  /updat|modif|aktualisi|actualiz|mis à jour|mise à jour|aggiornat|изменен|uppdater|bijgewerkt|zaktualizow|更新/iu;
const MAX_LENGTH = 160;
const MAX_LOOKED_AT = 20_000;
/** If the publication date scores this much lower than the modification date, the latter counts for both. */
const MUCH = 0.5;
const NEAR = 600;
const FAR = 2000;

interface PageDates {
  readonly published: ReadDate | undefined;
  readonly modified: ReadDate | undefined;
}

interface Dated {
  readonly date: ReadDate;
  readonly score: number;
  readonly isChange: boolean;
}

/**
 * Publication and modification dates of the page's text as readers see them: near the heading, preferably in
 * markup.
 */
export function findDates(parts: PageParts): PageDates {
  const found = datesOn(parts).sort((one, other) => other.score - one.score);
  const published = found.find(({ isChange }) => !isChange);
  const modified = found.find(({ isChange }) => isChange);
  const isDoubtful = modified && (published?.score ?? 0) < modified.score - MUCH;
  return { published: (isDoubtful ? modified : published)?.date, modified: modified?.date };
}

function datesOn(parts: PageParts): Dated[] {
  const { tree } = parts;
  const found: Dated[] = [];
  for (let node = 1, left = MAX_LOOKED_AT; node < tree.size && left > 0; node++) {
    const text = datedText(tree, node);
    if (text === undefined) continue;
    left--;
    const dates = datesIn(text);
    if (dates.length === 0 || isOfOthers(parts, node) || parts.teased[node] === 1) continue;
    const place = weightOfPlace(parts, node);
    const sign = signOf(tree, node);
    const worth = place * (sign + nearness(distanceFromHeading(parts, node))) - lengthPenalty(text, sign);
    for (const { date, before } of dates) {
      const score = worth - (date.day === undefined ? 0.4 : 0);
      if (score > 0) found.push({ date, score, isChange: tellsChange(tree, node, before) });
    }
  }
  return found;
}

const MAX_IN_TEXT = 3;

/** The dates in a text, each with the text between it and the previous one. */
function datesIn(text: string): readonly { readonly date: ReadDate; readonly before: string }[] {
  const found: { readonly date: ReadDate; readonly before: string }[] = [];
  let rest = text;
  for (let left = MAX_IN_TEXT; left > 0; left--) {
    const date = readDate(rest);
    if (!date) break;
    const at = rest.indexOf(date.text);
    found.push({ date, before: rest.slice(0, at) });
    rest = rest.slice(at + date.text.length);
  }
  return found;
}

/** Text that may hold a date: the machine-readable attribute of an element, or a text with a year. */
function datedText(tree: HtmlTree, node: number): string | undefined {
  if (tree.tag[node] === TIME) return tree.attribute(node, "datetime") ?? textOf(tree, node, MAX_LENGTH);
  if (tree.tag[node] !== TEXT || tree.isBlank(node)) return undefined;
  const text = tree.text(node);
  if (/(?:1[6-9]|20)\d\d/.test(text)) return text.length > 400 ? undefined : text;
  return undefined;
}

/** Dates in sentences are of what these tell, unless names of elements say otherwise. */
function lengthPenalty(text: string, sign: number): number {
  if (text.length <= 80) return 0;
  return sign < 0.5 ? 1.2 : 0.35;
}

function signOf(tree: HtmlTree, node: number): number {
  if (tree.tag[node] === TIME) return 0.9;
  let at = tree.parent[node] ?? 0;
  for (let level = 0; level < 3 && at > 0; level++, at = tree.parent[at] ?? 0) {
    if (tree.tag[at] === TIME) return 0.9;
    if (tree.mayHave(at, NAMED) && DATED.test(namesOf(tree, at))) return 0.7 - level * 0.1;
  }
  return 0.3;
}

function nearness(distance: number): number {
  if (distance < -1200) return 0;
  if (distance < -NEAR) return 0.25;
  return distance < NEAR ? 0.8 : distance < FAR ? 0.35 : 0;
}

function namesOf(tree: HtmlTree, node: number): string {
  return `${tree.attribute(node, "class") ?? ""} ${tree.attribute(node, "id") ?? ""} ${tree.attribute(node, "data-testid") ?? ""}`.slice(
    0,
    300,
  );
}

/** True if the words before a date, or the names of its element, mark it as a modification date. */
function tellsChange(tree: HtmlTree, node: number, before: string): boolean {
  const own = /\p{L}/u.test(before) ? before : wordsBefore(tree, node);
  const names = [node, tree.parent[node] ?? 0]
    .filter((one) => tree.tag[one] !== TEXT)
    .map((one) => namesOf(tree, one));
  return CHANGED.test(own) || /updat|modif/i.test(names.join(" "));
}

/** The text before a node in its ancestors. */
function wordsBefore(tree: HtmlTree, node: number): string {
  for (let before = node - 1; before > Math.max(0, node - 8); before--) {
    if (tree.tag[before] !== TEXT || tree.isBlank(before)) continue;
    const text = tree.text(before);
    return text.length < MAX_LENGTH ? text : "";
  }
  return "";
}

/** True if an ancestor, up to the one with the heading, shows that the date belongs to something else. */
function isOfOthers({ tree, heading }: PageParts, node: number): boolean {
  let at = tree.parent[node] ?? 0;
  for (let level = 0; level < 8 && at > 0; level++, at = tree.parent[at] ?? 0) {
    if (at <= heading.node && heading.node < (tree.end[at] ?? 0)) return false;
    if (OTHERS.test(namesOf(tree, at))) return true;
  }
  return false;
}
