import type { PageOutline } from "@pergamon-dev/html/selection/page-outline";
import { routeOf } from "@pergamon-dev/kit/url";

import { RobotsUnreachable } from "../fetch/site/robots.ts";
import { shapeOf } from "../fetch/urls/traps.ts";
import type { Task } from "../jobs/job-handler.ts";
import { makePage, type PageServices } from "../jobs/make-page.ts";
import type { PageTask } from "../jobs/page-rows.ts";
import type { Again } from "../jobs/queue/task-queue.ts";
import type { JobStore } from "../jobs/job-store.ts";
import type { Job } from "../jobs/job-rows.ts";
import type { Scraped } from "../scrape/scrape.ts";
import type { Statements } from "../storage/database/database.ts";
import { admitAhead, enqueueLinks, recordRobots, tellRobots } from "./enqueue-links.ts";
import type { CrawlPlan } from "./request.ts";
import {
  claimDocument,
  type Crawl,
  endTaken,
  type FrontierUrl,
  moveStage,
  setSite,
  UrlState,
} from "./frontier.ts";
import {
  type Arrival,
  NO_LINKS,
  type UrlPolicy,
  type Refused,
  type SortedLinks,
  type WantedLink,
} from "./url-policy.ts";

export interface CrawlTask {
  readonly task: Task;
  readonly store: JobStore;
  readonly crawl: Crawl;
  readonly plan: CrawlPlan;
}

/** Facts of a page when its scrape has ended. */
interface Judged {
  readonly arrival: Arrival;
  readonly shape: string;
  /** URL that decides from now on which pages belong to the crawl. */
  readonly siteUrl: string;
  readonly refused: Refused | undefined;
  /** Links to write when the page ends, and links that were written before. */
  readonly left: SortedLinks;
  readonly admitted: readonly WantedLink[];
  readonly hasLedToNew: boolean;
}

/** One page of a crawl: decides about its visit, its links and its end. */
export class CrawlPage {
  readonly #crawling: CrawlTask;
  readonly #page: FrontierUrl;
  readonly #policy: UrlPolicy;
  #judged: Judged | undefined;
  #admitted: readonly WantedLink[] = [];

  constructor(crawling: CrawlTask, page: FrontierUrl, policy: UrlPolicy) {
    this.#crawling = crawling;
    this.#page = page;
    this.#policy = policy;
  }

  /** @throws as `makePage`. */
  async make(services: PageServices): Promise<Again | undefined> {
    if (this.#page.state === UrlState.document) return this.#endUnvisited(undefined);
    const refused = await this.#policy
      .refusedBefore()
      .catch((failure: unknown) => this.#unreachable(failure));
    if (refused) return this.#endUnvisited(refused);
    const again = await makePage(this.asPageTask(), services);
    this.#policy.remember(this.#admitted);
    return again;
  }

  asPageTask(): PageTask {
    const { task, store, plan } = this.#crawling;
    return {
      task,
      store,
      url: this.#page.url,
      kind: "crawl",
      options: plan.pages,
      gapMs: this.#policy.gapMs,
      prepare: (scraped) => this.#read(scraped),
      mayBecomeDocument: (tx, now) => this.#mayBecomeDocument(tx, now),
      write: (tx, now, scraped) => this.#write(tx, now, scraped),
    };
  }

  /** Ends a page that has a document already, or must not be visited. */
  async #endUnvisited(refused: Refused | undefined): Promise<undefined> {
    const { task, store } = this.#crawling;
    await store.database.transaction(async (tx) => {
      const job = await task.end(tx);
      if (!job) return;
      if (refused) await this.#writeRefused(tx, job, refused);
      await this.#leave(tx, job);
      await store.dispatcher.dispatchNext(tx, job);
    });
  }

  async #read({ answer }: Scraped): Promise<void> {
    const policy = this.#policy;
    const url = new URL(answer.capture.url);
    url.hash = routeOf(url.hash);
    const refused = await policy.refusedAt(url).catch((failure: unknown) => this.#unreachable(failure));
    const links = refused ? NO_LINKS : await policy.linksOf(url, answer.outline);
    const shape = shapeOf(url);
    const page = { ...this.#linkingPage(answer.outline), shape, hasLedToNew: false };
    const ahead = await admitAhead(page, links, this.#crawling);
    const arrival = policy.arrivalAt(url);
    this.#judged = { arrival, shape, siteUrl: policy.siteUrlAt(url), refused, ...ahead };
  }

  /** @throws every failure except an unreadable robots.txt. */
  #unreachable(failure: unknown): Refused {
    if (!(failure instanceof RobotsUnreachable)) throw failure;
    const { message } = failure;
    const error = { url: this.#page.url, code: "ROBOTS_UNREACHABLE", message };
    return { error, isWholeCrawl: this.#crawling.crawl.stage === "start" };
  }

  #linkingPage(outline: PageOutline | undefined) {
    const { depth, chain } = this.#page;
    return { depth, chain, textHash: outline?.textHash ?? "" };
  }

  /** Of several pages that end at the same URL, the first becomes a document. */
  async #mayBecomeDocument(tx: Statements, job: Job): Promise<boolean> {
    // The transaction may be repeated.
    this.#admitted = [];
    if (!this.#judged) return false;
    const { arrival, refused } = this.#judged;
    if (refused) {
      await this.#writeRefused(tx, job, refused);
      return false;
    }
    return claimDocument(tx, this.#crawling.crawl, arrival);
  }

  async #write(tx: Statements, job: Job, scraped: Scraped | undefined): Promise<void> {
    if (!scraped || !this.#judged) return this.#leave(tx, job);
    const { crawl, store } = this.#crawling;
    const { dispatcher } = store;
    const { shape, siteUrl, left, admitted, hasLedToNew } = this.#judged;
    if (siteUrl !== crawl.siteUrl) await setSite(tx, crawl, siteUrl);
    const page = { ...this.#linkingPage(scraped.answer.outline), shape, hasLedToNew };
    const last = await enqueueLinks(tx, page, left, { crawl, job, dispatcher });
    this.#admitted = [...admitted, ...last];
    if (job.completed + 1 >= crawl.limit) await dispatcher.complete(tx, job.id);
    else await this.#end(tx);
  }

  async #writeRefused(tx: Statements, job: Job, refused: Refused): Promise<void> {
    const { crawl, store } = this.#crawling;
    const { dispatcher } = store;
    const { robots, error, isWholeCrawl } = refused;
    if (robots?.url === this.#page.url) await tellRobots(tx, robots.url, { job, dispatcher });
    else if (robots) await recordRobots(tx, robots, { crawl, job, dispatcher });
    if (error) await dispatcher.recordError(tx, job, error);
    if (isWholeCrawl) await moveStage(tx, crawl, "over");
  }

  /** Ends the page's visit, so that other pages get their turn. */
  async #leave(tx: Statements, job: Job): Promise<void> {
    await this.#end(tx);
    await this.#crawling.store.dispatcher.admit(tx, job.id, 0);
  }

  async #end(tx: Statements): Promise<void> {
    const { crawl, plan } = this.#crawling;
    await endTaken(tx, crawl, this.#page.sequence);
    if (crawl.stage === "start")
      await moveStage(tx, crawl, plan.options.sitemap === "skip" ? "pages" : "sitemaps");
  }
}
