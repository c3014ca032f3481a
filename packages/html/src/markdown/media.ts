import { decodeAgain } from "../selection/escaped-twice.ts";
import { imageSource, isEmptyPicture } from "../selection/image-source.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";
import type { Conversion } from "./conversion.ts";
import { escapeAlt, escapeDestination } from "./escape.ts";
import type { Mark } from "./piece.ts";

const SOURCE = tagId("source");

/**
 * Writes `img` in its largest form. Omits repeated images, tracking pixels, and images that show nothing and
 * have no alternative text.
 */
export function writeImage(conversion: Conversion, node: number): void {
  const { tree, seenMedia } = conversion;
  const source = imageSource(tree, node);
  const url = source === undefined ? undefined : conversion.base.resolve(source);
  if (url === undefined || !/^(?:https?|data):/i.test(url)) return;
  if (isPixel(tree, node)) return;
  const alt = descriptionOf(tree.attribute(node, "alt"));
  const isNothing = alt === "" && (isEmptyPicture(url) || isDecoration(conversion, node));
  if (isNothing || seenMedia.has(url)) {
    conversion.run.imageLeftOut();
    return;
  }
  seenMedia.add(url);
  conversion.run.image(`![${escapeAlt(alt)}](${escapeDestination(url)})`);
}

/** Alternative texts without information: a file name, or dots. */
const NO_DESCRIPTION = /^(?:[.…_\s-]*|[^\s/]{1,200}\.(?:avif|gif|heic|jpe?g|png|svg|webp))$/iu;

function descriptionOf(alt: string | undefined): string {
  const text = decodeAgain(alt?.trim() ?? "").trim();
  return NO_DESCRIPTION.test(text) ? "" : text;
}

/**
 * Whether an image is marked as decoration, in a link without text whose target another link with text has.
 */
function isDecoration({ tree, link, linkedWithWords }: Conversion, node: number): boolean {
  if (link === undefined || tree.attribute(node, "alt") !== "" || link.hasWords()) return false;
  return linkedWithWords().has(tree.attribute(link.node, "href") ?? "");
}

function isPixel(tree: HtmlTree, node: number): boolean {
  return isTiny(tree.attribute(node, "width")) || isTiny(tree.attribute(node, "height"));
}

function isTiny(length: string | undefined): boolean {
  return length !== undefined && /^[01](?:px)?$/.test(length.trim());
}

/**
 * Writes `video` and `audio` as a link to the file. The fallback text inside is for browsers that cannot play
 * it.
 */
export function writePlayer(conversion: Conversion, node: number): void {
  const { tree } = conversion;
  const source = tree.attribute(node, "src") ?? firstSource(conversion, node);
  writeEmbedLink(conversion, node, { source, name: tree.nameOf(node) });
}

function firstSource(conversion: Conversion, node: number): string | undefined {
  for (const child of conversion.childrenOf(node)) {
    const source =
      conversion.tree.tag[child] === SOURCE ? conversion.tree.attribute(child, "src") : undefined;
    if (source !== undefined) return source;
  }
  return undefined;
}

/** Words in the path of a URL that leads to a player or a document. */
const EMBEDDED_CONTENT =
  /(?:^|[/.\-_])(?:embed|player|video|audio|watch|podcast|episode|track|presentation|slides?|docs?|document|viewer|pdf|preview|maps?)/i;

/**
 * Writes `iframe`, `embed`, `object` as a link when the URL is that of a player or a document, else not at
 * all.
 */
export function writeFrame(conversion: Conversion, node: number): void {
  const { tree } = conversion;
  const source =
    tree.attribute(node, "src") ?? tree.attribute(node, "data-src") ?? tree.attribute(node, "data");
  const url = source === undefined ? undefined : conversion.base.resolve(source);
  if (url === undefined || isPixel(tree, node) || !EMBEDDED_CONTENT.test(withoutQuery(url))) return;
  writeEmbedLink(conversion, node, { source, name: tree.nameOf(node) });
}

function withoutQuery(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/[?#].*$/s, "");
}

interface Embed {
  readonly source: string | undefined;
  /** Text that stands in when the page gives no title. */
  readonly name: string;
}

function writeEmbedLink(conversion: Conversion, node: number, embed: Embed): void {
  const { tree } = conversion;
  const url = embed.source === undefined ? undefined : conversion.base.resolve(embed.source);
  if (url === undefined || !/^https?:/.test(url) || conversion.link !== undefined) return;
  if (conversion.seenMedia.has(url)) return;
  conversion.seenMedia.add(url);
  const label =
    tree.attribute(node, "title")?.trim() || tree.attribute(node, "aria-label")?.trim() || embed.name;
  const mark: Mark = { kind: "link", destination: escapeDestination(url), title: "" };
  conversion.boundary();
  conversion.run.open(mark);
  conversion.run.text(label);
  conversion.run.close(mark);
  conversion.boundary();
}
