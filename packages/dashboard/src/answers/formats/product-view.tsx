import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { Badge } from "../../parts/badge.tsx";
import { Table } from "../../parts/table.tsx";
import { ForeignLink } from "../foreign-link.tsx";
import { AddressList } from "../lists.tsx";
import { priceText } from "./price.ts";
import type { ProductAnswer } from "./shapes.ts";

type Variant = ProductAnswer["variants"][number];

/** A product as a shop would show it: name, price, stock, and its variants. */
export function ProductView({ product }: { readonly product: ProductAnswer }) {
  const { title, brand, category, description, url, variants } = product;
  const [first] = variants;
  const pictures = [...new Set(variants.flatMap(({ images }) => images.map((image) => image.url)))];
  return (
    <article class="card-view">
      <header>
        <div class="grow">
          {brand !== undefined && <span class="dim foreign">{plainly(brand)}</span>}
          <h2 class="big foreign wrap">{plainly(title)}</h2>
          {category !== undefined && <span class="faint foreign wrap">{plainly(category)}</span>}
        </div>
        {first && (
          <div class="price-tag">
            <Price variant={first} isFrom={variants.length > 1} />
            <Stock variant={first} />
          </div>
        )}
      </header>
      {description !== undefined && <p class="foreign wrap">{description.slice(0, 4000)}</p>}
      {variants.length > 1 && <Variants variants={variants} />}
      <dl class="facts-row">
        <dt>Page</dt>
        <dd>
          <ForeignLink url={url} />
        </dd>
        {first?.sku !== undefined && (
          <>
            <dt>SKU</dt>
            <dd class="mono foreign wrap">{plainly(first.sku)}</dd>
          </>
        )}
      </dl>
      {pictures.length > 0 && (
        <details class="folded">
          <summary>{plural(pictures.length, "picture")}</summary>
          <AddressList addresses={pictures} />
        </details>
      )}
    </article>
  );
}

function Price({
  variant: { price, sale },
  isFrom,
}: {
  readonly variant: Variant;
  readonly isFrom: boolean;
}) {
  if (!price) return <span class="dim">No price on the page</span>;
  return (
    <span class="foreign">
      <b>{plainly(priceText(price))}</b>
      {sale && (
        <>
          <span class="unseen">, reduced from </span> <s>{plainly(priceText(sale.originalPrice))}</s>
        </>
      )}
      {isFrom && <span class="faint"> first variant</span>}
    </span>
  );
}

/** What shops say of their stock is this short; in a longer text the words stand among others. */
const MAX_STOCK_CHARACTERS = 40;

function Stock({ variant: { availability } }: { readonly variant: Variant }) {
  const { inStock, text = "" } = availability;
  const isShort = text !== "" && text.length <= MAX_STOCK_CHARACTERS;
  return (
    <Badge tone={inStock ? "ok" : "bad"}>{isShort ? text : inStock ? "In stock" : "Not in stock"}</Badge>
  );
}

/** More are slow to draw; the whole response has all of them. */
const MAX_VARIANTS = 200;

function Variants({ variants }: { readonly variants: readonly Variant[] }) {
  return (
    <Table
      label="Variants"
      columns={[
        {
          heading: plural(variants.length, "variant"),
          class: "foreign wrap",
          cell: (variant, index) => plainly(nameOf(variant, index)),
        },
        {
          heading: "SKU",
          from: "wide",
          class: "mono foreign wrap",
          cell: ({ sku, id }) => plainly(sku ?? id ?? "–"),
        },
        {
          heading: "Price",
          kind: "number",
          cell: (variant) => <Price variant={variant} isFrom={false} />,
        },
        { heading: "Stock", cell: (variant) => <Stock variant={variant} /> },
      ]}
      rows={variants.slice(0, MAX_VARIANTS)}
      keyOf={(_, index) => index}
    />
  );
}

function nameOf({ title, values = {} }: Variant, index: number): string {
  const chosen = Object.entries(values).map(([option, value]) => `${option}: ${value}`);
  return chosen.length > 0 ? chosen.join(", ") : (title ?? `Variant ${index + 1}`);
}
