import { lazy } from "@pergamon-dev/kit/lazy";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import { FURNITURE, UNSEEN } from "../product/page-layout.ts";
import type { Candidate } from "./candidate.ts";
import type { Concept } from "./concepts.ts";
import { editionCandidates } from "./edition-candidates.ts";
import { findAuthor } from "./find-author.ts";
import { findDates } from "./find-dates.ts";
import { scopesOfItems } from "./item-candidates.ts";
import type { PageParts } from "./page-parts.ts";
import { blockSets } from "./block-sets.ts";
import { openScope, type Scope } from "./scope.ts";
import { tableSets } from "./table-sets.ts";
import {
  contactCandidates,
  headedCandidates,
  labelCandidates,
  namedCandidates,
  pairCandidates,
} from "./visible-candidates.ts";
import { assembleProduct } from "../product/assemble-product.ts";
import { shippedModels } from "../product/models.ts";
import { findPriceCandidates } from "../product/price-candidates.ts";
import { gatherProductEvidence } from "../product/product-evidence.ts";
import { tagSet } from "@pergamon-dev/html/parser/tag-traits";
import { similarity } from "../product/similarity.ts";
import { textOf } from "../structured/text-of.ts";

const OF_OFFERS: ReadonlySet<Concept> = new Set([
  "price",
  "originalPrice",
  "currency",
  "inStock",
  "soldOut",
  "sku",
]);
const OF_COMPANIES: ReadonlySet<Concept> = new Set(["phone", "address", "email", "hour", "company"]);

/** All values of a page, for requests with these concepts. */
export function scopeOfPage(parts: PageParts, asked: ReadonlySet<Concept>): Scope {
  const items = scopesOfItems(parts);
  const isOffer = [...asked].some((concept) => OF_OFFERS.has(concept));
  const isCompany = [...asked].some((concept) => OF_COMPANIES.has(concept));
  const sites = isCompany ? items.site : [];
  const own = [...items.own, ...sites];
  const candidates = () => [
    ...(isOffer ? offerCandidates(parts) : []),
    ...own.flatMap((scope) => scope.candidates()),
    ...metaCandidates(parts),
    ...foundCandidates(parts, asked),
    ...seenCandidates(parts),
    ...headedCandidates(parts),
    ...(asked.has("publisher") || asked.has("pages") ? editionCandidates(parts) : []),
  ];
  return openScope(candidates, {
    inner: () => own.flatMap(({ inner }) => inner()),
    sets: () => [
      ...items.sets,
      ...own.flatMap((scope) => scope.sets()),
      ...tableSets(parts),
      ...blockSets(parts),
    ],
  });
}

/**
 * Visible values. Those in parts that show other pages are dropped, unless the page consists mostly of
 * such parts; then they are marked `isTeased`.
 */
function seenCandidates(parts: PageParts): readonly Candidate[] {
  const { teased } = parts;
  const seen = [
    ...pairCandidates(parts),
    ...labelCandidates(parts),
    ...contactCandidates(parts),
    ...namedCandidates(parts),
  ];
  if (!showsMostlyTeasers(parts)) return seen.filter(({ node }) => teased[node] !== 1);
  return seen.map((candidate) =>
    teased[candidate.node] === 1 ? { ...candidate, isTeased: true } : candidate,
  );
}

/** True if most of the page's text is in parts that show other pages. */
function showsMostlyTeasers({ tree, teased, layout: { offset, inside } }: PageParts): boolean {
  let [own, ofOthers] = [0, 0];
  for (let node = 1; node < tree.size; node++) {
    if (tree.tag[node] !== TEXT || ((inside[node] ?? 0) & (FURNITURE | UNSEEN)) !== 0) continue;
    const at = offset[node] ?? 0;
    const length = (offset[node + 1] ?? at) - at;
    if (teased[node] !== 0) ofOthers += length;
    else own += length;
  }
  return ofOthers > own;
}

