import { recordSuccess } from "./bookkeeping.ts";
import type { ScrapeJob } from "./job.ts";
import { boundsOf } from "./obtain.ts";
import type { Scraped, ScrapeServices } from "./scrape.ts";
import { factsOfJob } from "./scrape-facts.ts";

/**
 * A scrape whose capture and document are both in memory, which takes no time that a deadline could end. Undefined when
 * they are not.
 */
export function scrapeFromMemory(job: ScrapeJob, services: ScrapeServices): Scraped | undefined {
  const { plan } = job;
  const cached = plan.cache.mayRead ? services.cache.peek(plan.cache.key, boundsOf(plan)) : undefined;
  const document = cached && services.documents.remembered(cached.captureId, plan);
  if (!document) return undefined;
  const facts = factsOfJob(job, { ...cached, cacheState: "hit" });
  recordSuccess(job, { document, facts }, cached.captureId, services);
  return { document, facts };
}
