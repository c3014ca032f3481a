import type { Evidence } from "../structured/evidence.ts";
import { tagId } from "@pergamon-dev/html/parser/tree";
import { statedBrand } from "./brand.ts";
import type { ProductFacts } from "./facts.ts";
import { FURNITURE, LINK, OTHER_PRODUCTS } from "./page-layout.ts";
import { namesOf } from "./price-candidates.ts";
import { labelledIdentifiers } from "./labelled-identifiers.ts";
import type { ProductEvidence } from "./product-evidence.ts";
import { similarity } from "./similarity.ts";

const SCHEMA_TYPES = [
  /^(?:News)?Article$|BlogPosting|Report$/,
  /^(?:ItemList|CollectionPage|OfferCatalog|SearchResultsPage)$/,
  /^(?:Recipe|Event|JobPosting|Course|FAQPage|QAPage|DiscussionForumPosting|HowTo)$/,
  /^BreadcrumbList$/,
];
const PATH_WORDS = [
  /\/(?:products?|p|pd|pdp|dp|items?|itm|listing|prod|shop\/p|article|artikel|t|ip)\//i,
  /\/(?:c|cat|category|categories|collections?|browse|search|tag|topic|b|market)(?:\/|$)/i,
  /\/(?:blog|news|article|articles|docs?|forum|threads?|questions|wiki|guide)s?(?:\/|$)/i,
];
const INPUT = tagId("input");
const PROBABLE = 0.3;
/** Number of price features that the page features reuse. */
const SHARED_COLUMNS = 34;

/** Features for the decision whether the page sells one product. `scores` belong to its price candidates. */
export function describePage(
  evidence: Evidence,
  product: ProductEvidence,
  scores: ArrayLike<number>,
): readonly number[] {
  return [
    ...statedSigns(evidence, product),
    ...priceSigns(product, scores),
    ...buttonSigns(product),
    ...addressSigns(product),
    ...cardSigns(product),
    ...labelSigns(evidence, product),
  ];
}

/** Features of product lists: prices in elements with the same name, or in links. */
function cardSigns({ candidates, layout }: ProductEvidence): readonly number[] {
  const { tree, inside } = layout;
  const alike = new Map<string, Set<number>>();
  let linked = 0;
  for (const { node, price } of candidates) {
    if (((inside[node] ?? 0) & LINK) !== 0) linked++;
    if (((inside[node] ?? 0) & (OTHER_PRODUCTS | FURNITURE)) !== 0) continue;
    const key = namesOf(tree, node) + namesOf(tree, tree.parent[node] ?? 0);
    alike.set(key, (alike.get(key) ?? new Set()).add(price.amount));
  }
  const most = Math.max(0, ...[...alike.values()].map(({ size }) => size));
  return [Math.log2(1 + most), candidates.length > 0 ? linked / candidates.length : 0];
}

/** Features of product pages: a labelled number or brand, a quantity field. */
function labelSigns(evidence: Evidence, product: ProductEvidence): readonly number[] {
  const { tree } = evidence;
  let quantities = 0;
  for (let node = tree.tag.indexOf(INPUT); node >= 0; node = tree.tag.indexOf(INPUT, node + 1)) {
    if (
      /qty|quantity|menge|quantit|cantidad/i.test(
        tree.attribute(node, "name") ?? tree.attribute(node, "id") ?? "",
      )
    )
      quantities++;
  }
  return [
    Math.log2(1 + new Set(labelledIdentifiers(evidence.pairs()).map(({ value }) => value)).size),
    statedBrand(evidence, product) === undefined ? 0 : 1,
    Math.log2(1 + quantities),
  ];
}

function statedSigns({ items, meta }: Evidence, { own, page }: ProductEvidence): readonly number[] {
  const types = new Set(items().flatMap(({ types: all }) => all));
  const schema = own.facts.filter(({ source }) => source !== "state" && source !== "meta");
  const isPriced = (source: readonly (typeof own.facts)[number][]) =>
    source.some(({ offers }) => offers.some(({ price }) => (price?.amount ?? 0) > 0)) ? 1 : 0;
  const [heading = ""] = page.names;
  return [
    schema.length > 0 ? 1 : 0,
    isPriced(schema),
    own.facts.some(({ source }) => source === "meta") ? 1 : 0,
    own.facts.some(({ source }) => source === "state") ? 1 : 0,
    Math.log2(1 + own.described),
    Math.max(0, ...schema.map(({ title }) => similarity(title ?? "", heading))),
    schema.some(({ identifiers }) => identifiers.length > 0) ? 1 : 0,
    agreeing(own.facts),
    /product/i.test(meta("og:type") ?? "") ? 1 : 0,
    /article/i.test(meta("og:type") ?? "") ? 1 : 0,
    ...SCHEMA_TYPES.map((pattern) => ([...types].some((type) => pattern.test(type)) ? 1 : 0)),
  ];
}

/** Number of source kinds that state the same price. */
function agreeing(facts: readonly ProductFacts[]): number {
  const kinds = new Map<number, Set<string>>();
  for (const { source, offers } of facts) {
    for (const { price } of offers) {
      if (price && price.amount > 0)
        kinds.set(price.amount, (kinds.get(price.amount) ?? new Set()).add(source));
    }
  }
  return Math.max(0, ...[...kinds.values()].map(({ size }) => size));
}

function priceSigns(
  { candidates, rows, layout, heading }: ProductEvidence,
  scores: ArrayLike<number>,
): readonly number[] {
  let top = -1;
  let probable = 0;
  for (let at = 0; at < candidates.length; at++) {
    if ((scores[at] ?? 0) > PROBABLE) probable++;
    if (top < 0 || (scores[at] ?? 0) > (scores[top] ?? 0)) top = at;
  }
  const amount = candidates[top]?.price.amount;
  const rivals = candidates.map(({ price }, at) => (price.amount === amount ? 0 : (scores[at] ?? 0)));
  const own = candidates.filter(
    ({ node }) => ((layout.inside[node] ?? 0) & (OTHER_PRODUCTS | FURNITURE)) === 0,
  );
  return [
    Math.log2(1 + candidates.length),
    Math.log2(1 + own.length),
    Math.log2(1 + new Set(own.map(({ price }) => price.amount)).size),
    scores[top] ?? 0,
    Math.max(0, ...rivals),
    probable,
    ...(rows[top]?.slice(0, SHARED_COLUMNS) ?? Array.from({ length: SHARED_COLUMNS }, () => -1)),
    heading.node < 0 ? 0 : 1,
  ];
}

function buttonSigns(product: ProductEvidence): readonly number[] {
  const { buttons, layout, heading, stock } = product;
  const first = buttons[0]?.node ?? -1;
  return [
    Math.log2(1 + buttons.length),
    buttons.some(({ isDisabled }) => !isDisabled) ? 1 : 0,
    first < 0 || heading.node < 0
      ? -1
      : Math.log2(1 + Math.abs((layout.offset[first] ?? 0) - (layout.offset[heading.node] ?? 0))),
    stock.saysOut ? 1 : 0,
    stock.saysIn ? 1 : 0,
    Math.log2(1 + (layout.offset.at(-1) ?? 0)),
  ];
}

function addressSigns({ page, identifiers }: ProductEvidence): readonly number[] {
  const [address = ""] = page.addresses;
  const path = address.replace(/^[^/]*/, "");
  return [
    ...PATH_WORDS.map((pattern) => (pattern.test(path) ? 1 : 0)),
    path.split("/").length,
    path.split("/").at(-1)?.split("-").length ?? 0,
    Math.log2(1 + (identifiers[0]?.count ?? 0)),
  ];
}
