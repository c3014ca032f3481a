import { type Bookkeeping, recordFailure, recordSuccess } from "./bookkeeping.ts";
import type { Document, ScrapeFacts } from "./document.ts";
import type { Documents } from "./documents.ts";
import type { ScrapeJob } from "./job.ts";
import { obtain, type Sources } from "./obtain.ts";
import { factsOfJob } from "./scrape-facts.ts";

/** What a scrape works with. */
export interface ScrapeServices extends Sources, Bookkeeping {
  readonly documents: Documents;
}

/** A document, and what is known of the scrape that it answers. */
export interface Scraped {
  readonly document: Document;
  readonly facts: ScrapeFacts;
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
    const { plan, caller, linkBase } = job;
    const obtained = await obtain(plan, caller.teamId, services, signal);
    const { capture, captureId } = obtained;
    const document = await services.documents.make({ capture, captureId, how: plan }, { linkBase, signal });
    signal.throwIfAborted();
    const scraped = { document, facts: factsOfJob(job, obtained) };
    recordSuccess(job, scraped, captureId, services);
    return scraped;
  } catch (failure) {
    recordFailure(job, failure, services);
    throw failure;
  }
}
