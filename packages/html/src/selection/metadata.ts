import { resolveUrl } from "./base-url.ts";
import { tagSet } from "../parser/tag-traits.ts";
import { type HtmlTree, tagId } from "../parser/tree.ts";

/** Metadata as the response contains it. */
export type Metadata = Record<string, string | string[]>;

/** Source of a field: the content of a `<meta>` that one of these attributes names, most preferred first. */
interface MetaSource {
  readonly by: readonly MetaNaming[];
  readonly key: string;
}

type MetaNaming = "name" | "property" | "itemprop";

/** Order of precedence when a `<meta>` carries several of these. */
const NAMINGS: readonly MetaNaming[] = ["name", "property", "itemprop"];

/** Maximum names copied unchanged. Pages with more are hostile. */
const KEYS_MAX = 500;
const VALUES_PER_KEY_MAX = 500;
const KEY_LENGTH_MAX = 200;
const VALUE_LENGTH_MAX = 10_000;

const HTML = tagId("html");
const LINK = tagId("link");
const META = tagId("meta");
const TITLE = tagId("title");
const DRAWING = tagSet("svg math");
const NOT_HEAD = tagSet("body svg math");

/** Field of the response → its source. */
const FIELDS: Readonly<Record<string, MetaSource>> = {
  keywords: named("keywords"),
  robots: named("robots"),
  ogTitle: property("og:title"),
  ogDescription: property("og:description"),
  ogUrl: property("og:url"),
  ogImage: property("og:image"),
  ogAudio: property("og:audio"),
  ogDeterminer: property("og:determiner"),
  ogLocale: property("og:locale"),
  ogSiteName: property("og:site_name"),
  ogVideo: property("og:video"),
  articleSection: named("article:section"),
  articleTag: named("article:tag"),
  publishedTime: property("article:published_time"),
  modifiedTime: property("article:modified_time"),
  dcDescription: named("dc.description"),
  dcSubject: named("dc.subject"),
  dcType: named("dc.type"),
  dcDate: named("dc.date"),
  dcDateCreated: named("dc.date.created"),
  dcTermsKeywords: named("dcterms.keywords"),
  dcTermsSubject: named("dcterms.subject"),
  dcTermsAudience: named("dcterms.audience"),
  dcTermsType: named("dcterms.type"),
  dcTermsCreated: named("dcterms.created"),
};

interface Meta {
  readonly by: MetaNaming;
  /** Name as written in the page. */
  readonly key: string;
  /** At most 10,000 characters. */
  readonly content: string;
}

/**
 * Collects what the page says about itself: the fields of the table above, title, description, language and
 * favicon, and every named `<meta>` under its own name, at most 500 names. Values longer than 10,000
 * characters are cut. A name that occurs several times has all its values in document order; a field has the
 * first.
 */
export function extractMetadata(tree: HtmlTree, pageUrl: string): Metadata {
  const metas = listMetas(tree);
  const first = indexFirst(metas);
  const metadata = copyMetas(metas);
  const set = (field: string, value: string | undefined): void => {
    if (value !== undefined) metadata.set(field, value);
  };
  for (const [field, source] of Object.entries(FIELDS)) {
    if (field !== source.key || !metadata.has(field)) set(field, findContent(first, source));
  }
  set(
    "title",
    titleOf(tree) ?? findContent(first, property("og:title")) ?? findContent(first, named("twitter:title")),
  );
  set("description", descriptionOf(metas));
  set("language", languageOf(tree));
  set("favicon", faviconOf(tree, pageUrl));
  metadata.set("ogLocaleAlternate", contentsOf(metas, "og:locale:alternate").slice(0, VALUES_PER_KEY_MAX));
  return Object.fromEntries(metadata);
}

