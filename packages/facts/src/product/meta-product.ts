import type { Evidence } from "../structured/evidence.ts";
import { NO_OFFER, type ProductFacts } from "./facts.ts";
import { readDataPrice } from "./price.ts";
import { stockOf } from "./stock.ts";

/** What the page's head says about a product: something only when it carries a price. */
export function metaProduct({ meta }: Evidence): readonly ProductFacts[] {
  const amount =
    meta("product:price:amount", "og:price:amount", "product:sale_price:amount", "product:price") ??
    labelledPrice(meta);
  const price = readDataPrice(amount);
  if (!price) return [];
  const currency = meta("product:price:currency", "og:price:currency", "product:sale_price:currency");
  const image = meta("og:image");
  const sku = meta("product:retailer_item_id", "product:sku");
  return [
    {
      source: "meta",
      title: meta("og:title"),
      brand: meta("product:brand", "og:brand"),
      identifiers: sku === undefined ? [] : [{ kind: "meta", value: sku }],
      category: meta("product:category"),
      description: meta("og:description"),
      url: meta("og:url"),
      images: image === undefined ? [] : [image],
      offers: [
        {
          ...NO_OFFER,
          price: { ...price, currency: currency?.toUpperCase() ?? price.currency },
          inStock: stockOf(meta("product:availability", "og:availability")),
        },
      ],
    },
  ];
}

/** A price on the card that social networks show. */
function labelledPrice(meta: Evidence["meta"]): string | undefined {
  return /^(?:price|preis|prix|precio|prezzo)$/i.test(meta("twitter:label1") ?? "")
    ? meta("twitter:data1")
    : undefined;
}
