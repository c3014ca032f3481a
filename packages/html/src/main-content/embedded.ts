import { parseHtml } from "../parser/parse.ts";
import { selectAll, type Selection } from "../selection/selection.ts";
import { type HtmlTree, TEXT, tagId } from "../parser/tree.ts";
import { findJsonTexts, type JsonText } from "./json-texts.ts";
import { hasText } from "../selection/scriptless.ts";

const BASE = tagId("base");
const META = tagId("meta");
const SCRIPT = tagId("script");
const TITLE = tagId("title");

/** Pages with less text than this leave their content to scripts. */
const BARE_PAGE_TEXT = 300;
/** Found texts count as the page from this much on. */
const MIN_EMBEDDED_TEXT = 400;
/** Shorter attributes and scripts hold no page. */
const MIN_SOURCE = 1000;
const MAX_SOURCES = 50;

/**
 * The content of a page that is bare without scripts but carries its texts as JSON, in a script or in an attribute:
 * posts, articles. A page of its own, with title and metadata of the first one; undefined when there is none.
 */
export function embeddedContent(selection: Selection): Selection | undefined {
  const { tree, roots } = selection;
  const isWhole = roots.length === 1 && roots[0] === 0;
  if (!isWhole || hasText(tree, selection.skipped, BARE_PAGE_TEXT)) return undefined;
  const texts = jsonSources(tree).map((source) => mainTexts(findJsonTexts(source)));
  const [longest] = texts.sort((a, b) => lengthOf(b) - lengthOf(a));
  if (!longest || lengthOf(longest) < MIN_EMBEDDED_TEXT) return undefined;
  return selectAll(parseHtml(headOf(tree) + longest.map(writeText).join("\n")));
}

/** JSON scripts and long attributes that begin like JSON, in document order. */
function jsonSources(tree: HtmlTree): readonly string[] {
  const sources: string[] = [];
  for (let node = 1; node < tree.size && sources.length < MAX_SOURCES; node++) {
    if (tree.tag[node] === TEXT) continue;
    for (const [, value] of tree.attributes(node)) {
      if (value.length >= MIN_SOURCE && /^\s*[[{]/.test(value)) sources.push(value);
    }
    if (tree.tag[node] !== SCRIPT || !/json/i.test(tree.attribute(node, "type") ?? "")) continue;
    const script = tree.textContent(node);
    if (script.length >= MIN_SOURCE) sources.push(script);
  }
  return sources;
}

/** The texts under the one key that has most of the text. */
function mainTexts(texts: readonly JsonText[]): readonly JsonText[] {
  const lengths = new Map<string, number>();
  for (const { key, value } of texts) lengths.set(key, (lengths.get(key) ?? 0) + value.length);
  const [main] = [...lengths].sort((a, b) => b[1] - a[1]);
  return main ? texts.filter(({ key }) => key === main[0]) : [];
}

function lengthOf(texts: readonly JsonText[]): number {
  return texts.reduce((sum, { value }) => sum + value.length, 0);
}

function writeText({ value, isMarkup, author }: JsonText): string {
  const text = isMarkup ? value : `<p>${escape(value)}</p>`;
  return `<article>${author === "" ? "" : `<p>${escape(author)}</p>`}${text}</article>`;
}

function headOf(tree: HtmlTree): string {
  const head: string[] = [];
  let title = "";
  for (let node = 1; node < tree.size; node++) {
    const tag = tree.tag[node];
    if (tag === TITLE && title === "") title = tree.textContent(node).trim();
    if (tag !== META && tag !== BASE) continue;
    const attributes = tree.attributes(node).map(([name, value]) => `${name}="${escape(value)}"`);
    head.push(`<${tree.nameOf(node)} ${attributes.join(" ")}>`);
  }
  const heading = title === "" ? "" : `<h1>${escape(title)}</h1>`;
  return `<head>${head.join("")}</head><body>${heading}`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
