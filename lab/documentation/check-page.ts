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
/** Boxes of navigation that generators write without `nav`. */
const WAYS_NAMES =
  /(?:^|[\s_-])(?:nav\w*|header|footer|sidebar|toc|menu\w*|breadcrumbs?|related|sphinxsidebar|toolbar|search\w*|table-of-contents|contents)(?:[\s_-]|$)/i;

/** Compares the main part of a page of documentation with its Markdown. */
export function checkPage(bytes: Uint8Array, path: string): Checked {
  const page = parsePage(bytes, { url: `http://docs.example${path}`, contentType: "text/html" });
  const markdown = page.markdown().replace(DESTINATION, "]").replaceAll("<br>", " ");
  const tree = parseHtml(decodeBody(bytes, "text/html"));
  const headings = squash(markdown.split("\n").filter((line) => /^[>\s\-\d.]*#{1,6} /.test(line)).join("\n"));
  const fences = squash(markdown);
  const all = { heading: 0, code: 0, table: 0, paragraph: 0 };
  const lost: Lost[] = [];
  for (const { kind, node } of partsOf(tree)) {
    const text = textOf(tree, node);
    const wanted = squash(text);
    if (wanted.length < 2) continue;
    all[kind]++;
    const where = kind === "heading" ? headings : fences;
    const isThere =
      kind === "table" ? cellsOf(tree, node).every((cell) => fences.includes(cell)) : where.includes(wanted);
    if (!isThere) lost.push({ kind, text: text.replace(/\s+/g, " ").trim() });
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
  return WAYS_NAMES.test(names) && !holdsHeading(tree, node);
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
    else if (WAYS[tag] === 1 || isHidden(tree, inner)) inner = (tree.end[inner] ?? end) - 1;
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
