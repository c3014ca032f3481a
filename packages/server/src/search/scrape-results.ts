import { ServiceError, toldOf } from "../api/errors.ts";
import { Gate } from "@pergamon-dev/kit/gate";
import type { EngineResult } from "./engines/search-engine.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";
import { type ScrapeJob, startJob } from "../scrape/request/job.ts";
import { type PlannedOptions, planForAll } from "../scrape/request/planned-options.ts";
import type { ScrapeOptions } from "../scrape/request/schema.ts";
import { targetUrl } from "../scrape/request/target-url.ts";
import { type RunServices, runScrape } from "../scrape/run.ts";

/** Maximum pages of one search that are scraped at once. */
const AT_ONCE = 10;

/** Page of a result, or the reason why there is none. */
export type ResultPage =
  | { readonly data: ScrapeData }
  | { readonly metadata: { readonly sourceURL: string; readonly error: string } };

interface ResultPages {
  /** By the URL of the result. */
  readonly pages: ReadonlyMap<string, ResultPage>;
  readonly creditsUsed: number;
}

/** Caller of the scrapes, and the search that they belong to. */
type PagesOrder = Pick<ScrapeJob, "caller" | "linkBase"> & { readonly searchId: string };

/** Scrapes pages of results with the same options. */
export class PageScraper {
  readonly #options: PlannedOptions;
  readonly #order: PagesOrder;

  /** @param body the options as they were sent. */
  constructor(options: ScrapeOptions, body: object, order: PagesOrder) {
    this.#options = planForAll(options, body);
    this.#order = order;
  }

  /** Checks one page for all, because their options are the same. @throws as `startJob`. */
  check(): void {
    this.#jobFor("http://example.com/");
  }

  /**
   * Scrapes all pages. A failure does not stop the others.
   * @throws the reason of `isGone`, once it is aborted.
   */
  async scrape(
    results: readonly EngineResult[],
    services: RunServices,
    { deadline, isGone }: { readonly deadline: AbortSignal; readonly isGone: AbortSignal },
  ): Promise<ResultPages> {
    const gate = new Gate(AT_ONCE);
    const urls = [...new Set(results.map(({ url }) => url))];
    let creditsUsed = 0;
    const pages = await Promise.all(
      urls.map(async (url): Promise<readonly [string, ResultPage]> => {
        try {
          const data = await gate.run(() => this.#scrapeOne(url, services, deadline), deadline);
          creditsUsed += data.metadata.creditsUsed;
          return [url, { data }];
        } catch (failure) {
          isGone.throwIfAborted();
          return [url, { metadata: { sourceURL: url, error: toldOf(failure) } }];
        }
      }),
    );
    return { pages: new Map(pages), creditsUsed };
  }

  async #scrapeOne(url: string, services: RunServices, signal: AbortSignal): Promise<ScrapeData> {
    const target = targetUrl(url, () => false);
    if ("problem" in target) throw new ServiceError("BAD_REQUEST", { message: target.problem });
    const { answer, facts } = await runScrape(this.#jobFor(target.url), services, signal);
    return answer.data(facts);
  }

  #jobFor(url: string): ScrapeJob {
    const { searchId, ...order } = this.#order;
    const parent = { id: searchId, class: "single" } as const;
    return startJob(this.#options.for(url), { ...order, kind: "search", parent });
  }
}
