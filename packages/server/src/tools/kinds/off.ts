import type { OffProvider } from "../catalogue/entry.ts";
import type { Provider } from "../catalogue/provider.ts";

/** Takes the place of a disabled bundled provider, and offers nothing. */
export function mountOff({ id }: OffProvider): Provider {
  const description = "Turned off by the operator.";
  return { id, name: id, description, domains: [], cohorts: [], isOff: true, capabilities: [] };
}
