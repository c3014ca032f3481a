import { AttributeNames } from "../parser/attribute-names.ts";
import { type Candidate, largestCandidate, parseSrcset } from "./srcset.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";

const PICTURE = tagId("picture");
const SOURCE = tagId("source");
const IMG = tagId("img");
const NOSCRIPT = tagId("noscript");

/** Attributes in which lazy loaders keep the URL, most preferred first. */
const LAZY_SOURCES = ["data-src", "data-lazy-src", "data-original"] as const;

/** Maximum children of a `picture` before its image. More are hostile. */
const PICTURE_CHILDREN_MAX = 32;

const LAZY_ATTRIBUTES = new AttributeNames(LAZY_SOURCES.join(" "));

const SOURCE_SETS = new AttributeNames("srcset data-srcset");

/** Attribute names that loaders use for the URL, and words in the names of other such attributes. */
const LAZY_NAME = /(?:^|[-:_])(?:src|lazy|original|image|img|url)(?:$|[-:_])/;
const OTHER_NAME = /fallback|placeholder|loading|default|error|thumb|small|low|post|page|link|^src$/;
const IMAGE_ADDRESS =
  /^(?:https?:\/\/|\/)?[^\s,{}'"]+\.(?:avif|gif|jpe?g|png|svg|webp)(?:$|[?#&;!@/:.][^\s{}'"]*$)/i;

/** Names of attributes that scripts read a URL from when they show an image or a frame. */
const LAZY_DATA = /^data-(?:[\w-]{0,40}-)?(?:src|lazy|original|image|img|url|poster|bg|background)(?:-|$)/;
const ROOTED_ADDRESS = /^\.{0,2}\/[^\s{}'"]*$/;

/** Maximum characters of an attribute that are searched for a URL. Longer values are hostile. */
const ADDRESS_MAX = 2048;

/** File names of placeholders that stand in until the image is loaded. */
const PLACEHOLDER = /blank|placeholder|spacer|transparent|loading|lazy|pixel|1x1/i;

/**
 * The best URL of an image, as written in the page: the largest of its `srcset` (else `data-srcset`) and of
 * its picture's sources, where a plain `src` counts as 1x. Without candidates it is `src`, or a lazy-loading
 * attribute when `src` is missing or a placeholder. Undefined when there is no URL.
 */
export function imageSource(tree: HtmlTree, node: number): string | undefined {
  const plain = plainSource(tree, node);
  const own = tree.mayHave(node, SOURCE_SETS) ? candidatesOf(tree, node) : [];
  const offered = own.concat(pictureCandidates(tree, node));
  if (offered.length === 0) {
    if (plain !== undefined && !isPlaceholder(plain)) return plain;
    return lazySource(tree, node) ?? scriptlessSource(tree, node) ?? plain;
  }
  const all = plain === undefined || isPlaceholder(plain) ? offered : [asCandidate(plain), ...offered];
  return largestCandidate(all)?.url ?? plain;
}

function plainSource(tree: HtmlTree, node: number): string | undefined {
  const source = tree.attribute(node, "src")?.trim() ?? "";
  const isFinal = source !== "" && !isPlaceholder(source) && !isLazy(tree, node);
  if (isFinal) return source;
  for (const name of LAZY_SOURCES) {
    const lazy = tree.attribute(node, name)?.trim();
    if (lazy !== undefined && lazy !== "" && !isInline(lazy)) return lazy;
  }
  return source === "" ? undefined : source;
}

/** Whether an attribute shows that a loader will put another URL into `src`. */
function isLazy(tree: HtmlTree, node: number): boolean {
  if (!tree.mayHave(node, LAZY_ATTRIBUTES)) return false;
  return (
    tree.attribute(node, "data-lazy-src") !== undefined || /lazy/i.test(tree.attribute(node, "class") ?? "")
  );
}

/** Whether an attribute holds a URL for scripts that lazily load images and frames. */
export function isLazyAddress(name: string, value: string): boolean {
  if (!LAZY_DATA.test(name) || value.length > ADDRESS_MAX) return false;
  if (name.endsWith("-src") && /^[^\s{}'"[\]]+$/.test(value)) return true;
  return ROOTED_ADDRESS.test(value) || IMAGE_ADDRESS.test(value);
}

/** The URL in an attribute whose name some loader made up. */
function lazySource(tree: HtmlTree, node: number): string | undefined {
  for (const [name, value] of tree.attributes(node)) {
    if (!LAZY_NAME.test(name) || OTHER_NAME.test(name)) continue;
    const address = value.slice(0, ADDRESS_MAX).trim();
    if (IMAGE_ADDRESS.test(address) && !isPlaceholder(address)) return address;
  }
  return undefined;
}

/** The image that the `noscript` after a placeholder holds for readers without scripts. */
function scriptlessSource(tree: HtmlTree, node: number): string | undefined {
  let next = tree.end[node] ?? tree.size;
  if (tree.isBlank(next)) next++;
  if (tree.tag[next] !== NOSCRIPT || tree.parent[next] !== tree.parent[node]) return undefined;
  const image = tree.tag.indexOf(IMG, next);
  return image > 0 && image < (tree.end[next] ?? 0) ? imageSource(tree, image) : undefined;
}

function candidatesOf(tree: HtmlTree, node: number): readonly Candidate[] {
  const usable = usableCandidates(tree.attribute(node, "srcset"));
  return usable.length > 0 ? usable : usableCandidates(tree.attribute(node, "data-srcset"));
}

function usableCandidates(srcset: string | undefined): readonly Candidate[] {
  return srcset === undefined ? [] : parseSrcset(srcset).filter(({ url }) => !isInline(url));
}

function pictureCandidates(tree: HtmlTree, image: number): readonly Candidate[] {
  const picture = tree.parent[image] ?? 0;
  if (tree.tag[picture] !== PICTURE) return [];
  const before: number[] = [];
  for (let child = picture + 1; child < image; child = tree.end[child] ?? image) {
    if (before.push(child) > PICTURE_CHILDREN_MAX) return [];
  }
  return before
    .filter((child) => tree.tag[child] === SOURCE && isForScreens(tree, child))
    .flatMap((child) => candidatesOf(tree, child));
}

function isForScreens(tree: HtmlTree, source: number): boolean {
  const media = tree.attribute(source, "media") ?? "";
  return !/prefers-color-scheme:\s*dark|\bprint\b/i.test(media);
}

function asCandidate(url: string): Candidate {
  return { url, width: undefined, density: 1 };
}

/** File names of images without content. */
const EMPTY_PICTURE =
  /^(?:(?:gr[ae]y|white|transparent|lazy|image)[-_])?(?:blank|spacer|transparent|pixel|placeholder|loading|loader|spinner|lazy|clear|empty|1x1)[-_.\dx]{0,20}\.(?:gif|png|svg)$/i;

/** Whether a URL shows nothing by itself: an empty image, or an inline drawing or GIF. */
export function isEmptyPicture(address: string): boolean {
  if (/^data:image\/(?:gif|svg)/i.test(address)) return true;
  const path = address.replace(/[?#].*$/s, "");
  return EMPTY_PICTURE.test(path.slice(path.lastIndexOf("/") + 1));
}

/** Whether a `src` is only a placeholder for the image that a script will load. */
function isPlaceholder(url: string): boolean {
  return isInline(url) || PLACEHOLDER.test(url.slice(url.lastIndexOf("/") + 1).slice(0, 200));
}

function isInline(url: string): boolean {
  return /^(?:data|about):/i.test(url);
}
