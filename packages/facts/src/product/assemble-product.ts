import { resolveUrl } from "@pergamon-dev/html/selection/base-url";
import { tagId } from "@pergamon-dev/html/parser/tree";
import type { Evidence } from "../structured/evidence.ts";
import { cleanBrand, visibleBrand } from "./brand.ts";
import type { ProductFacts } from "./facts.ts";
import type { Findings } from "./findings.ts";
import type { Product } from "./product.ts";
import type { ProductEvidence } from "./product-evidence.ts";
import { similarity, wordsOf } from "./similarity.ts";
import { variantsOf } from "./variants.ts";

const LINK = tagId("link");
const MAX_CATEGORY_LENGTH = 300;
const LIKE_THE_TITLE = 0.3;
const HOME =
  /^(?:home|homepage|start|startseite|accueil|inicio|início|hem|hjem|strona główna|domů|главная|首頁|首页|ホーム|トップ)$/iu;

/** Builds a product: each field comes from the most reliable source that has it. */
export function assembleProduct(findings: Findings): Product {
  const { evidence, product, url } = findings;
  const { facts } = product.own;
  const title = titleOf(evidence, product);
  return {
    title,
    brand: firstOf(facts, statedBrand) ?? visibleBrand(evidence, product),
    category: firstOf(facts, ({ category }) => category) ?? breadcrumbs(evidence, title),
    url: canonicalUrl(evidence, url),
    description:
      firstOf(facts, ({ description }) => description) ?? evidence.meta("og:description", "description"),
    variants: variantsOf(findings),
  };
}

/** Whether data say a name that the page shows whole: cut after a comma, or parted within a word. */
function isBroken(name: string, shown: string): boolean {
  if (/[,;:…]\s*$/.test(name)) return similarity(name, shown) > 0.5;
  return name !== shown && name.replace(/\s/g, "") === shown.replace(/\s/g, "");
}

/**
 * Whether data repeat the title of the document, which shops fill with their name or with words for search engines,
 * where a shorter heading names the product. Headings of one word are often categories, those at its end the site.
 */
function isDocumentTitle(
  name: string,
  shown: string,
  { meta }: Evidence,
  brand: string | undefined,
): boolean {
  const size = wordsOf(shown).size;
  return (
    size > 1 &&
    size < wordsOf(name).size &&
    similarity(name, meta("title") ?? "") === 1 &&
    similarity(name, shown) > LIKE_THE_TITLE &&
    !name.endsWith(shown) &&
    ![meta("og:site_name"), brand].some((other) => similarity(other ?? "", shown) === 1)
  );
}

function titleOf(evidence: Evidence, { own, heading, page }: ProductEvidence): string {
  const described = own.facts.find(({ source, title }) => source !== "meta" && title !== undefined);
  const name = described?.title;
  const shown = heading.text;
  if (name === undefined || isBroken(name, shown)) return shown || (page.names[0] ?? "");
  return isDocumentTitle(name, shown, evidence, described?.brand) ? shown : name;
}

/** The stated brand. State data often has a code in its place. */
function statedBrand({ source, brand }: ProductFacts): string | undefined {
  const isCode = source === "state" && brand !== undefined && /^[a-z0-9]{1,3}$/.test(brand);
  return isCode ? undefined : cleanBrand(brand);
}

/** The breadcrumb path without its first step and the product itself. */
function breadcrumbs({ items }: Evidence, title: string): string | undefined {
  const list = items().find(({ types }) => types.includes("BreadcrumbList"));
  const steps = list?.items("itemListElement").map((step) => step.text("name") ?? step.text("item"));
  const names = steps?.filter(
    (name) => name !== undefined && name !== title && !HOME.test(name) && !/^https?:/.test(name),
  );
  return names && names.length > 0 ? names.join(" > ").slice(0, MAX_CATEGORY_LENGTH) : undefined;
}

/** The canonical URL if it is a web URL, else the URL of the page. */
function canonicalUrl({ tree }: Evidence, url: string): string {
  for (let node = tree.tag.indexOf(LINK); node >= 0; node = tree.tag.indexOf(LINK, node + 1)) {
    if ((tree.attribute(node, "rel") ?? "").trim().toLowerCase() !== "canonical") continue;
    const address = resolveUrl(tree.attribute(node, "href") ?? "", url);
    if (address !== undefined && /^https?:/.test(address)) return address;
  }
  return url;
}

/** The value of the most reliable source that has one. */
function firstOf<Value>(
  facts: readonly ProductFacts[],
  get: (one: ProductFacts) => Value | undefined,
): Value | undefined {
  return facts.map(get).find((value) => value !== undefined);
}
