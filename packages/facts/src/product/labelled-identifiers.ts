import { type HtmlTree, TEXT } from "@pergamon-dev/html/parser/tree";
import type { Evidence } from "../structured/evidence.ts";
import { type Pair, valueAfter } from "../structured/pairs.ts";
import { UNREAD } from "../structured/text-of.ts";

/** Issuer of a labelled number. */
type Giver = "shop" | "maker" | "everybody";

interface LabelledIdentifier {
  readonly giver: Giver;
  readonly value: string;
  /** The element of the label. */
  readonly node: number;
}

/** Labels by issuer: one line each. */
const WORDS: Readonly<Record<Giver, string>> = {
  shop: String.raw`sku|item (?:no\.?|number|#|id|code)|item|artikel(?:nummer|-?nr\.?)|art\.?[ -]?(?:nr|no)\.?|article (?:number|no\.?)|product (?:code|no\.?|number|id|ref(?:erence)?)|product sku|ref\.?(?:\s?(?:no|nr)\.?)?|reference|référence|réf\.?|referencia|referência|código|codice(?: prodotto| articolo)?|cod\.?|cod produs|asin|internet #|web id|dpci|tcin|catalogue (?:no\.?|number)|bestell-?nr\.?|tuotenumero|tootekood|kód(?: (?:tovaru|produktu|výrobku))?|katalógové číslo|objednávací kód|varenummer|artikelnr\.?|артикул|код(?: товара)?|商品番号|商品編號|商品编号|貨號|상품번호|상품코드|מק"?ט|anzeigen-?(?:nr\.?|nummer|id)|ad id|post id|listing id|ebay item number|lot(?: no\.?)?`,
  maker: String.raw`manufacturer (?:sku|part number|number)|mfr\.?(?: part)?(?: no\.?| number| #)?|mpn|model(?: ?(?:no\.?|number|#|name))?|item model number|part (?:number|no\.?)|style(?: ?(?:no\.?|#|code|number))?|modell(?:nummer)?|modèle|modelo|品番|型番|型號|модель`,
  everybody: String.raw`isbn(?:-1[03])?|ean(?:[- ]?(?:13|code))?|gtin|upc|cod(?:ul)? ean|barcode`,
};

const GIVERS: readonly Giver[] = ["shop", "maker", "everybody"];
const LABELS = GIVERS.map((giver) => ({ giver, label: new RegExp(`^(?:${WORDS[giver]})$`, "iu") }));

