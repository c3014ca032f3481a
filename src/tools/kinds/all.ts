import type { Provider } from "../catalogue/provider.ts";
import type { ProvidersFile } from "../catalogue/entry.ts";
import { type HttpKindServices, mountHttp } from "./http.ts";
import { type McpKindServices, mountMcp } from "./mcp.ts";
import { mountOff } from "./off.ts";
import { mountOpenApi, type OpenApiKindServices } from "./openapi.ts";

export type KindServices = HttpKindServices & OpenApiKindServices & McpKindServices;

type Entry = ProvidersFile["providers"][number];

/** One line per kind of provider that a file can have. */
const kinds: {
  readonly [Kind in Entry["kind"]]: (
    entry: Extract<Entry, { kind: Kind }>,
    services: KindServices,
  ) => Provider;
} = {
  http: mountHttp,
  openapi: mountOpenApi,
  mcp: mountMcp,
  off: mountOff,
};

/** @throws Error that names what is wrong with the entry. */
export function mount(entry: Entry, services: KindServices): Provider {
  const mountKind = kinds[entry.kind] as (entry: Entry, services: KindServices) => Provider;
  return mountKind(entry, services);
}
