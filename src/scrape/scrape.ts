import type { ScrapeData } from "../contract/scrape-data.ts";
import { scrapeMetadata } from "./scrape-metadata.ts";
import { type Bookkeeping, recordFailure, recordSuccess } from "./bookkeeping.ts";
import type { Document, Documents } from "./documents.ts";
import type { ScrapeJob } from "./job.ts";
import { obtain, type Sources } from "./obtain.ts";

/** What a scrape works with. */
export interface ScrapeServices extends Sources, Bookkeeping {
  readonly documents: Documents;
}

/** The data of a scrape, and the document it was made from. */
export interface Scraped {
  readonly data: ScrapeData;
  readonly document: Document;
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
