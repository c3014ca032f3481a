import type { PageOutline } from "@pergamon-dev/html/selection/page-outline";
import { routeOf } from "@pergamon-dev/kit/url";

import type { Capture } from "../fetch/capture.ts";
import { RobotsUnreachable } from "../fetch/site/robots.ts";
import { shapeOf } from "../fetch/urls/traps.ts";
import type { Task } from "../jobs/job-handler.ts";
import { makePage, type PageServices } from "../jobs/make-page.ts";
import type { PageFailure, PageTask } from "../jobs/page-rows.ts";
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
  disclaimDocument,
  endTaken,
  markUrl,
  type FrontierUrl,
  moveStage,
  setSite,
  UrlState,
} from "./frontier.ts";
import { noteOrigin, type Outcome } from "./outcomes.ts";
import { isMissing, spellingKey, visitSpelling } from "./spellings.ts";
import {
  type Arrival,
  type DocumentMark,
  NO_LINKS,
  type UrlPolicy,
  type Refused,
  type RefusedLink,
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
  /** Set for documents that are not the page that was asked for. */
  readonly outcome: Outcome | undefined;
  /** Two documents of a crawl never have a mark in common. */
  readonly marks: readonly DocumentMark[];
  /** Links to write when the page ends, and links that were written before. */
  readonly left: SortedLinks;
  readonly admitted: readonly WantedLink[];
  readonly hasLedToNew: boolean;
}

interface Written {
  readonly scraped: Scraped | undefined;
  readonly failure: PageFailure | undefined;
}

