import { sha256Hex } from "@pergamon-dev/kit/hash";
import type { Provider } from "../catalogue/provider.ts";
import type { ProvidersFile } from "../catalogue/entry.ts";

type Entry = Exclude<ProvidersFile["providers"][number], { kind: "off" }>;

/** Facts about the provider that entries of all kinds have. */
export function providerFacts(entry: Entry): Omit<Provider, "capabilities"> {
  const { id, name, description, domains, cohorts, attribution, terms, rate } = entry;
  return {
    id,
    name,
    description,
    domains,
    cohorts,
    attribution,
    terms: terms && { ...terms, digest: sha256Hex(terms.text) },
    ratePerSecond: rate?.perSecond,
  };
}
