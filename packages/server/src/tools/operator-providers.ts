import { unwatchFile, watchFile } from "node:fs";

import type { Provider } from "./catalogue/provider.ts";
import type { KindServices } from "./kinds/all.ts";
import { type MountedProvider, readProviders } from "./providers-file.ts";

/** Ids of the providers that a reload added, changed or removed. */
interface FileChange {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

interface OperatorProvidersOptions {
  readonly file: string;
  readonly services: Omit<KindServices, "folder">;
  /** Called after each reload of the file. */
  readonly onChange: (providers: readonly Provider[], change: FileChange) => void;
  /** Called with the reason when the current file is refused and the previous providers stay. */
  readonly onRefusal: (reason: string) => void;
}

/**
 * Polling also works on files that are mounted or linked from elsewhere, unlike the notifications of
 * operating systems.
 */
const LOOK_INTERVAL_MS = 1000;
/** A removed provider is closed after this time, so that its running calls can end. */
const RETIRE_AFTER_MS = 60_000;

/** The operator's own providers, from a file that is reloaded whenever it changes: all of it or nothing. */
export class OperatorProviders {
  readonly #options: OperatorProvidersOptions;
  readonly #retired = new Map<Provider, NodeJS.Timeout>();
  readonly #look = () => this.#readAgain();
  #mounted: readonly MountedProvider[];

  /** @throws Error with one line per mistake in the file. */
  constructor(options: OperatorProvidersOptions) {
    this.#options = options;
    this.#mounted = readProviders(options.file, options.services);
    watchFile(options.file, { interval: LOOK_INTERVAL_MS, persistent: false }, this.#look);
  }

  get file(): string {
    return this.#options.file;
  }

  get providers(): readonly Provider[] {
    return this.#mounted.map(({ provider }) => provider);
  }

  async close(): Promise<void> {
    unwatchFile(this.#options.file, this.#look);
    for (const timer of this.#retired.values()) clearTimeout(timer);
    const all = [...this.providers, ...this.#retired.keys()];
    await Promise.all(all.map(async ({ listing }) => listing?.close()));
  }

  #readAgain(): void {
    const { file, services, onChange, onRefusal } = this.#options;
    const before = this.#mounted;
    try {
      this.#mounted = readProviders(file, services, before);
    } catch (failure) {
      onRefusal(failure instanceof Error ? failure.message : String(failure));
      return;
    }
    const kept = new Set(this.providers);
    for (const { provider } of before) if (!kept.has(provider)) this.#retire(provider);
    onChange(this.providers, changeOf(before, this.#mounted));
  }

  #retire(provider: Provider): void {
    if (!provider.listing) return;
    const close = () => {
      this.#retired.delete(provider);
      void provider.listing?.close().catch(() => undefined);
    };
    this.#retired.set(provider, setTimeout(close, RETIRE_AFTER_MS).unref());
  }
}

function changeOf(before: readonly MountedProvider[], now: readonly MountedProvider[]): FileChange {
  const known = new Map(before.map(({ provider, fingerprint }) => [provider.id, fingerprint]));
  const ids = new Set(now.map(({ provider }) => provider.id));
  return {
    added: now.filter(({ provider }) => !known.has(provider.id)).map(({ provider }) => provider.id),
    changed: now
      .filter(({ provider, fingerprint }) => (known.get(provider.id) ?? fingerprint) !== fingerprint)
      .map(({ provider }) => provider.id),
    removed: [...known.keys()].filter((id) => !ids.has(id)),
  };
}
