import { type HtmlTree, tagId } from "../../parser/tree.ts";
import { HashSet } from "./hash-filter.ts";
import { Lexicon } from "./lexicon.ts";
import { type Phrases, TextReader, Texts } from "./texts.ts";
import type { TokenVisitor } from "./tokens.ts";

const META = tagId("meta");
const SCRIPT = tagId("script");
const TITLE = tagId("title");
const COUNTED = ["main", "article", "h2", "table", "form", "pre", "img", "li", "p", "input"].map(tagId);

/** Characters. Of longer descriptions and structured data, only the beginning is read. */
const MAX_DESCRIPTION = 1000;
const MAX_DATA = 30_000;
const MAX_SCRIPTS = 20;
/** Matches `product`, `product.item`, `shop:product`. A `product.group` is a list of products. */
const ONE_PRODUCT = /(?:^|:)product(?:\.item)?$/;
const NOTHING = new HashSet();

/** What a page says about itself outside its text. */
export interface PageFacts {
  /** Whether `og:type` declares the page as one product. */
  readonly isProduct: boolean;
  /** Whether its data describe one product, with or without variants, and no list. */
  readonly describesProduct: boolean;
  readonly phrases: Phrases;
  /** Features that all blocks of the page share. */
  readonly numbers: readonly number[];
}

export function readPageFacts(tree: HtmlTree, pageUrl: string): PageFacts {
  const metas = readMetas(tree);
  const data = readData(tree);
  const types = typesIn(data);
  const titleNode = tree.tag.indexOf(TITLE);
  const title = titleNode < 0 ? "" : tree.textContent(titleNode).slice(0, MAX_DESCRIPTION);
  const phrases = {
    title: hashesOf(`${title} ${metas.title}`, "words"),
    description: hashesOf(metas.description, "pairs"),
    data: hashesOf(data, "pairs"),
  };
  return {
    isProduct: ONE_PRODUCT.test(metas.type),
    describesProduct: describesProduct(types),
    phrases,
    numbers: [
      ...kindNumbers(metas.type),
      ...addressNumbers(pageUrl),
      ...classHints(tree),
      ...countNumbers(tree),
      ...typeNumbers(types),
    ],
  };
}

function countNumbers(tree: HtmlTree): readonly number[] {
  const counts = new Int32Array(256);
  for (let node = 0; node < tree.size; node++) {
    const tag = tree.tag[node] ?? 0;
    counts[tag] = (counts[tag] ?? 0) + 1;
  }
  return COUNTED.map((tag) => counts[tag] ?? 0);
}

interface Metas {
  title: string;
  description: string;
  type: string;
}

function readMetas(tree: HtmlTree): Metas {
  const metas: Metas = { title: "", description: "", type: "" };
  for (let node = tree.tag.indexOf(META); node >= 0; node = tree.tag.indexOf(META, node + 1)) {
    const key = (tree.attribute(node, "property") ?? tree.attribute(node, "name") ?? "").toLowerCase();
    if (key === "og:type") metas.type = (tree.attribute(node, "content") ?? "").toLowerCase();
    else if (key === "og:title")
      metas.title = (tree.attribute(node, "content") ?? "").slice(0, MAX_DESCRIPTION);
    else if (key === "description" || key === "og:description") {
      if (metas.description.length > MAX_DESCRIPTION) continue;
      metas.description += ` ${(tree.attribute(node, "content") ?? "").slice(0, MAX_DESCRIPTION)}`;
    }
  }
  return metas;
}

function readData(tree: HtmlTree): string {
  let data = "";
  let scripts = 0;
  for (let node = tree.tag.indexOf(SCRIPT); node >= 0; node = tree.tag.indexOf(SCRIPT, node + 1)) {
    if (tree.attribute(node, "type")?.toLowerCase() !== "application/ld+json") continue;
    data += ` ${tree.textContent(node).slice(0, MAX_DATA)}`;
    if (data.length > MAX_DATA || ++scripts === MAX_SCRIPTS) break;
  }
  return data;
}

/** What is being read. A visitor for each page would be compiled again and again. */
const phrase = { hashes: NOTHING, isOfPairs: false };

const addToPhrase: TokenVisitor = (hash, _text, _from, to) => {
  if (to < 0 === phrase.isOfPairs) phrase.hashes.add(hash);
};

function hashesOf(text: string, what: "words" | "pairs"): HashSet {
  if (text.trim() === "") return NOTHING;
  const hashes = new HashSet();
  phrase.hashes = hashes;
  phrase.isOfPairs = what === "pairs";
  const reader = new TextReader(new Texts(1), {
    words: EMPTY,
    phrases: { title: NOTHING, description: NOTHING, data: NOTHING },
    maxWords: MAX_DATA,
    visit: addToPhrase,
  });
  reader.begin(0);
  reader.visit(text, 0, text.length);
  return hashes;
}

const EMPTY = new Lexicon([], []);

const BODY = tagId("body");
const HTML = tagId("html");

/** Types of structured data that hint at the kind of page. */
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

/** Words in URLs and in the page's own classes that hint at the kind of page. */
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

export function kindNumbers(type: string): readonly number[] {
  return [
    type === "article" ? 1 : 0,
    type.includes("product") ? 1 : 0,
    type === "website" ? 1 : 0,
    type === "" ? 1 : 0,
  ];
}

/** Types of structured data, as often as they occur. */
function typesIn(data: string): readonly string[] {
  const types: string[] = [];
  for (const [, type = ""] of data.matchAll(DATA_TYPE)) types.push(type.toLowerCase());
  return types;
}

/** For each type of structured data: whether the page has it. */
function typeNumbers(types: readonly string[]): Iterable<number> {
  const found = new Float32Array(DATA_TYPES.length);
  for (const type of types) {
    const index = TYPE_INDEX.get(type);
    if (index !== undefined) found[index] = 1;
  }
  return found;
}

const LISTS: ReadonlySet<string> = new Set(
  "itemlist collectionpage searchresultspage offercatalog".split(" "),
);
/** The product, and once more as the one that is offered. */
const MAX_PRODUCTS = 2;

function describesProduct(types: readonly string[]): boolean {
  const products = types.filter((type) => type === "product").length;
  const isOne = types.includes("productgroup") || (products > 0 && products <= MAX_PRODUCTS);
  return isOne && !types.some((type) => LISTS.has(type));
}

/** The length of the URL, and the kinds of page that its words hint at. */
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

/** For each kind of page: whether one of its words occurs. */
function kindHints(names: string): readonly number[] {
  const words = names.toLowerCase().split(/[^a-z]+/, MAX_HINT_WORDS);
  return KIND_WORDS.map((kind) => (words.some((word) => kind.has(word)) ? 1 : 0));
}

/** Hints in the classes of the outermost elements. */
function classHints(tree: HtmlTree): readonly number[] {
  const nodes = [tree.tag.indexOf(HTML), tree.tag.indexOf(BODY)].filter((node) => node >= 0);
  return kindHints(
    nodes
      .map((node) => `${tree.attribute(node, "class") ?? ""} ${tree.attribute(node, "id") ?? ""}`)
      .join(" "),
  );
}
