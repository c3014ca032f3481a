import type { Price } from "@pergamon-dev/facts/product/price";
import { defined } from "@pergamon-dev/kit/defined";

/** A price as answers have it. */
export function priceAnswer({ amount, currency, formatted }: Price) {
  return { amount, ...defined({ currency, formatted }) };
}