function listMetas(tree: HtmlTree): readonly Meta[] {
  const metas: Meta[] = [];
  for (let node = tree.tag.indexOf(META); node >= 0; node = tree.tag.indexOf(META, node + 1)) {
    const content = tree.attribute(node, "content")?.slice(0, VALUE_LENGTH_MAX);
    const by = NAMINGS.find((naming) => (tree.attribute(node, naming) ?? "") !== "");
    if (content === undefined || by === undefined) continue;
    metas.push({ by, key: tree.attribute(node, by) ?? "", content });
  }
  return metas;
}

/** All metas under their own names; `__proto__` is not a name. */
function copyMetas(metas: readonly Meta[]): Map<string, string | string[]> {
  const copies = new Map<string, string | string[]>();
  for (const { key, content } of metas) {
    if (key === "__proto__" || key.length > KEY_LENGTH_MAX) continue;
    const known = copies.get(key);
    if (known === undefined && copies.size < KEYS_MAX) copies.set(key, content);
    else if (typeof known === "string") copies.set(key, [known, content]);
    else if (known !== undefined && known.length < VALUES_PER_KEY_MAX) known.push(content);
  }
  return copies;
}

/** The first content by naming attribute and lower-case key. */
function indexFirst(metas: readonly Meta[]): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  for (const { by, key, content } of metas) {
    const name = `${by} ${key.toLowerCase()}`;
    if (!first.has(name)) first.set(name, content);
  }
  return first;
}

function findContent(first: ReadonlyMap<string, string>, source: MetaSource): string | undefined {
  const by = source.by.find((naming) => first.has(`${naming} ${source.key}`));
  return by === undefined ? undefined : first.get(`${by} ${source.key}`);
}

function contentsOf(metas: readonly Meta[], key: string): string[] {
  const contents: string[] = [];
  for (const meta of metas) if (meta.key.toLowerCase() === key) contents.push(meta.content);
  return contents;
}

/** Text of the first `<title>` of the page, not of a drawing; one of the head comes before one in the body. */
function titleOf(tree: HtmlTree): string | undefined {
  let inBody: string | undefined;
  for (let node = tree.tag.indexOf(TITLE); node >= 0; node = tree.tag.indexOf(TITLE, node + 1)) {
    if (isInside(tree, node, DRAWING)) continue;
    const text = tree.textContent(node).trim().slice(0, VALUE_LENGTH_MAX) || undefined;
    if (!isInside(tree, node, NOT_HEAD)) return text;
    inBody ??= text;
  }
  return inBody;
}

function isInside(tree: HtmlTree, node: number, tags: Uint8Array): boolean {
  for (let parent = tree.parent[node] ?? 0; parent > 0; parent = tree.parent[parent] ?? 0) {
    if (tags[tree.tag[parent] ?? 0] === 1) return true;
  }
  return false;
}

function descriptionOf(metas: readonly Meta[]): string | undefined {
  const descriptions = contentsOf(metas, "description");
  return descriptions.length === 0 ? undefined : descriptions.join(", ").slice(0, VALUE_LENGTH_MAX);
}

function languageOf(tree: HtmlTree): string | undefined {
  const html = tree.tag.indexOf(HTML);
  return (html < 0 ? "" : tree.attribute(html, "lang")?.slice(0, VALUE_LENGTH_MAX)) || undefined;
}

/** The first `<link rel="icon">`, else the first whose `rel` contains "icon". */
function faviconOf(tree: HtmlTree, pageUrl: string): string | undefined {
  let other: string | undefined;
  for (let node = tree.tag.indexOf(LINK); node >= 0; node = tree.tag.indexOf(LINK, node + 1)) {
    const rel = tree.attribute(node, "rel")?.trim().toLowerCase() ?? "";
    const href = rel.includes("icon") ? tree.attribute(node, "href") : undefined;
    if (href === undefined || href === "" || href.length > VALUE_LENGTH_MAX) continue;
    if (rel === "icon") return resolveUrl(href, pageUrl);
    other ??= href;
  }
  return other === undefined ? undefined : resolveUrl(other, pageUrl);
}

function named(key: string): MetaSource {
  return { by: ["name", "property"], key };
}

function property(key: string): MetaSource {
  return { by: ["property", "name"], key };
}
