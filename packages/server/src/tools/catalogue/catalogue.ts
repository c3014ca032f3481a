import { setTimeout as sleep } from "node:timers/promises";

import { isInDomain } from "./domains.ts";
import type { Provider } from "./provider.ts";
import { type CatalogueTool, ToolIndex } from "./tool-index.ts";

export class Catalogue {
  readonly #builtin: readonly Provider[];
  #providers: readonly Provider[] = [];
  #tools: ReadonlyMap<string, CatalogueTool> | undefined;
  #words: ToolIndex | undefined;

  constructor(builtin: readonly Provider[]) {
    this.#builtin = builtin;
    this.replace([]);
  }

  /** Replaces all providers except the built-in ones. When ids repeat, the later provider wins. */
  replace(providers: readonly Provider[]): void {
    const byId = new Map([...this.#builtin, ...providers].map((provider) => [provider.id, provider]));
    this.#providers = [...byId.values()];
    const forget = () => {
      this.#tools = undefined;
      this.#words = undefined;
    };
    forget();
    for (const { listing } of this.#providers) listing?.watch(forget);
  }

  get providers(): readonly Provider[] {
    return this.#providers;
  }

  get tools(): readonly CatalogueTool[] {
    return [...this.#index().values()];
  }

  provider(id: string): Provider | undefined {
    return this.#providers.find((provider) => provider.id === id);
  }

  find(provider: string, capability: string): CatalogueTool | undefined {
    return this.#index().get(keyOf(provider, capability));
  }

  /** The given tools that contain any word of the query, best first. */
  rank(tools: readonly CatalogueTool[], query: string): readonly CatalogueTool[] {
    this.#words ??= new ToolIndex(this.tools);
    return this.#words.rank(tools, query);
  }

  /** Tools of providers that have data about the host. */
  ofHost(host: string): readonly CatalogueTool[] {
    return this.tools.filter(({ provider }) => knows(provider, host));
  }

  /**
   * Asks providers whose tools are declared elsewhere. Waits at most `withinMs` for lists that are not known
   * yet, and does not wait for updates of known ones.
   * @param isWanted selects providers.
   */
  async learn(withinMs: number, isWanted: (provider: Provider) => boolean): Promise<void> {
    const unknown = this.#providers.filter(isWanted).flatMap(({ listing }) => {
      const learning = listing?.learn();
      return learning && !listing?.isKnown ? [learning] : [];
    });
    if (unknown.length === 0) return;
    const enough = new AbortController();
    await Promise.race([
      Promise.all(unknown),
      sleep(withinMs, undefined, { ref: false, signal: enough.signal }).catch(() => undefined),
    ]);
    enough.abort();
  }

  #index(): ReadonlyMap<string, CatalogueTool> {
    this.#tools ??= new Map(
      this.#providers.flatMap((provider) =>
        provider.capabilities.map((capability) => [
          keyOf(provider.id, capability.id),
          { provider, capability },
        ]),
      ),
    );
    return this.#tools;
  }
}

/** Whether the provider has data about pages of the host. */
export function knows({ domains }: Provider, host: string): boolean {
  return domains.some((domain) => isInDomain(host, domain));
}

function keyOf(provider: string, capability: string): string {
  return JSON.stringify([provider, capability]);
}