/** Values with a finder of their own, as they are requested often. */
function foundCandidates(parts: PageParts, asked: ReadonlySet<Concept>): readonly Candidate[] {
  const dates = lazy(() => findDates(parts));
  const finders: readonly (readonly [Concept, number, () => unknown])[] = [
    ["title", 0.99, () => findTitle(parts)],
    ["author", 0.9, () => findAuthor(parts)],
    ["published", 0.77, () => dates().published?.text],
    ["modified", 0.85, () => dates().modified?.text],
  ];
  return finders.flatMap(([concept, weight, find]) => {
    const value = asked.has(concept) ? find() : undefined;
    return value === undefined
      ? []
      : [{ label: [concept], concept, values: [value], foundBy: "rule", weight, node: -1 }];
  });
}

const WEIGHT = 1;

/** Values of the product that the page sells, since requests for a price mean its price. */
function offerCandidates({ evidence, url, teased }: PageParts): readonly Candidate[] {
  const prices = findPriceCandidates(evidence.tree).filter(({ node }) => teased[node] !== 1);
  const product = gatherProductEvidence(evidence, url, prices);
  if (product.page.names.length === 0) return [];
  const models = shippedModels();
  const scores = models.scorePrices(product.rows);
  const { title, brand, category, variants } = assembleProduct({ evidence, product, scores, models, url });
  const [first] = variants;
  const price = first?.price;
  const inStock = variants.some((variant) => variant.inStock);
  const isSold = price !== undefined || product.stock.saysOut;
  const told: readonly (readonly [Concept, unknown])[] = [
    ["title", title === "" ? undefined : title],
    ["price", price && (price.formatted ?? price.amount)],
    ["originalPrice", first?.originalPrice && (first.originalPrice.formatted ?? first.originalPrice.amount)],
    ["currency", price?.currency],
    ["brand", brand],
    ["category", category],
    ["sku", first?.sku],
    ["inStock", isSold ? inStock : undefined],
    ["soldOut", isSold ? !inStock : undefined],
  ];
  return told.flatMap(([concept, value]) =>
    value === undefined
      ? []
      : [{ label: [concept], concept, values: [value], foundBy: "rule", weight: WEIGHT, node: -1 }],
  );
}

/** Meta names by concept: one line per concept, with a weight and names in order of preference. */
const TOLD: readonly (readonly [concept: Concept, weight: number, names: readonly string[]])[] = [
  [
    "author",
    0.8,
    [
      "author",
      "article:author",
      "dc.creator",
      "parsely-author",
      "sailthru.author",
      "citation_author",
      "book:author",
    ],
  ],
  [
    "published",
    0.88,
    [
      "article:published_time",
      "datepublished",
      "dc.date",
      "parsely-pub-date",
      "sailthru.date",
      "citation_publication_date",
      "date",
      "book:release_date",
    ],
  ],
  ["modified", 0.88, ["article:modified_time", "og:updated_time", "last-modified"]],
  ["description", 0.8, ["og:description", "description", "twitter:description", "dc.description"]],
  ["image", 0.8, ["og:image:secure_url", "og:image", "twitter:image", "twitter:image:src"]],
  ["siteName", 0.9, ["og:site_name", "application-name"]],
  ["language", 0.85, ["language", "og:locale"]],
  ["category", 0.7, ["article:section", "product:category"]],
  ["isbn", 0.85, ["book:isbn", "citation_isbn", "og:isbn"]],
  ["publisher", 0.8, ["citation_publisher", "dc.publisher"]],
  ["brand", 0.8, ["product:brand", "og:brand"]],
];

/** Values from the page's head. */
function metaCandidates({ evidence, url }: PageParts): readonly Candidate[] {
  const told = TOLD.flatMap(([concept, weight, names]): readonly Candidate[] => {
    const value = evidence.meta(...names);
    if (value === undefined || (concept === "author" && /^https?:/.test(value))) return [];
    return [{ label: [concept], concept, values: [value], foundBy: "metadata", weight, node: -1 }];
  });
  const keywords = evidence.meta("keywords", "news_keywords", "article:tag");
  const tags =
    keywords
      ?.split(",")
      .map((tag) => tag.trim())
      .filter((tag) => tag !== "") ?? [];
  const page: Candidate = {
    label: ["url"],
    concept: "url",
    values: [evidence.meta("og:url") ?? url],
    foundBy: "metadata",
    weight: 0.9,
    node: -1,
  };
  return [
    ...told,
    page,
    ...(tags.length > 0
      ? [
          {
            label: ["keyword"],
            concept: "tag" as const,
            values: tags,
            foundBy: "metadata" as const,
            weight: 0.7,
            node: -1,
          },
        ]
      : []),
  ];
}

