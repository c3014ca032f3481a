import type { Provider } from "../catalogue/capability.ts";
import type { ProvidersFile } from "../catalogue/entry.ts";
import { type HttpKindServices, mountHttp } from "./http.ts";

export type KindServices = HttpKindServices;

type Entry = ProvidersFile["providers"][number];

/** One line per kind of provider that a file can have. */
const kinds: {
  readonly [Kind in Entry["kind"]]: (
    entry: Extract<Entry, { kind: Kind }>,
    services: KindServices,
  ) => Provider;
} = {
  http: mountHttp,
};

/** @throws Error that names what is wrong with the entry. */
export function mount(entry: Entry, services: KindServices): Provider {
  return kinds[entry.kind](entry, services);
}
