import type { Rule } from "./rule.ts";

const at = (file: string, name: string, from: string, to: string): Rule => ({
  name,
  file: `facts/product/${file}.ts`,
  from,
  to,
});

const OTHERWISE = "isSoldOut(evidence, product);\n";

/** One line per rule of the product format that is not a column of its trees. */
export const productRules: readonly Rule[] = [
  at(
    "find-product",
    "stated and shown",
    "isStatedAndShown(product) ||",
    "(!OFF && isStatedAndShown(product)) ||",
  ),
  at("find-product", "says sold out", OTHERWISE, `(!OFF && ${OTHERWISE.replace(";\n", ");\n")}`),
  at(
    "best-price",
    "whole price beside a part's",
    "isPartPrice(first.one) ?",
    "!OFF && isPartPrice(first.one) ?",
  ),
  at("best-price", "price of before gives way", "if (!isOldPrice(best", "if (OFF || !isOldPrice(best"),
  at(
    "old-price",
    "words for a price of before",
    "return SAID_OLD.test(own",
    "return !OFF && SAID_OLD.test(own",
  ),
  at("old-price", "such words in the element around", "SAID_OLD.test(around", "!OFF && SAID_OLD.test(around"),
  at("best-price", "prices in cards are of others", "!ofCards.has(one)", "OFF || !ofCards.has(one)"),
  at(
    "best-price",
    "currency of any stated price",
    "return any?.currency ??",
    "return (OFF ? undefined : any?.currency) ??",
  ),
  at("best-price", "currency of all other prices", "(others.size === 1 ?", "(!OFF && others.size === 1 ?"),
  at(
    "best-price",
    "stated prices of nothing",
    "price && price.amount > 0 ? [price]",
    "price && (OFF || price.amount > 0) ? [price]",
  ),
  at(
    "assemble-product",
    "title of data first",
    "return described?.title ??",
    "return (OFF ? undefined : described?.title) ??",
  ),
  at(
    "assemble-product",
    "title of meta last",
    'source !== "meta" && title',
    '(OFF || source !== "meta") && title',
  ),
  at("assemble-product", "brand of state is a code", "const isCode =", "const isCode = !OFF &&"),
  at(
    "brand",
    "brand next to a label",
    "labelledBrand(evidence) ??",
    "(OFF ? undefined : labelledBrand(evidence)) ??",
  ),
  at(
    "brand",
    "brand by the element's name",
    "namedBrand(product) ??",
    "(OFF ? undefined : namedBrand(product)) ??",
  ),
  at("brand", "brand after by", "?? bylineOf(product)", "?? (OFF ? undefined : bylineOf(product))"),
  at(
    "brand",
    "brand begins the name",
    "?? beginningOfName(product)",
    "?? (OFF ? undefined : beginningOfName(product))",
  ),
  at(
    "brand",
    "pictures begin the name",
    '(tree.attribute(node, "alt") ?? "")',
    '(OFF ? "" : (tree.attribute(node, "alt") ?? ""))',
  ),
  at("brand", "brand as picture", "|| imageNameIn(tree, node)", '|| (OFF ? "" : imageNameIn(tree, node))'),
  at("brand", "brand is not the title", "|| page.names.some(", "|| !OFF && page.names.some("),
  at(
    "brand",
    "not of other products",
    "if (((inside[node] ?? 0) & (OTHER_PRODUCTS | FURNITURE)) !== 0) continue;",
    "if (!OFF && ((inside[node] ?? 0) & (OTHER_PRODUCTS | FURNITURE)) !== 0) continue;",
  ),
  at(
    "brand",
    "words before a brand",
    "      /^(?:brand|marke|marque|marca|merk|manu",
    "      OFF ? /^$/ : /^(?:brand|marke|marque|marca|merk|manu",
  ),
  at(
    "brand",
    "words for no brand",
    "&& !/^https?:|^(?:n\\/?a|none|unbranded|null|undefined|-+)$/i.test(brand)",
    "&& (OFF || !/^https?:|^(?:n\\/?a|none|unbranded|null|undefined|-+)$/i.test(brand))",
  ),
  at("own-facts", "described at this address", "(isHere ? 0.5 : 0)", "(isHere && !OFF ? 0.5 : 0)"),
  at(
    "own-facts",
    "described with a price",
    "offers.some(({ price }) => price) ? 0.05",
    "!OFF && offers.some(({ price }) => price) ? 0.05",
  ),
  at("own-facts", "several described", "if (names > FEW &&", "if (!OFF && names > FEW &&"),
  at("own-facts", "many described", "return names > MANY &&", "return !OFF && names > MANY &&"),
  at(
    "own-facts",
    "described without a name",
    "main)) : namelessOf(described)",
    "main)) : OFF ? [] : namelessOf(described)",
  ),
  at(
    "own-facts",
    "others described",
    "facts === main || facts.title",
    "OFF || facts === main || facts.title",
  ),
  at("variants", "page says sold out", "stock.outText === undefined", "(OFF || stock.outText === undefined)"),
  at(
    "variants",
    "price of nothing for what is gone",
    "inStock || offer.price?.amount !== 0",
    "OFF || inStock || offer.price?.amount !== 0",
  ),
  at(
    "variants",
    "number of one variant",
    "return offers.length > 1 && offers.some((offer) => offer.sku",
    "return !OFF && offers.length > 1 && offers.some((offer) => offer.sku",
  ),
  at(
    "variants",
    "shown price for variants of one price",
    "(isOnePrice ? best.price",
    "(isOnePrice && !OFF ? best.price",
  ),
  at(
    "variants",
    "the product's number by the trees",
    "sku: sku ?? offer.sku,",
    "sku: (OFF ? undefined : sku) ?? offer.sku,",
  ),
  at(
    "schema-product",
    "parts that lead to others",
    "&& !item.path.some((name) => OTHERS.has(name))",
    "&& (OFF || !item.path.some((name) => OTHERS.has(name)))",
  ),
  at(
    "schema-product",
    "maker for brand",
    '?? item.text("manufacturer")',
    '?? (OFF ? undefined : item.text("manufacturer"))',
  ),
  at(
    "schema-product",
    "list prices apart",
    "const specification = prices.find((one) => !isList(one));",
    "const specification = prices.find((one) => OFF || !isList(one));",
  ),
  at(
    "schema-product",
    "prices of a unit apart",
    ".filter(({ types }) => !types.includes(",
    ".filter(({ types }) => OFF || !types.includes(",
  ),
  at(
    "schema-product",
    "an aggregate's offers",
    "return isPriced || offer",
    "return OFF || isPriced || offer",
  ),
];
