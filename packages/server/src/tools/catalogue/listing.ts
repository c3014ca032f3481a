import type { Capability } from "./capability.ts";

export interface Listed {
  readonly capabilities: readonly Capability[];
  /** Tools that cannot be called, each with a reason for the operator. */
  readonly leftOut: readonly string[];
}

interface CapabilitySource {
  /** @throws Error with a message for the operator. */
  list(signal: AbortSignal): Promise<Listed>;
  close(): Promise<void>;
}

export interface ListingState {
  readonly status: "unknown" | "ready" | "unreachable";
  /** The reason why the source is unreachable. */
  readonly reason: string | undefined;
  readonly leftOut: readonly string[];
}

/** Timeout of a list. It is long because programs may have to be downloaded first. */
const LIST_LIMIT_MS = 30_000;
/** A list that is older than this is fetched again when it is used. */
const LIST_LIFE_MS = 10 * 60_000;
/** The wait before the next attempt doubles with each failure. */
const BACKOFF_MS = { first: 1000, most: 5 * 60_000 } as const;

/**
 * The capabilities of a provider, fetched on demand. A known list stays when its source becomes unreachable.
 */
export class Listing {
  readonly #source: CapabilitySource;
  #listed: Listed | undefined;
  #failure: Error | undefined;
  #failures = 0;
  #dueAtMs = 0;
  #learning: Promise<void> | undefined;
  #onChange: () => void = () => {};
  readonly #closed = new AbortController();

  constructor(source: CapabilitySource) {
    this.#source = source;
  }

  get capabilities(): readonly Capability[] {
    return this.#listed?.capabilities ?? [];
  }

  get state(): ListingState {
    const status = this.#failure ? "unreachable" : this.#listed ? "ready" : "unknown";
    return { status, reason: this.#failure?.message, leftOut: this.#listed?.leftOut ?? [] };
  }

  get isKnown(): boolean {
    return this.#listed !== undefined;
  }

  /** Calls `onChange` whenever the capabilities change. */
  watch(onChange: () => void): void {
    this.#onChange = onChange;
  }

  /** Marks the list as outdated, as its source reported a change. */
  expire(): void {
    this.#dueAtMs = 0;
  }

  /** Fetches the list unless that happened recently. It never rejects: the state tells the outcome. */
  learn(): Promise<void> {
    if (!this.#learning && performance.now() >= this.#dueAtMs && !this.#closed.signal.aborted) {
      this.#learning = this.#ask().finally(() => {
        this.#learning = undefined;
      });
    }
    return this.#learning ?? Promise.resolve();
  }

  async close(): Promise<void> {
    this.#closed.abort(new Error("The provider is closed."));
    await this.#source.close();
  }

  async #ask(): Promise<void> {
    const tooLate = AbortSignal.timeout(LIST_LIMIT_MS);
    // Set before the request, so that a change which is reported meanwhile takes effect.
    this.#dueAtMs = performance.now() + LIST_LIFE_MS;
    try {
      this.#listed = await this.#source.list(AbortSignal.any([this.#closed.signal, tooLate]));
      this.#failure = undefined;
      this.#failures = 0;
      this.#onChange();
    } catch (failure) {
      this.#failure = failure instanceof Error ? failure : new Error(String(failure));
      this.#dueAtMs = performance.now() + Math.min(BACKOFF_MS.first * 2 ** this.#failures, BACKOFF_MS.most);
      this.#failures += 1;
    }
  }
}
