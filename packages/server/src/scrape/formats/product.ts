import { z } from "zod";

import type { Product, Variant } from "@pergamon-dev/facts/product/product";
import { Citations } from "../../api/citation.ts";
import { ProductAnswer } from "../../api/product.ts";
import { defined } from "@pergamon-dev/kit/defined";
import { NOT_DECODED } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { priceAnswer } from "./price-answer.ts";

const NONE = "No product found on this page; it does not appear to be a product page.";

export const product = defineFormat({
  options: z
    .strictObject({
      type: z.literal("product"),
      citeSources: z.boolean().optional().describe("Also say where each value stands on the page."),
    })
    .describe("The product that the page sells, with variants and prices."),
  answer: {
    product: ProductAnswer,
    productCitations: Citations.exactOptional().describe(
      "With citeSources: where each value of product stands, by its path, such as `variants[0].price.amount`.",
    ),
  },
  coverage: NOT_DECODED,
  async produce(page, { citeSources }, { warn }) {
    const { url } = page.capture;
    const found = await page.product(url);
    if (!found) {
      warn(NONE);
      return {};
    }
    const value = answerOf(found);
    if (citeSources !== true) return { product: value };
    return { product: value, productCitations: await page.citations({ value, foundBy: "rule" }, url) };
  },
});

function answerOf({ variants, ...facts }: Product): ProductAnswer {
  return { ...defined(facts), variants: variants.map(variantOf) };
}

function variantOf(variant: Variant): ProductAnswer["variants"][number] {
  const { id, sku, title, values, price, originalPrice, inStock, stockText, images } = variant;
  return {
    ...defined({
      id,
      sku,
      title,
      values: Object.keys(values).length > 0 ? values : undefined,
      price: price && priceAnswer(price),
      sale: originalPrice && { originalPrice: priceAnswer(originalPrice) },
    }),
    availability: { inStock, ...defined({ text: stockText }) },
    images: images.map(defined),
  };
}
