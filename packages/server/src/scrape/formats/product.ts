import { z } from "zod";

import type { Product, Variant } from "@pergamon-dev/facts/product/product";
import { ProductAnswer } from "../../api/product.ts";
import { defined } from "@pergamon-dev/kit/defined";
import { NOT_DECODED } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { priceAnswer } from "./price-answer.ts";

const NONE = "No product found on this page; it does not appear to be a product page.";

export const product = defineFormat({
  options: z
    .strictObject({ type: z.literal("product") })
    .describe("The product that the page sells, with variants and prices."),
  answer: { product: ProductAnswer },
  coverage: NOT_DECODED,
  async produce(page, _options, { warn }) {
    const found = await page.product(page.capture.url);
    if (!found) {
      warn(NONE);
      return {};
    }
    return { product: answerOf(found) };
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
