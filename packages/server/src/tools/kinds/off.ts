import type { OffProvider } from "../catalogue/entry.ts";
import type { Provider } from "../catalogue/provider.ts";

/** Stands where a provider that comes along was, and offers nothing. */
export function mountOff({ id }: OffProvider): Provider {
  const description = "Turned off by the operator.";
  return { id, name: id, description, domains: [], cohorts: [], isOff: true, capabilities: [] };
}
