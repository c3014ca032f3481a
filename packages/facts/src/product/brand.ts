import { AttributeNames } from "@pergamon-dev/html/parser/attribute-names";
import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import type { Evidence } from "../structured/evidence.ts";
import { valueAfter } from "../structured/pairs.ts";
import { textOf } from "../structured/text-of.ts";
import { FURNITURE, LINK, OTHER_PRODUCTS, UNSEEN } from "./page-layout.ts";
import { namesOf } from "./price-candidates.ts";
import type { ProductEvidence } from "./product-evidence.ts";

const LABEL =
  /^(?:brand(?: name)?|product brand|marke|hersteller|marque|fabricant|marca|fabricante|produttore|manufacturer|vendor|maker|publisher|merk|märke|mærke|merke|brändi|tuotemerkki|tootja|bränd|značka|výrobce|výrobca|producent|marka|producător|tillverkare|fabrikant|fabricante|produsent|producent|valmistaja|proizvođač|gyártó|üretici|marcă|марка|виробник|κατασκευαστής|nhãn hiệu|thương hiệu|merek|бренд|производитель|торговая марка|ブランド|メーカー|出版社|品牌|브랜드|제조사|מותג|יצרן|العلامة التجارية)$/iu;
const NAMED =
  /(?<![a-z])(?:brand|byline|manufacturer|maker|vendor|marke|marque|marca|designer)(?![a-z])|brandname|productbrand|bylineinfo/i;
const WITH_NAMES = new AttributeNames("class id itemprop data-testid data-test data-qa data-auto-id");
const MAX_LENGTH = 60;
/** In characters around the heading. An element within this range may name the brand. */
const NEAR = 1500;
const BEFORE = 400;

/**
 * The brand that the page shows, for pages without one in their data: next to a label, or near the heading.
 */
export function visibleBrand(evidence: Evidence, product: ProductEvidence): string | undefined {
  return (
    labelledBrand(evidence) ??
    setOffBrand(evidence, product) ??
    statedBrand(evidence, product) ??
    beginningOfName(product)
  );
}

/** The brand next to a label, in an element named `brand`, or after `by`. */
export function statedBrand(evidence: Evidence, product: ProductEvidence): string | undefined {
  return labelledBrand(evidence) ?? namedBrand(product) ?? bylineOf(product);
}

function labelledBrand({ pairs }: Evidence): string | undefined {
  const pair = pairs().find(({ label, value }) => LABEL.test(label) && value.length <= MAX_LENGTH);
  return pair && cleanBrand(pair.value);
}

/** The brand beside a label without a colon, outside of the frame and of other products. */
function setOffBrand(
  { setOffLabels }: Evidence,
  { layout: { inside } }: ProductEvidence,
): string | undefined {
  const found = setOffLabels().find(
    ({ label, value, node }) =>
      LABEL.test(label) &&
      value.length <= MAX_LENGTH &&
      ((inside[node] ?? 0) & (OTHER_PRODUCTS | FURNITURE | UNSEEN)) === 0,
  );
  return found && cleanBrand(found.value);
}

/** Text of an element near the heading whose name contains brand. */
function namedBrand({ layout, heading, page }: ProductEvidence): string | undefined {
  const { tree, inside, offset } = layout;
  const start = offset[Math.max(0, heading.node)] ?? 0;
  let best: { readonly text: string; readonly distance: number } | undefined;
  for (let node = 1; node < tree.size; node++) {
    const distance = (offset[node] ?? 0) - start;
    if (distance > NEAR) break;
    if (tree.tag[node] === TEXT || distance < -BEFORE || !tree.mayHave(node, WITH_NAMES)) continue;
    if (((inside[node] ?? 0) & (OTHER_PRODUCTS | FURNITURE)) !== 0) continue;
    const names = namesOf(tree, node);
    if (!NAMED.test(names)) continue;
    const text = cleanBrand(textOf(tree, node, MAX_LENGTH + 20) || imageNameIn(tree, node));
    if (text === undefined || page.names.some((name) => folded(text) === folded(name))) continue;
    if (!best || Math.abs(distance) < best.distance) best = { text, distance: Math.abs(distance) };
  }
  return best?.text;
}

/** Alternative text of the first picture in an element. */
function imageNameIn(tree: HtmlTree, node: number): string {
  for (let inner = node; inner < (tree.end[node] ?? 0); inner++) {
    const alt = tree.attribute(inner, "alt");
    if (alt !== undefined && alt !== "") return alt;
  }
  return "";
}

/** `by X` right after the heading. */
function bylineOf({ layout, heading }: ProductEvidence): string | undefined {
  const { tree, offset } = layout;
  if (heading.node < 0) return undefined;
  const start = offset[tree.end[heading.node] ?? 0] ?? 0;
  for (let node = tree.end[heading.node] ?? 0; node < tree.size; node++) {
    if ((offset[node] ?? 0) > start + 200) break;
    if (tree.tag[node] !== TEXT) continue;
    const match = /^\s*(?:by|von|par|di|de|av|von der marke)[:\s]\s*(.*)$/isu.exec(tree.text(node))?.[1];
    if (match === undefined) continue;
    return cleanBrand(match.trim() === "" ? valueAfter(tree, node) : match);
  }
  return undefined;
}

/** The first words of the product's name, if the page also has them as a link or picture of their own. */
function beginningOfName({ layout, page }: ProductEvidence): string | undefined {
  const words = (page.names[0] ?? "").split(/\s+/);
  const beginnings = new Map(
    [1, 2, 3].map((count) => [folded(words.slice(0, count).join(" ")), words.slice(0, count).join(" ")]),
  );
  const { tree, inside } = layout;
  for (let node = 1; node < tree.size; node++) {
    if (((inside[node] ?? 0) & (FURNITURE | UNSEEN)) !== 0) continue;
    const text =
      tree.tag[node] === TEXT
        ? tree.isBlank(node)
          ? ""
          : tree.text(node)
        : (tree.attribute(node, "alt") ?? "");
    if (text.length < 3 || text.length > MAX_LENGTH) continue;
    if (tree.tag[node] === TEXT && ((inside[node] ?? 0) & LINK) === 0) continue;
    const found = beginnings.get(folded(text));
    if (found !== undefined && found.length > 2 && /\p{Lu}/u.test(text)) return cleanBrand(text);
  }
  return undefined;
}

function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** A brand without the words that shops put around it; undefined if it is not a brand. */
export function cleanBrand(text: string | undefined): string | undefined {
  const brand = text
    ?.replace(/\s+/g, " ")
    .trim()
    .replace(
      /^(?:brand|marke|marque|marca|merk|manufacturer|hersteller|by|von|shop all|shop|visit the|besuche den|besuchen sie den|visita lo|visita la|visiter la boutique|visitez la boutique|more from|view all|alle|meer van|see all)\b\s*:?\s*/iu,
      "",
    )
    .trim();
  if (brand === undefined || brand === "" || brand.length > MAX_LENGTH) return undefined;
  return /\p{L}|\d/u.test(brand) && !/^https?:|^(?:n\/?a|none|unbranded|null|undefined|-+)$/i.test(brand)
    ? brand
    : undefined;
}
