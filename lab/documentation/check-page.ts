import { parsePage } from "../../packages/html/src/index.ts";
import { isHidden } from "../../packages/html/src/markdown/hidden.ts";
import { decodeBody } from "../../packages/html/src/parser/decode.ts";
import { parseHtml } from "../../packages/html/src/parser/parse.ts";
import { HEADING, tagSet } from "../../packages/html/src/parser/tag-traits.ts";
import { type HtmlTree, tagId, TEXT } from "../../packages/html/src/parser/tree.ts";

export const KINDS = ["heading", "code", "table", "paragraph"] as const;
export type Kind = (typeof KINDS)[number];

/** A part of a page that its Markdown lacks. */
export interface Lost {
  readonly kind: Kind;
  readonly text: string;
}

interface Checked {
  readonly all: Readonly<Record<Kind, number>>;
  readonly lost: readonly Lost[];
}

const [PRE, TABLE, PARAGRAPH] = ["pre", "table", "p"].map(tagId);
const MAIN_NAMES = /^(?:main|content|main-content|bodycolumn|document|contents)$/;
/** Where links and pictures lead, which is none of their text. */
const DESTINATION = /\]\((?:[^()\s]|\([^()\s]*\))*(?:\s"[^"]*")?\)/g;
const WAYS = tagSet("nav footer aside script style noscript template svg form button select math");
/** Levels above a heading within which its text begins. */
const SECTION_LEVELS = 4;
const SIDES = /(?:^|\s)(?:sphinx)?sidebar(?:\s|$)/i;
/** Share of links from which a table or a named box is navigation. */
const MAX_LINKS = 0.6;
/** Numbers of lines of code. */
const NUMBERS = /(?:^|\s)(?:linenos?|lineno|line-numbers?|ln)(?:\s|$)/;
/** Boxes of navigation that generators write without `nav`. */
const WAYS_NAMES =
  /(?:^|[\s_-])(?:nav\w*|header|footer|sidebar|toc|menu\w*|breadcrumbs?|related|sphinxsidebar|toolbar|search\w*|table-of-contents|contents)(?:[\s_-]|$)/i;

/** Compares the main part of a page of documentation with its Markdown. */
export function checkPage(bytes: Uint8Array, path: string): Checked {
  const page = parsePage(bytes, { url: `http://docs.example${path}`, contentType: "text/html" });
  const markdown = page.markdown();
  const words = markdown.replace(DESTINATION, "]").replaceAll("<br>", " ");
  const tree = parseHtml(decodeBody(bytes, "text/html"));
  const headings = squash(words.split("\n").filter((line) => /^[>\s\-\d.]*#{1,6} /.test(line)).join("\n"));
  const text = squash(words);
  const fences = squash(markdown);
  const all = { heading: 0, code: 0, table: 0, paragraph: 0 };
  const lost: Lost[] = [];
  for (const { kind, node } of partsOf(tree)) {
    const written = textOf(tree, node);
    const wanted = squash(written);
    if (wanted.length < 2 || (kind === "heading" && !isOfText(tree, node, wanted))) continue;
    all[kind]++;
    const where = kind === "heading" ? headings : kind === "code" ? fences : text;
    const isThere =
      kind === "table" ? cellsOf(tree, node).every((cell) => text.includes(cell)) : where.includes(wanted);
    if (!isThere) lost.push({ kind, text: written.replace(/\s+/g, " ").trim() });
  }
  return { all, lost };
}

/** The headings, blocks of code, tables and paragraphs of the main part, without navigation. */
function* partsOf(tree: HtmlTree): Iterable<{ readonly kind: Kind; readonly node: number }> {
  const main = mainOf(tree);
  const end = tree.end[main] ?? 0;
  for (let node = main + 1; node < end; node++) {
    const tag = tree.tag[node] ?? 0;
    if (tag === TEXT) continue;
    const kind = kindOf(tag);
    if (kind === "table" && !isData(tree, node)) continue;
    if (kind === undefined) {
      if (isWay(tree, node, tag)) node = (tree.end[node] ?? end) - 1;
      continue;
    }
    if (isHidden(tree, node)) node = (tree.end[node] ?? end) - 1;
    else yield { kind, node };
  }
}

function kindOf(tag: number): Kind | undefined {
  if (HEADING[tag] === 1) return "heading";
  if (tag === PRE) return "code";
  if (tag === TABLE) return "table";
  return tag === PARAGRAPH ? "paragraph" : undefined;
}

function isWay(tree: HtmlTree, node: number, tag: number): boolean {
  if (WAYS[tag] === 1 || isHidden(tree, node)) return true;
  const names = `${tree.attribute(node, "class") ?? ""} ${tree.attribute(node, "id") ?? ""}`;
  if (SIDES.test(names)) return true;
  return WAYS_NAMES.test(names) && (!holdsHeading(tree, node) || linkShare(tree, node) > MAX_LINKS);
}

/** Whether a heading has words and text below it, and is not merely a link to another page. */
function isOfText(tree: HtmlTree, heading: number, words: string): boolean {
  if (!/\p{L}/u.test(words) || linkShare(tree, heading, (href) => !href.includes("#")) === 1) return false;
  const level = tree.tag[heading] ?? 0;
  let around = heading;
  for (let up = 0; up < SECTION_LEVELS; up++) around = Math.max(0, tree.parent[around] ?? 0);
  const end = tree.end[around] ?? tree.size;
  for (let node = tree.end[heading] ?? end; node < end; node++) {
    const tag = tree.tag[node] ?? 0;
    if (HEADING[tag] === 1 && tag <= level) return false;
    if (tag === TEXT && !tree.isBlank(node)) return true;
    if (tag !== TEXT && isWay(tree, node, tag)) node = (tree.end[node] ?? end) - 1;
  }
  return false;
}

/** Tables of links are navigation; tables of one row, or around others, lay out. */
function isData(tree: HtmlTree, table: number): boolean {
  const end = tree.end[table] ?? 0;
  let rows = 0;
  for (let node = table + 1; node < end; node++) {
    if (tree.tag[node] === TABLE) return false;
    if (tree.nameOf(node) === "tr") rows++;
  }
  return rows > 1 && linkShare(tree, table) <= MAX_LINKS;
}

/** Share of the text that stands in links. */
function linkShare(tree: HtmlTree, node: number, counts = (_href: string): boolean => true): number {
  const end = tree.end[node] ?? 0;
  let linked = 0;
  for (let inner = node + 1; inner < end; inner++) {
    const href = tree.nameOf(inner) === "a" ? tree.attribute(inner, "href") : undefined;
    if (href === undefined || !counts(href)) continue;
    linked += squash(textOf(tree, inner)).length;
    inner = (tree.end[inner] ?? end) - 1;
  }
  return linked / Math.max(1, squash(textOf(tree, node)).length);
}

function holdsHeading(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) if (HEADING[tree.tag[inner] ?? 0] === 1) return true;
  return false;
}

/** The element that a page marks as its main part, else its body. */
function mainOf(tree: HtmlTree): number {
  let named = -1;
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] === TEXT) continue;
    if (tree.nameOf(node) === "main" || tree.attribute(node, "role") === "main") return node;
    const isNamed = MAIN_NAMES.test(tree.attribute(node, "id") ?? "") && tree.nameOf(node) === "div";
    if (named < 0 && isNamed) named = node;
  }
  return named < 0 ? Math.max(0, tree.tag.indexOf(tagId("body"))) : named;
}

function textOf(tree: HtmlTree, node: number): string {
  const end = tree.end[node] ?? 0;
  let text = "";
  for (let inner = node + 1; inner < end; inner++) {
    const tag = tree.tag[inner] ?? 0;
    if (tag === TEXT) text += tree.text(inner);
    else if (WAYS[tag] === 1 || isHidden(tree, inner) || NUMBERS.test(tree.attribute(inner, "class") ?? ""))
      inner = (tree.end[inner] ?? end) - 1;
  }
  return text;
}

function cellsOf(tree: HtmlTree, table: number): readonly string[] {
  const end = tree.end[table] ?? 0;
  const cells: string[] = [];
  for (let node = table + 1; node < end; node++) {
    const name = tree.nameOf(node);
    if (name !== "td" && name !== "th") continue;
    cells.push(squash(textOf(tree, node)));
    node = (tree.end[node] ?? end) - 1;
  }
  return cells;
}

/** Letters and digits alone: what Markdown adds is left out. */
function squash(text: string): string {
  return text.normalize("NFKC").toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
}
