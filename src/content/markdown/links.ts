import { resolveUrl } from "../html/base-url.ts";
import { HEADING } from "../html/tag-traits.ts";
import { type HtmlTree, TEXT, tagId } from "../html/tree.ts";
import type { Conversion } from "./conversion.ts";
import { foldText, type Mark } from "./inline-run.ts";

const SUPERSCRIPT = tagId("sup");

const SKIP_LINK =
  /^(?:skip|jump|go) (?:directly )?to (?:the )?(?:main |page )?(?:content|navigation|main|search|footer)\b/i;

/** Marks that a heading or footnote links itself with. */
const SELF_LINK = /^(?:[\s#¶§†^↩↑⤴⇧]|\u{1F517}|\ufe0e|\ufe0f)*$/u;

/** Addresses a reader can follow. */
const FOLLOWABLE = /^(?:https?|mailto|tel|ftp|sms|geo|magnet):/i;

/** `a`: a link; its text alone where there is nothing to follow. */
export function writeLink(conversion: Conversion, node: number): void {
  const href = conversion.tree.attribute(node, "href")?.trim() ?? "";
  if (href.startsWith("#") && writeFragmentLink(conversion, node)) return;
  writeLinked(conversion, node, () => conversion.children(node));
}

/** Writes `content` as the link of the anchor `node`; without one when the anchor leads nowhere or is inside a link. */
export function writeLinked(conversion: Conversion, node: number, content: () => void): void {
  const { tree } = conversion;
  const url = followableUrl(conversion, node);
  if (url === undefined || conversion.link !== undefined) {
    content();
    return;
  }
  const mark: Mark = { kind: "link", url, title: tree.attribute(node, "title") ?? "" };
  const heading = conversion.style === "paragraph" ? firstHeading(conversion, node) : -1;
  conversion.link = { mark, heading, hasText: hasText(tree, node) };
  if (heading < 0) conversion.run.open(mark);
  content();
  if (conversion.run.isUnused(mark)) writeLabel(conversion, node);
  conversion.run.close(mark);
  conversion.link = undefined;
}

/** Writes the children of a heading, inside the link that the heading carries for the anchor around it. */
export function writeHeadingText(conversion: Conversion, node: number): void {
  const { link } = conversion;
  if (link?.heading !== node) {
    conversion.children(node);
    return;
  }
  conversion.run.open(link.mark);
  conversion.children(node);
  conversion.run.close(link.mark);
}

/** Links within the page that are no content by themselves; tells whether `node` was one. */
function writeFragmentLink(conversion: Conversion, node: number): boolean {
  const { tree } = conversion;
  const text = foldText(tree.textContent(node)).trim();
  if (SKIP_LINK.test(text)) return true;
  if (text !== "" && SELF_LINK.test(text)) return true;
  if (!isFootnoteReference(tree, node) || text === "") return false;
  conversion.run.text(/^[\p{N}*†‡]+$/u.test(text) ? `[${text}]` : text);
  return true;
}

function isFootnoteReference(tree: HtmlTree, node: number): boolean {
  if (tree.tag[tree.parent[node] ?? 0] === SUPERSCRIPT) return true;
  if (tree.attribute(node, "role") === "doc-noteref") return true;
  const first = node + 1;
  return tree.tag[first] === SUPERSCRIPT && tree.end[first] === tree.end[node];
}

function followableUrl(conversion: Conversion, node: number): string | undefined {
  const href = conversion.tree.attribute(node, "href")?.trim() ?? "";
  if (href === "" || href === "#") return undefined;
  const url = resolveUrl(href, conversion.baseUrl);
  return url !== undefined && FOLLOWABLE.test(url) ? url : undefined;
}

/** What a link without text and image says of itself. */
function writeLabel(conversion: Conversion, node: number): void {
  const label =
    conversion.tree.attribute(node, "aria-label") ?? conversion.tree.attribute(node, "title") ?? "";
  conversion.run.text(label.trim());
}

function firstHeading(conversion: Conversion, node: number): number {
  const { tree } = conversion;
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) {
    if (!conversion.isKept(inner)) inner = (tree.end[inner] ?? end) - 1;
    else if (HEADING[tree.tag[inner] ?? 0] === 1 && hasText(tree, inner)) return inner;
  }
  return -1;
}

function hasText(tree: HtmlTree, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) {
    if (tree.tag[inner] === TEXT && /\S/.test(tree.text(inner))) return true;
  }
  return false;
}
