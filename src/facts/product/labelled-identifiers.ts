import type { Pair } from "../structured/pairs.ts";

/** Who gave a product the number that stands next to a label. */
type Giver = "shop" | "maker" | "everybody";

interface LabelledIdentifier {
  readonly giver: Giver;
  readonly value: string;
  /** Where the label is. */
  readonly node: number;
}

/** One line per giver: the labels that shops write before the number. */
const LABELS: Readonly<Record<Giver, RegExp>> = {
  shop: /^(?:sku|item (?:no\.?|number|#|id|code)|item|artikel(?:nummer|-?nr\.?)|art\.?[ -]?(?:nr|no)\.?|article (?:number|no\.?)|product (?:code|no\.?|number|id|ref(?:erence)?)|product sku|ref\.?(?:\s?(?:no|nr)\.?)?|reference|référence|réf\.?|referencia|referência|código|codice(?: prodotto| articolo)?|cod\.?|cod produs|asin|internet #|web id|dpci|tcin|catalogue (?:no\.?|number)|bestell-?nr\.?|tuotenumero|tootekood|kód(?: (?:tovaru|produktu|výrobku))?|katalógové číslo|objednávací kód|varenummer|artikelnr\.?|артикул|код(?: товара)?|商品番号|商品編號|商品编号|貨號|상품번호|상품코드|מק"?ט|anzeigen-?(?:nr\.?|nummer|id)|ad id|post id|listing id|ebay item number|lot(?: no\.?)?)$/iu,
  maker:
    /^(?:manufacturer (?:sku|part number|number)|mfr\.?(?: part)?(?: no\.?| number| #)?|mpn|model(?: ?(?:no\.?|number|#|name))?|item model number|part (?:number|no\.?)|style(?: ?(?:no\.?|#|code|number))?|modell(?:nummer)?|modèle|modelo|品番|型番|型號|модель)$/iu,
  everybody: /^(?:isbn(?:-1[03])?|ean(?:[- ]?(?:13|code))?|gtin|upc|cod(?:ul)? ean|barcode)$/iu,
};

const VALUE = /^#?\s{0,3}([A-Z0-9][A-Z0-9._/-]{2,25})(?=$|[\s,;)|])/iu;
const MAX_IDENTIFIERS = 20;

/** The numbers that stand next to a label such as `SKU`, in document order. */
export function labelledIdentifiers(pairs: readonly Pair[]): readonly LabelledIdentifier[] {
  const found: LabelledIdentifier[] = [];
  for (const { label, value, node } of pairs) {
    const giver = (Object.keys(LABELS) as Giver[]).find((one) => LABELS[one].test(label));
    if (giver === undefined) continue;
    const identifier = VALUE.exec(value)?.[1];
    if (identifier === undefined || !/\d/.test(identifier)) continue;
    found.push({ giver, value: identifier, node });
    if (found.length >= MAX_IDENTIFIERS) break;
  }
  return found;
}
