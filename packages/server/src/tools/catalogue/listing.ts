import type { Capability } from "./capability.ts";

/** What a source declares. */
export interface Listed {
  readonly capabilities: readonly Capability[];
  /** What cannot be called, and why, for the operator. */
  readonly leftOut: readonly string[];
}

/** Where capabilities are declared. */
interface CapabilitySource {
  /** @throws Error whose message the operator reads. */
  list(signal: AbortSignal): Promise<Listed>;
  close(): Promise<void>;
}

/** What the operator sees of it. */
export interface ListingState {
  readonly status: "unknown" | "ready" | "unreachable";
  /** Why it is unreachable. */
  readonly reason: string | undefined;
  readonly leftOut: readonly string[];
}

/** The time that a source has to declare itself: programs may have to be fetched first. */
const LIST_LIMIT_MS = 30_000;
/** A list is asked for again when it is older and used. */
const LIST_LIFE_MS = 10 * 60_000;
/** After a failure the next attempt waits, twice as long each time. */
const BACKOFF_MS = { first: 1000, most: 5 * 60_000 } as const;

/** What a provider offers, fetched on demand. A known list stays while its source is gone. */
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

  /** Calls this when capabilities have changed. */
  watch(onChange: () => void): void {
    this.#onChange = onChange;
  }

  /** The source says that its list has changed. */
  expire(): void {
    this.#dueAtMs = 0;
  }

  /** Asks for the list unless that was done a moment ago. Resolves in any case: the state tells how it went. */
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
    // Set before the request: a change that is reported meanwhile counts.
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
