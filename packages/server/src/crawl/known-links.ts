import { LRUCache } from "lru-cache";

import type { Address } from "@pergamon-dev/kit/address";
import type { Crawl } from "./crawl-rows.ts";

/** Some 10 MB. */
const REMEMBERED = 50_000;

/**
 * Links that have their row in the frontier already, as pages spell them. Most links of a page are in the menu that all
 * pages of its site have; what is known to be known need not be judged and written again.
 */
export class KnownLinks {
  readonly #urls = new LRUCache<string, true>({ max: REMEMBERED });

  /** The links that may be new. */
  without(crawl: Pick<Crawl, "number">, urls: readonly Address[]): readonly Address[] {
    return urls.filter((url) => this.#urls.get(keyOf(crawl, url)) === undefined);
  }

  /** To be called when the transaction that wrote them is kept. */
  add(crawl: Pick<Crawl, "number">, urls: readonly string[]): void {
    for (const url of urls) this.#urls.set(keyOf(crawl, url), true);
  }
}

function keyOf({ number }: Pick<Crawl, "number">, url: string): string {
  return `${number} ${url}`;
}
