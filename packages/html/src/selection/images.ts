import { AttributeNames } from "../parser/attribute-names.ts";
import { type Selection, visitKept } from "./selection.ts";
import { parseSrcset } from "./srcset.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";
import { UrlBase } from "./url-base.ts";

const IMG = tagId("img");
const LINK = tagId("link");
const META = tagId("meta");
const PICTURE = tagId("picture");
const SOURCE = tagId("source");
const VIDEO = tagId("video");

/** Elements that name an image of the page, elements that show one, and the attribute that may on any. */
const NAMES_IMAGE = tagSet("link meta");
const SHOWS_IMAGE = tagSet("img source video");
const STYLED = new AttributeNames("style");

/** `<meta>` names whose content is an image, by the attribute that holds the name. */
const IMAGE_METAS: Readonly<Record<string, ReadonlySet<string>>> = {
  property: imageNames(),
  name: imageNames(),
  itemprop: new Set(["image"]),
};

const IMAGE_LINKS = new Set(["icon", "apple-touch-icon", "image_src"]);

/** Maximum URLs in one style attribute. More are hostile. */
const STYLE_URLS_MAX = 100;

/**
 * Returns absolute URLs of the images that the page's metadata names and that the selection shows or offers,
 * in document order, without duplicates. `data:` and `blob:` URLs are kept.
 */
export function collectImages(selection: Selection, baseUrl: string): string[] {
  const { tree } = selection;
  const base = new UrlBase(baseUrl);
  const images = new Set<string>();
  const add = (address: string | undefined): void => {
    const url = address === undefined || address.trim() === "" ? undefined : base.resolve(address);
    if (url !== undefined && /^(?:https?|data|blob):/u.test(url)) images.add(url);
  };
  for (let node = 0; node < tree.size; node++) {
    if (NAMES_IMAGE[tree.tag[node] ?? 0] === 1) add(metadataImage(tree, node));
  }
  visitKept(selection, (node) => {
    const mayShow = SHOWS_IMAGE[tree.tag[node] ?? 0] === 1 || tree.mayHave(node, STYLED);
    if (mayShow) for (const address of shownImages(tree, node)) add(address);
  });
  return [...images];
}

/** URLs of the images that an element shows or offers, as written in the page. */
function shownImages(tree: HtmlTree, node: number): readonly (string | undefined)[] {
  const tag = tree.tag[node] ?? 0;
  const background = styleImages(tree.attribute(node, "style"));
  if (tag === IMG) {
    const plain = [tree.attribute(node, "src"), tree.attribute(node, "data-src")];
    return plain.concat(offeredImages(tree, node), background);
  }
  if (tag === SOURCE && tree.tag[tree.parent[node] ?? 0] === PICTURE) return offeredImages(tree, node);
  if (tag === VIDEO) return [tree.attribute(node, "poster"), ...background];
  return background;
}

function offeredImages(tree: HtmlTree, node: number): string[] {
  return ["srcset", "data-srcset"].flatMap((name) =>
    parseSrcset(tree.attribute(node, name) ?? "").map((candidate) => candidate.url),
  );
}

function styleImages(style: string | undefined): string[] {
  if (style === undefined || !style.includes("background") || !style.includes("url(")) return [];
  return style
    .split("url(", STYLE_URLS_MAX)
    .slice(1)
    .map((rest) => readStyleUrl(rest.trimStart()));
}

/** The URL at the start of the text after `url(`, with or without quotes. */
function readStyleUrl(rest: string): string {
  const quote = rest.charAt(0);
  const isQuoted = quote === '"' || quote === "'";
  const end = rest.indexOf(isQuoted ? quote : ")", 1);
  return rest.slice(isQuoted ? 1 : 0, end < 0 ? rest.length : end).trim();
}

function metadataImage(tree: HtmlTree, node: number): string | undefined {
  const tag = tree.tag[node];
  if (tag === LINK) return isImageLink(tree, node) ? tree.attribute(node, "href") : undefined;
  if (tag !== META) return undefined;
  const isImage = Object.entries(IMAGE_METAS).some(([attribute, names]) =>
    names.has(tree.attribute(node, attribute)?.trim().toLowerCase() ?? ""),
  );
  return isImage ? tree.attribute(node, "content") : undefined;
}

function isImageLink(tree: HtmlTree, node: number): boolean {
  const types = (tree.attribute(node, "rel") ?? "").toLowerCase().split(/\s+/u);
  return types.some((type) => IMAGE_LINKS.has(type));
}

function imageNames(): ReadonlySet<string> {
  return new Set(["og:image", "og:image:url", "og:image:secure_url", "twitter:image", "twitter:image:src"]);
}