/** One page of a crawl: decides about its visit, its links and its end. */
export class CrawlPage {
  readonly #crawling: CrawlTask;
  readonly #page: FrontierUrl;
  readonly #policy: UrlPolicy;
  #judged: Judged | undefined;
  /** Identity of the document that this page has claimed. */
  #claimed: string | undefined;
  #admitted: readonly WantedLink[] = [];
  #refused: readonly RefusedLink[] = [];

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
    this.#policy.remember([...this.#admitted, ...this.#refused]);
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
      write: (tx, now, scraped, failure) => this.#write(tx, now, { scraped, failure }),
    };
  }

  /** Ends a page that has a document already, or must not be visited. */
  async #endUnvisited(refused: Refused | undefined): Promise<undefined> {
    const { task, store } = this.#crawling;
    await store.database.transaction(async (tx) => {
      const job = await task.end(tx);
      if (!job) return;
      if (refused) await this.#writeRefused(tx, job, refused);
      await this.#leave(tx, job, refused?.outcome ?? { kind: "redirected" });
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
    this.#refused = policy.lasting(links.refused);
    const arrival = policy.arrivalAt(url);
    const { statusCode, blocked } = answer.capture;
    const marks = statusCode < 400 ? policy.marksOf(answer.outline) : [];
    const siteUrl = policy.siteUrlAt(url);
    const outcome = documentOutcome(statusCode, blocked);
    this.#judged = { arrival, shape, siteUrl, refused, outcome, marks, ...ahead };
  }

  /** @throws every failure except an unreadable robots.txt. */
  #unreachable(failure: unknown): Refused {
    if (!(failure instanceof RobotsUnreachable)) throw failure;
    const { message } = failure;
    const code = "ROBOTS_UNREACHABLE";
    const error = { url: this.#page.url, code, message };
    return {
      error,
      outcome: { kind: "error", detail: code },
      isWholeCrawl: this.#crawling.crawl.stage === "start",
    };
  }

  #linkingPage(outline: PageOutline | undefined) {
    const { depth, chain } = this.#page;
    return { depth, chain, textHash: outline?.textHash ?? "" };
  }

  /** Of several pages that end at the same URL, the first becomes a document. */
  async #mayBecomeDocument(tx: Statements, job: Job): Promise<boolean> {
    // The transaction may be repeated.
    this.#admitted = [];
    this.#claimed = undefined;
    if (!this.#judged) return false;
    const { arrival, refused } = this.#judged;
    if (refused) {
      await this.#writeRefused(tx, job, refused);
      return false;
    }
    const identity = await this.#claim(tx, arrival);
    if (identity !== undefined && (await this.#isFirstOfItsText(tx, { ...arrival, identity })))
      this.#claimed = identity;
    return this.#claimed !== undefined;
  }

  /** @returns the identity of the document. Undefined when another page has become it. */
  async #claim(tx: Statements, { url, identity }: Arrival): Promise<string | undefined> {
    const { crawl } = this.#crawling;
    const outcome = this.#judged?.outcome;
    if (await claimDocument(tx, crawl, { url, identity, outcome })) return identity;
    const isSpelling = this.#page.identity === spellingKey(this.#page.url);
    const own = spellingKey(url);
    return isSpelling && (await claimDocument(tx, crawl, { url, identity: own, outcome })) ? own : undefined;
  }

  async #isFirstOfItsText(tx: Statements, arrival: Arrival): Promise<boolean> {
    const { crawl } = this.#crawling;
    const marks = this.#judged?.marks ?? [];
    for (const { why, mark } of marks) {
      const first = await markUrl(tx, crawl, mark, arrival.url);
      if (first === undefined) continue;
      const outcome = { kind: "duplicate", detail: `${why} ${first}` } as const;
      await disclaimDocument(tx, crawl, arrival.identity, outcome);
      return false;
    }
    return true;
  }

  async #write(tx: Statements, job: Job, { scraped, failure }: Written): Promise<void> {
    if (failure) return this.#fail(tx, job, { kind: "error", detail: failure.code });
    if (!scraped || !this.#judged) return this.#leave(tx, job, this.#redirected);
    const { crawl, store } = this.#crawling;
    const { dispatcher } = store;
    const { arrival, outcome, shape, siteUrl, left, admitted, hasLedToNew } = this.#judged;
    if (siteUrl !== crawl.siteUrl) await setSite(tx, crawl, siteUrl);
    const page = { ...this.#linkingPage(scraped.answer.outline), shape, hasLedToNew };
    const last = await enqueueLinks(tx, page, left, { crawl, job, dispatcher });
    this.#admitted = [...admitted, ...last];
    if (this.#claimed !== undefined && isMissing(outcome?.detail))
      await dispatcher.admit(tx, job.id, await visitSpelling(tx, crawl, arrival.url));
    await this.#end(tx, this.#redirected);
    if (job.completed + 1 >= crawl.limit) await dispatcher.complete(tx, job.id);
  }

  /** A document that could not be paid is none. */
  async #fail(tx: Statements, job: Job, outcome: Outcome): Promise<void> {
    if (this.#claimed !== undefined) await disclaimDocument(tx, this.#crawling.crawl, this.#claimed, outcome);
    await this.#leave(tx, job, outcome);
  }

  /** Holds where the page has no document of its own. */
  get #redirected(): Outcome {
    const { refused, arrival } = this.#judged ?? {};
    return refused?.outcome ?? { kind: "redirected", detail: arrival?.url };
  }

  async #writeRefused(tx: Statements, job: Job, refused: Refused): Promise<void> {
    const { crawl, store } = this.#crawling;
    const { dispatcher } = store;
    const { robots, error, isWholeCrawl } = refused;
    if (robots?.url === this.#page.url) await tellRobots(tx, robots.url, { job, dispatcher });
    else if (robots) await recordRobots(tx, robots, { crawl, job, dispatcher });
    if (error) await dispatcher.recordError(tx, job, error);
    if (!isWholeCrawl) return;
    await moveStage(tx, crawl, "over");
    if (error) await dispatcher.warn(tx, job.id, error.message);
  }

  /** Ends the page's visit, so that other pages get their turn. */
  async #leave(tx: Statements, job: Job, outcome: Outcome): Promise<void> {
    await this.#end(tx, outcome);
    await this.#crawling.store.dispatcher.admit(tx, job.id, 0);
  }

  async #end(tx: Statements, outcome: Outcome): Promise<void> {
    const { crawl, plan } = this.#crawling;
    // A document has ended with its claim.
    if (this.#claimed !== this.#page.identity) await endTaken(tx, crawl, this.#page.sequence, outcome);
    for (const [origin, robots] of this.#policy.origins) await noteOrigin(tx, crawl, { origin, robots });
    if (crawl.stage === "start")
      await moveStage(tx, crawl, plan.options.sitemap === "skip" ? "pages" : "sitemaps");
  }
}

/** Undefined for documents that are the page that was asked for. */
function documentOutcome(statusCode: number, blocked: Capture["blocked"]): Outcome | undefined {
  if (blocked) return { kind: "blocked", detail: [blocked.kind, blocked.system].filter(Boolean).join(" ") };
  return statusCode < 400 ? undefined : { kind: "document", detail: String(statusCode) };
}