const NUMBER = String.raw`[A-Z0-9][A-Z0-9._/-]{2,25}`;
const VALUE = new RegExp(String.raw`^#?\s{0,3}(${NUMBER})(?=$|[\s,;)|])`, "iu");
const VALUE_ALONE = new RegExp(String.raw`^[#:\s]{0,3}(${NUMBER})$`, "iu");
/** A label and its number in one text without a colon. */
const JOINED = /^(\S[^:：]{0,38}?)(?:\s{0,2}[#№]\s{0,2}|\s{1,3})([A-Z0-9][A-Z0-9._/-]{2,25})$/iu;
const NAMED =
  /(?<![a-z])(?:sku|ad-?(?:no|id)|(?:product|item|article|artikel|cat|catalog|style|model)[-_]?(?:no|nr|number|nummer|code|id|ref(?:erence)?))(?![a-z])|(?:product|item|article|cat|style)(?:Number|Code|Reference|No)(?![a-z])/iu;
const NAMING = /^(?:class|id|itemprop)$/u;
/** Unambiguous labels. */
const PLAIN_LABEL =
  /^\s*(?:(?:product|item|article|catalogue)\s(?:code|number)|artikelnummer|bestellnummer|sku)\s*(?:[-–—#.]\s*)?$/iu;
const MAX_LABEL_LENGTH = 40;
const MAX_TEXT_LENGTH = 70;
const MAX_IDENTIFIERS = 20;

/** Numbers separated from a label such as `SKU` by a colon, a list or a table, in document order. */
export function labelledIdentifiers(pairs: readonly Pair[]): readonly LabelledIdentifier[] {
  const found: LabelledIdentifier[] = [];
  for (const { label, value, node } of pairs) {
    const giver = giverOf(label);
    if (giver === undefined) continue;
    const identifier = VALUE.exec(value)?.[1];
    if (identifier === undefined || !/\d/.test(identifier)) continue;
    found.push({ giver, value: identifier, node });
    if (found.length >= MAX_IDENTIFIERS) break;
  }
  return found;
}

/**
 * The labelled numbers, texts of elements named as identifiers, and numbers right after a label without a
 * separator: after any label if there is no other identifier, else only after unambiguous labels.
 */
export function shownIdentifiers(
  { pairs, setOffLabels, tree }: Evidence,
  isStated: boolean,
): readonly LabelledIdentifier[] {
  const found = [
    ...labelledIdentifiers(pairs()),
    ...labelledIdentifiers(setOffLabels()),
    ...namedIdentifiers(tree),
  ];
  const isKnown = isStated || found.length > 0;
  return isKnown ? [...found, ...inTexts(tree, PLAIN_LABEL)] : inTexts(tree, /./u);
}

/** Texts of elements whose name says that they hold only the number. */
function namedIdentifiers(tree: HtmlTree): readonly LabelledIdentifier[] {
  const found: LabelledIdentifier[] = [];
  for (let node = 1; node < tree.size && found.length < MAX_IDENTIFIERS; node++) {
    if (UNREAD[tree.tag[node] ?? 0] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (tree.tag[node] === TEXT && tree.end[node] === tree.end[tree.parent[node] ?? 0]) {
      const element = tree.parent[node] ?? 0;
      const value = element + 1 === node ? VALUE_ALONE.exec(tree.text(node).trim())?.[1] : undefined;
      if (value !== undefined && /\d/.test(value) && isNamed(tree, element))
        found.push({ giver: "shop", value, node: element });
    }
  }
  return found;
}

function isNamed(tree: HtmlTree, node: number): boolean {
  return tree
    .attributes(node)
    .some(
      ([name, value]) => (NAMING.test(name) || name.startsWith("data-")) && NAMED.test(value.slice(0, 200)),
    );
}

function giverOf(label: string): Giver | undefined {
  return LABELS.find((one) => one.label.test(label))?.giver;
}

/** Numbers right after a label without a colon, in the same text or the next one. */
function inTexts(tree: HtmlTree, likely: RegExp): readonly LabelledIdentifier[] {
  const found: LabelledIdentifier[] = [];
  for (let node = 1; node < tree.size && found.length < MAX_IDENTIFIERS; node++) {
    if (UNREAD[tree.tag[node] ?? 0] === 1) node = (tree.end[node] ?? tree.size) - 1;
    else if (tree.tag[node] === TEXT && !tree.isBlank(node)) {
      const identifier = likely.test(tree.text(node)) ? identifierAt(tree, node) : undefined;
      if (identifier) found.push(identifier);
    }
  }
  return found;
}

function identifierAt(tree: HtmlTree, node: number): LabelledIdentifier | undefined {
  const text = tree
    .text(node)
    .trim()
    .replace(/^[([](.*)[)\]]$/u, "$1");
  if (text.length > MAX_TEXT_LENGTH) return undefined;
  const [, label = text.replace(/[\s#–—-]{1,4}$/u, ""), inside] = JOINED.exec(text) ?? [];
  const isJoined = inside !== undefined && /\d/.test(inside);
  const written = isJoined ? label : text.replace(/[\s#–—-]{1,4}$/u, "");
  const giver = written.length > MAX_LABEL_LENGTH ? undefined : giverOf(written);
  if (giver === undefined) return undefined;
  const value = isJoined ? inside : VALUE_ALONE.exec(valueAfter(tree, node))?.[1];
  return value !== undefined && /\d/.test(value) ? { giver, value, node } : undefined;
}
