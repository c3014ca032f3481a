import { isInDomain } from "./domains.ts";
import type { Capability, Provider } from "./capability.ts";

/** A capability, and whose it is. */
export interface CatalogueTool {
  readonly provider: Provider;
  readonly capability: Capability;
}

/** Everything that can be called. */
export class Catalogue {
  readonly #builtin: readonly Provider[];
  #providers: readonly Provider[] = [];
  #tools: ReadonlyMap<string, CatalogueTool> = new Map();
  /** Counts replacements, so that what was made of the catalogue is made anew. */
  #version = 0;

  constructor(builtin: readonly Provider[]) {
    this.#builtin = builtin;
    this.replace([]);
  }

  /** Puts these providers beside the builtin ones, in place of all earlier ones. The later of two with one id counts. */
  replace(providers: readonly Provider[]): void {
    const byId = new Map([...this.#builtin, ...providers].map((provider) => [provider.id, provider]));
    this.#providers = [...byId.values()];
    this.#tools = new Map(
      this.#providers.flatMap((provider) =>
        provider.capabilities.map((capability) => [
          keyOf(provider.id, capability.id),
          { provider, capability },
        ]),
      ),
    );
    this.#version += 1;
  }

  get version(): number {
    return this.#version;
  }

  get providers(): readonly Provider[] {
    return this.#providers;
  }

  get tools(): readonly CatalogueTool[] {
    return [...this.#tools.values()];
  }

  provider(id: string): Provider | undefined {
    return this.#providers.find((provider) => provider.id === id);
  }

  find(provider: string, capability: string): CatalogueTool | undefined {
    return this.#tools.get(keyOf(provider, capability));
  }

  /** Tools of providers that know about the host. */
  ofHost(host: string): readonly CatalogueTool[] {
    return this.tools.filter(({ provider }) => provider.domains.some((domain) => isInDomain(host, domain)));
  }
}

function keyOf(provider: string, capability: string): string {
  return JSON.stringify([provider, capability]);
}
