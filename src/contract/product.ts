import { z } from "zod";

import type { Immutable } from "./immutable.ts";

/** An amount of money as a page states it. */
export const Price = z.strictObject({
  amount: z.number().min(0).describe("In the currency's main unit."),
  currency: z.string().exactOptional().describe("ISO 4217; only when the page states it."),
  formatted: z.string().exactOptional().describe("As the page shows it."),
});

/** Whether something can be bought. */
export const Availability = z.strictObject({
  inStock: z.boolean(),
  text: z.string().exactOptional().describe("The page's own words."),
});

/** A picture. */
export const PictureAnswer = z.strictObject({
  url: z.string(),
  alt: z.string().exactOptional(),
});

const VariantAnswer = z.strictObject({
  id: z.string().exactOptional().describe("What the shop calls this variant."),
  sku: z
    .string()
    .exactOptional()
    .describe("What the shop calls the product, or the variant where it has no name for all."),
  title: z.string().exactOptional(),
  values: z.record(z.string(), z.string()).exactOptional().describe("Option → value, such as size → M."),
  price: Price.exactOptional(),
  sale: z.strictObject({ originalPrice: Price }).exactOptional().describe("Only when the price is reduced."),
  availability: Availability,
  images: z.array(PictureAnswer),
});

/** `product` of a scrape (contract, section 3.13b). */
export const ProductAnswer = z
  .strictObject({
    title: z.string(),
    brand: z.string().exactOptional(),
    category: z.string().exactOptional().describe("May be a path, from wide to narrow, with ` > ` between."),
    url: z.string().describe("The page's canonical address, else its final one."),
    description: z.string().exactOptional(),
    variants: z.array(VariantAnswer).describe("At least one: a product without variants is its own."),
  })
  .describe("The one product that the page sells. Absent, with a warning, on every other page.");
export type ProductAnswer = Immutable<z.output<typeof ProductAnswer>>;
