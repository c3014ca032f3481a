import type { Provider } from "../catalogue/provider.ts";
import { type HttpKindServices, mountHttp } from "./http.ts";
import { type McpKindServices, mountMcp } from "./mcp.ts";
import { mountOff } from "./off.ts";
import { mountOpenApi, type OpenApiKindServices } from "./openapi.ts";
import { type ProviderEntry, refuseForeignHosts } from "./secret-uses.ts";

export type KindServices = HttpKindServices & OpenApiKindServices & McpKindServices;

/** One line per kind of provider that a file may contain. */
const kinds: {
  readonly [Kind in ProviderEntry["kind"]]: (
    entry: Extract<ProviderEntry, { kind: Kind }>,
    services: KindServices,
  ) => Provider;
} = {
  http: mountHttp,
  openapi: mountOpenApi,
  mcp: mountMcp,
  off: mountOff,
};

/** @throws Error that names the mistake in the entry. */
export function mount(entry: ProviderEntry, services: KindServices): Provider {
  refuseForeignHosts(entry, services.secrets);
  const mountKind = kinds[entry.kind] as (entry: ProviderEntry, services: KindServices) => Provider;
  return mountKind(entry, services);
}
