import type { Price } from "../../facts/product/price.ts";
import { defined } from "../../kit/defined.ts";

/** A price as answers have it. */
export function priceAnswer({ amount, currency, formatted }: Price) {
  return { amount, ...defined({ currency, formatted }) };
}
