import { z } from "zod";

import type { Immutable } from "./immutable.ts";

/** An amount of money as a page states it. */
export const Price = z.strictObject({
  amount: z.number().min(0).describe("In the main unit of the currency."),
  currency: z.string().exactOptional().describe("ISO 4217 code. Present only when the page states it."),
  formatted: z.string().exactOptional().describe("As the page shows it."),
});

export const Availability = z.strictObject({
  inStock: z.boolean(),
  text: z.string().exactOptional().describe("The wording of the page."),
});

export const PictureAnswer = z.strictObject({
  url: z.string(),
  alt: z.string().exactOptional(),
});

const VariantAnswer = z.strictObject({
  id: z.string().exactOptional().describe("Identifier of the variant in the shop."),
  sku: z
    .string()
    .exactOptional()
    .describe("Identifier of the product in the shop, or of the variant when the product has none."),
  title: z.string().exactOptional(),
  values: z
    .record(z.string(), z.string())
    .exactOptional()
    .describe("Value of each option, such as size → M."),
  price: Price.exactOptional(),
  sale: z
    .strictObject({ originalPrice: Price })
    .exactOptional()
    .describe("Present only when the price is reduced."),
  availability: Availability,
  images: z.array(PictureAnswer),
});

/** `product` of a scrape (contract, section 3.13b). */
export const ProductAnswer = z
  .strictObject({
    title: z.string(),
    brand: z.string().exactOptional(),
    category: z
      .string()
      .exactOptional()
      .describe("A category, or a path from general to specific, separated by ` > `."),
    url: z.string().describe("Canonical URL of the page, or its final URL when it has none."),
    description: z.string().exactOptional(),
    variants: z
      .array(VariantAnswer)
      .describe("At least one. A product without variants is listed as its only variant."),
  })
  .describe(
    "The product that the page sells. When the page does not sell exactly one product, the field is absent and a warning is added.",
  );
export type ProductAnswer = Immutable<z.output<typeof ProductAnswer>>;
