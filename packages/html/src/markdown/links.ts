import { lazy } from "@pergamon-dev/kit/lazy";
import { decodeAgain } from "../selection/escaped-twice.ts";
import { holdsText } from "../selection/text.ts";
import { HEADING } from "../parser/tag-traits.ts";
import { type HtmlTree, TEXT, tagId } from "../parser/tree.ts";
import type { Conversion } from "./conversion.ts";
import { escapeDestination } from "./escape.ts";
import { foldText } from "./fold.ts";
import { isWindowNote } from "./left-out-text.ts";
import type { Mark } from "./piece.ts";
import { protectedLink, protectedMail } from "./protected-mail.ts";

const ANCHOR = tagId("a");
const SUPERSCRIPT = tagId("sup");

const SKIP_LINK =
  /^(?:skip|jump|go) (?:directly )?to (?:the )?(?:main |page )?(?:content|navigation|main|search|footer)\b/i;

/** Marks with which a heading or footnote links to itself. */
const SELF_LINK = /^(?:[\s#¶§†^↩↑⤴⇧]|\u{1F517}|\ufe0e|\ufe0f)*$/u;

/** A self-link sign before the words of a heading. */
const SIGN_BEFORE = /^(?:¶|\\?#)\s+(?=\S)/u;

/** URL schemes that a reader can follow. */
const FOLLOWABLE = /^(?:https?|mailto|tel|ftp|sms|geo|magnet):/i;

/** Messages without a recipient, which only serve to share the page. */
const MAIL_TO_NOBODY = /^mailto:(?:\?|$)/i;

/** A label that is a URL says no more than the link. */
const IS_ADDRESS = /^\s*(?:https?:\/)?\/\S*\s*$/i;

/** Writes `a` as a link, or only its text when the link leads nowhere. */
export function writeLink(conversion: Conversion, node: number): void {
  const href = hrefOf(conversion.tree, node);
  const isFragment = conversion.base.isFragment(href);
  if (isFragment && writeFragmentLink(conversion, node)) return;
  if (isFragment && isHeadingLink(conversion, node)) writeHeadingLink(conversion, node);
  else writeLinkTo(conversion, node, href, () => writeContent(conversion, node));
}

function writeContent(conversion: Conversion, node: number): void {
  const mail = protectedMail(conversion.tree, node);
  if (mail === undefined) conversion.children(node);
  else conversion.run.text(mail);
}

/**
 * Writes `content` as the link of the anchor `node`, or without a link when the anchor leads nowhere or is
 * inside a link.
 */
export function writeLinked(conversion: Conversion, node: number, content: () => void): void {
  writeLinkTo(conversion, node, hrefOf(conversion.tree, node), content);
}

function writeLinkTo(conversion: Conversion, node: number, href: string, content: () => void): void {
  const destination = conversion.link === undefined ? destinationOf(conversion, node, href) : undefined;
  if (destination === undefined) {
    content();
    return;
  }
  const mark: Mark = { kind: "link", destination, title: titleOf(conversion.tree, node) };
  const heading = conversion.style === "paragraph" ? firstHeading(conversion, node) : -1;
  conversion.link = { mark, heading, node, hasWords: lazy(() => holdsText(conversion.tree, node)) };
  if (heading < 0) conversion.run.open(mark);
  content();
  if (conversion.run.isUnused(mark)) writeLabel(conversion, node);
  conversion.run.close(mark);
  conversion.link = undefined;
}

function titleOf(tree: HtmlTree, node: number): string {
  const title = decodeAgain(tree.attribute(node, "title") ?? "");
  return isWindowNote(title) ? "" : title;
}

/** Markdown of a heading's text, inside the link of the anchor around the heading. */
export function headingText(conversion: Conversion, node: number): string {
  const { link } = conversion;
  conversion.isInWordedHeading = holdsText(conversion.tree, node);
  const text =
    link?.heading === node
      ? conversion.capture("heading", () => {
          conversion.run.open(link.mark);
          conversion.children(node);
          conversion.run.close(link.mark);
        })
      : conversion.captureChildren("heading", node);
  conversion.isInWordedHeading = false;
  return SIGN_BEFORE.test(text) && linksToPart(conversion, node) ? text.replace(SIGN_BEFORE, "") : text;
}

function linksToPart({ tree, base }: Conversion, node: number): boolean {
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) {
    if (tree.tag[inner] === ANCHOR && base.isFragment(hrefOf(tree, inner))) return true;
  }
  return false;
}

/** Handles links within the page that are not content by themselves. Returns whether `node` is one. */
function writeFragmentLink(conversion: Conversion, node: number): boolean {
  const { tree } = conversion;
  const text = foldText(tree.textContent(node)).trim();
  if (SKIP_LINK.test(text)) return true;
  if (text !== "" && SELF_LINK.test(text)) return true;
  if (!isFootnoteReference(tree, node) || text === "") return false;
  conversion.run.text(/^[\p{N}*†‡]+$/u.test(text) ? `[${text}]` : text);
  return true;
}

/**
 * Whether a heading's link leads to a place in the same page: itself, the table of contents, or the part it
 * opens.
 */
function isHeadingLink(conversion: Conversion, node: number): boolean {
  return conversion.style === "heading" || firstHeading(conversion, node) >= 0;
}

/** Writes the text of a link in a heading, unless the text is its URL. */
function writeHeadingLink(conversion: Conversion, node: number): void {
  if (!conversion.tree.textContent(node).trimStart().startsWith("#")) conversion.children(node);
}

function isFootnoteReference(tree: HtmlTree, node: number): boolean {
  if (tree.tag[tree.parent[node] ?? 0] === SUPERSCRIPT) return true;
  if (tree.attribute(node, "role") === "doc-noteref") return true;
  const first = node + 1;
  return tree.tag[first] === SUPERSCRIPT && tree.end[first] === tree.end[node];
}

function hrefOf(tree: HtmlTree, node: number): string {
  return tree.attribute(node, "href")?.trim() ?? "";
}

/** The absolute URL, escaped; `undefined` when the link leads nowhere. */
function destinationOf({ tree, base }: Conversion, node: number, href: string): string | undefined {
  if (href === "" || href === "#" || MAIL_TO_NOBODY.test(href)) return undefined;
  const mail = protectedLink(tree, node, href);
  if (mail !== undefined) return escapeDestination(mail);
  const plain = base.resolvePlain(href);
  if (plain !== undefined) return plain;
  const url = base.resolve(href);
  return url !== undefined && FOLLOWABLE.test(url) ? escapeDestination(url) : undefined;
}

/**
 * Writes the label of a link without text and image. Next to a heading's text the label only says "link to
 * here".
 */
function writeLabel(conversion: Conversion, node: number): void {
  if (conversion.isInWordedHeading) return;
  const { tree } = conversion;
  const label = tree.attribute(node, "aria-label") ?? tree.attribute(node, "title") ?? "";
  if (!IS_ADDRESS.test(label)) conversion.run.text(decodeAgain(label).trim());
}

/** The first heading with text inside an anchor, -1 when there is none. */
function firstHeading(conversion: Conversion, node: number): number {
  const { tree } = conversion;
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner++) {
    if (tree.tag[inner] === TEXT) continue;
    if (!conversion.isKept(inner)) inner = (tree.end[inner] ?? end) - 1;
    else if (HEADING[tree.tag[inner] ?? 0] === 1 && holdsText(tree, inner)) return inner;
  }
  return -1;
}
