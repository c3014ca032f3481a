import type { ScrapeData } from "../contract/scrape-data.ts";
import { uuidV7 } from "../kit/uuid.ts";
import { scrapeMetadata } from "./scrape-metadata.ts";
import { type Bookkeeping, type Caller, recordFailure, recordSuccess } from "./bookkeeping.ts";
import type { Document, Documents } from "./documents.ts";
import { refuseNotImplemented } from "./not-implemented.ts";
import { obtain, type Sources } from "./obtain.ts";
import { type Plan, planScrape } from "./plan.ts";
import type { ScrapeRequest } from "./request.ts";

/** What a scrape works with. */
export interface ScrapeServices extends Sources, Bookkeeping {
  readonly documents: Documents;
}

/** One scrape on its way. */
export interface ScrapeJob {
  readonly id: string;
  readonly startedAtMs: number;
  readonly caller: Caller;
  readonly request: ScrapeRequest;
  readonly plan: Plan;
}

/** The data of a scrape, and the document it was made from. */
export interface Scraped {
  readonly data: ScrapeData;
  readonly document: Document;
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
    const key = captureId && captureId + plan.recipe;
    const document = await services.documents.make({ capture, recipe: plan, key }, signal);
    signal.throwIfAborted();
    const data = { ...document.fields, metadata: scrapeMetadata(job, obtained, document) };
    recordSuccess(job, data, captureId, services);
    return { data, document };
  } catch (failure) {
    recordFailure(job, failure, services);
    throw failure;
  }
}
