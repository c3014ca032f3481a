import { session } from "../client/session.ts";
import { money } from "../format/numbers.ts";

/** What credits cost, where the operator has set a price. */
export function costOf(credits: number): string | undefined {
  const price = session.value?.creditPrice;
  return price ? money(credits * price.amount, price.currency) : undefined;
}
