import type { PriceAnswer } from "./shapes.ts";

/** A price as the page shows it, else as amount and currency. */
export function priceText({ amount, currency, formatted }: PriceAnswer): string {
  if (formatted !== undefined) return formatted;
  try {
    if (currency !== undefined)
      return new Intl.NumberFormat("en-GB", { style: "currency", currency }).format(amount);
  } catch {
    // The page names an unknown currency.
  }
  return currency === undefined ? String(amount) : `${amount} ${currency}`;
}
