import type { AttributeValues } from "../contract/answer.ts";
import type { Capture } from "../visit/capture.ts";
import type { Page, PageMetadata, WantedAttribute } from "./page.ts";
import type { ViewRequest } from "./views.ts";

/** Computes views elsewhere, all those of one call from a single parse. */
export type ComputeElsewhere = (views: readonly ViewRequest[]) => Promise<readonly unknown[]>;

interface PendingView {
  readonly request: ViewRequest;
  readonly resolve: (value: unknown) => void;
  readonly reject: (failure: unknown) => void;
}

/**
 * A page whose views are computed on another thread. Views asked for in the same turn of the event loop travel
 * together; each is asked for once.
 */
export class WorkerPage implements Page {
  readonly capture: Capture;
  readonly #compute: ComputeElsewhere;
  readonly #asked = new Map<string, Promise<unknown>>();
  #pending: PendingView[] = [];

  constructor(capture: Capture, compute: ComputeElsewhere) {
    this.capture = capture;
    this.#compute = compute;
  }

  markdown(): Promise<string> {
    return this.#ask({ view: "markdown" });
  }

  html(): Promise<string> {
    return this.#ask({ view: "html" });
  }

  rawHtml(): Promise<string> {
    return this.#ask({ view: "rawHtml" });
  }

  links(): Promise<readonly string[]> {
    return this.#ask({ view: "links" });
  }

  images(): Promise<readonly string[]> {
    return this.#ask({ view: "images" });
  }

  metadata(): Promise<PageMetadata> {
    return this.#ask({ view: "metadata" });
  }

  attributes(wanted: readonly WantedAttribute[]): Promise<readonly AttributeValues[]> {
    return this.#ask({ view: "attributes", wanted });
  }

  #ask<T>(request: ViewRequest): Promise<T> {
    const key = JSON.stringify(request);
    const asked = this.#asked.get(key) ?? this.#enqueue(request);
    this.#asked.set(key, asked);
    return asked as Promise<T>;
  }

  #enqueue(request: ViewRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#pending.push({ request, resolve, reject });
      if (this.#pending.length === 1) setImmediate(() => void this.#send());
    });
  }

  async #send(): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    try {
      const values = await this.#compute(batch.map(({ request }) => request));
      batch.forEach(({ resolve }, index) => resolve(values[index]));
    } catch (failure) {
      for (const { reject } of batch) reject(failure);
    }
  }
}
