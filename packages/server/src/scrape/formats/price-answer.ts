import type { Price } from "@pergamon-dev/facts/product/price";
import { defined } from "@pergamon-dev/kit/defined";

export function priceAnswer({ amount, currency, formatted }: Price) {
  return { amount, ...defined({ currency, formatted }) };
}