/** Headings less similar to the page's titles name the site, a section or a notice. */
const LIKE_THE_TITLE = 0.3;
const HEADINGS = tagSet("h1 h2 h3 h4");
const MAIN_HEADING = tagSet("h1");
const MAX_HEADINGS = 60;
const MAX_LENGTH = 300;

/**
 * The page's title: its main heading, unless the title elements contradict it; else another heading that a
 * title begins with; else the title without the site's name.
 */
function findTitle({ tree, heading, titles, evidence }: PageParts): string | undefined {
  const [title = ""] = titles;
  const site = evidence.meta("og:site_name") ?? "";
  const isSite = site !== "" && similarity(heading.text, site) > 0.9;
  const likeness = Math.max(0, ...titles.map((one) => similarity(heading.text, one)));
  const isOwn = titles.length === 0 || likeness > LIKE_THE_TITLE;
  const isMain = heading.node >= 0 && MAIN_HEADING[tree.tag[heading.node] ?? 0] === 1;
  if (isMain && isOwn && !isSite) return heading.text;
  const found = headingOf(tree, titles) ?? (isOwn && !isSite ? heading.text : "");
  const shown = found || withoutAdditions(withoutSite(title, site)) || heading.text;
  return shown === "" ? undefined : shown;
}

/** The longest heading whose text, with or without nested elements, begins a title. */
function headingOf(tree: HtmlTree, titles: readonly string[]): string | undefined {
  const beginnings = titles.map(folded);
  let best = "";
  for (let node = 1, left = MAX_HEADINGS; node < tree.size && left > 0; node++) {
    if (HEADINGS[tree.tag[node] ?? 0] !== 1) continue;
    left--;
    const texts = [ownText(tree, node), textOf(tree, node, MAX_LENGTH)];
    const text = texts.find(
      (one) => one.length > 1 && beginnings.some((title) => startsWith(title, folded(one))),
    );
    if (text !== undefined && text.length > best.length) best = text;
  }
  return best === "" ? undefined : best;
}

function startsWith(title: string, text: string): boolean {
  return text !== "" && (title === text || title.startsWith(`${text} `));
}

function ownText(tree: HtmlTree, node: number): string {
  let text = "";
  const end = tree.end[node] ?? 0;
  for (let inner = node + 1; inner < end; inner = tree.end[inner] ?? end) {
    if (tree.tag[inner] === TEXT) text += tree.text(inner);
  }
  return text.replace(/\s+/g, " ").trim().slice(0, MAX_LENGTH);
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Cuts the part after the last bar or dash, which names the site. */
function withoutSite(title: string, site: string): string {
  const parts = title.split(/\s+[|–—»·•:]\s+|\s+-\s+|(?<=\S)\s*\|\s*/u).filter((part) => part.trim() !== "");
  const own = parts.filter((part) => site === "" || similarity(part, site) < 0.8);
  const [first = "", second = ""] = own;
  const longest = first.length < 12 && second.length > first.length * 2 ? second : first;
  return (longest || title).trim();
}

/** `Emma by Jane Austen (Paperback)` becomes `Emma`. */
function withoutAdditions(title: string): string {
  const additions = /\s*\((?:[^()]*(?:cover|back|edition|book|cd)[^()]*)\)\s*:?.*$/i;
  return title
    .replace(additions, "")
    .replace(/(?<=\S)\s+by\s+\p{Lu}[\p{L}.'’ -]{3,60}$/u, "")
    .trim();
}
