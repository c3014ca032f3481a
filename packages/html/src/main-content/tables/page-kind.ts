import { type HtmlTree, tagId } from "../../parser/tree.ts";

const BODY = tagId("body");
const HTML = tagId("html");

/** Types of structured data that tell what kind of page this is. */
const DATA_TYPES = [
  "article",
  "newsarticle",
  "blogposting",
  "product",
  "itemlist",
  "collectionpage",
  "qapage",
  "discussionforumposting",
  "recipe",
  "webpage",
  "faqpage",
  "breadcrumblist",
  "organization",
  "website",
  "techarticle",
  "localbusiness",
  "videoobject",
  "productgroup",
  "service",
  "softwareapplication",
];
const TYPE_INDEX: ReadonlyMap<string, number> = new Map(DATA_TYPES.map((type, index) => [type, index]));
const DATA_TYPE = /"@type"\s{0,9}:\s{0,9}(?:\[\s{0,9})?"(?:https?:\/\/schema\.org\/)?(\w{1,40})"/g;

/** Words of addresses and of the page's own classes that hint at the kind of page. */
const KIND_WORDS = [
  "product products item items dp pdp sku p buy",
  "collection collections category categories c catalog catalogue shop browse",
  "forum forums thread threads topic topics t viewtopic showthread discussion discussions question questions community",
  "doc docs documentation guide guides reference api manual tutorial tutorials learn help wiki",
  "news article articles blog post posts story stories opinion single",
  "search list listing listings jobs events tag tags archive directory results",
  "pricing about services service solutions features platform contact company home front",
].map((words) => new Set(words.split(" ")));

const MAX_HINT_WORDS = 200;

/** By `og:type`. */
export function kindNumbers(type: string): readonly number[] {
  return [
    type === "article" ? 1 : 0,
    type.includes("product") ? 1 : 0,
    type === "website" ? 1 : 0,
    type === "" ? 1 : 0,
  ];
}

/** For each type of structured data, whether the page has it. */
export function typeNumbers(data: string): Iterable<number> {
  const types = new Float32Array(DATA_TYPES.length);
  for (const [, type = ""] of data.matchAll(DATA_TYPE)) {
    const index = TYPE_INDEX.get(type.toLowerCase());
    if (index !== undefined) types[index] = 1;
  }
  return types;
}

/** How long the address is, and what its words hint at. */
export function addressNumbers(pageUrl: string): readonly number[] {
  const path = URL.canParse(pageUrl) ? new URL(pageUrl).pathname : "";
  const steps = path.split("/").filter((step) => step !== "");
  const last = steps.at(-1) ?? "";
  return [
    steps.length,
    last.split(/[-_]/).length,
    /\d{4,}/.test(path) ? 1 : 0,
    /\.[a-z]{3,5}$/.test(last) ? 1 : 0,
    ...kindHints(path),
  ];
}

/** For each kind of page, whether one of its words occurs. */
function kindHints(names: string): readonly number[] {
  const words = names.toLowerCase().split(/[^a-z]+/, MAX_HINT_WORDS);
  return KIND_WORDS.map((kind) => (words.some((word) => kind.has(word)) ? 1 : 0));
}

/** Hints in the classes of the outermost elements. */
export function classHints(tree: HtmlTree): readonly number[] {
  const nodes = [tree.tag.indexOf(HTML), tree.tag.indexOf(BODY)].filter((node) => node >= 0);
  return kindHints(
    nodes
      .map((node) => `${tree.attribute(node, "class") ?? ""} ${tree.attribute(node, "id") ?? ""}`)
      .join(" "),
  );
}
