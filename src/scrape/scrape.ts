import { detectFile } from "../content/file-kind.ts";
import type { ScrapeData } from "../contract/scrape-data.ts";
import { uuidV7 } from "../kit/uuid.ts";
import { assembleData } from "./assemble.ts";
import { type Bookkeeping, type Caller, recordFailure, recordSuccess } from "./bookkeeping.ts";
import { refuseNotImplemented } from "./not-implemented.ts";
import { obtain, type Sources } from "./obtain.ts";
import type { Pages } from "./pages.ts";
import { type Plan, planScrape } from "./plan.ts";
import { produceFormats, refuseUnreadable } from "./produce.ts";
import type { ScrapeRequest } from "./request.ts";

/** What a scrape works with. */
export interface ScrapeServices extends Sources, Bookkeeping {
  readonly pages: Pages;
}

/** One scrape on its way. */
export interface ScrapeJob {
  readonly id: string;
  readonly startedAtMs: number;
  readonly caller: Caller;
  readonly request: ScrapeRequest;
  readonly plan: Plan;
}

/** The data, and what computing each of its parts took. */
export interface Scraped {
  readonly data: ScrapeData;
  /** Milliseconds per stage; stages of a page that was at hand are those of its first computation. */
  readonly timings: ReadonlyMap<string, number>;
}

/**
 * The request, its plan and an id: everything decided before the network is touched.
 * @throws ServiceError NOT_IMPLEMENTED when the request asks for something that is not built yet.
 */
export function startJob(request: ScrapeRequest, caller: Caller): ScrapeJob {
  refuseNotImplemented(request);
  return { id: uuidV7(), startedAtMs: Date.now(), caller, request, plan: planScrape(request) };
}

/**
 * Scrapes one page.
 * @throws ServiceError when the page cannot be had or read.
 * @throws the signal's reason, once `signal` is aborted.
 */
export async function scrape(
  job: ScrapeJob,
  services: ScrapeServices,
  signal: AbortSignal,
): Promise<Scraped> {
  try {
    const { plan, caller } = job;
    const obtained = await obtain(plan, caller.teamId, services, signal);
    const { capture, captureId } = obtained;
    const file = await detectFile(capture.body, capture.contentType, capture.url);
    refuseUnreadable(file, plan.page);
    const documentKey = captureId && `${captureId}-${plan.documentKey}`;
    const opened = services.pages.open({ capture, file, options: plan.page }, documentKey, signal);
    const produced = await produceFormats(opened.page, plan.formats);
    signal.throwIfAborted();
    const data = assembleData(job, obtained, file, produced);
    recordSuccess(job, data, documentKey, services);
    return { data, timings: opened.timings };
  } catch (failure) {
    recordFailure(job, failure, services);
    throw failure;
  }
}
