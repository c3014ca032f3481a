import { auditSuccess, recordSuccess } from "./bookkeeping.ts";
import type { ScrapeJob } from "./request/job.ts";
import { boundsOf } from "./obtain.ts";
import type { Scraped, ScrapeServices } from "./scrape.ts";
import { factsOfJob } from "./answer/facts.ts";

/**
 * A scrape whose capture and answer are both in memory, which takes no time that a deadline could end, and no turn
 * from others. Undefined when they are not.
 * @throws ServiceError when credits are short.
 */
export function scrapeFromMemory(job: ScrapeJob, services: ScrapeServices): Promise<Scraped> | undefined {
  const { plan } = job;
  if (job.threatPolicy) return undefined;
  const cached = plan.cache.mayRead ? services.cache.peek(plan.cache.key, boundsOf(plan)) : undefined;
  const answer = cached && services.answers.remembered(cached.captureId, plan);
  if (!answer) return undefined;
  services.blockedSites.refuse(answer.capture.url);
  const facts = factsOfJob(job, { ...cached, cacheState: "hit" });
  return charge(job, { answer, facts }, cached.captureId, services);
}

async function charge(
  job: ScrapeJob,
  scraped: Scraped,
  captureId: string,
  services: ScrapeServices,
): Promise<Scraped> {
  const { id, startedAtMs, caller } = job;
  await services.credits.charge({ id, startedAtMs, payer: caller.payer, amount: scraped.facts.creditsUsed });
  if (job.request.auditMetadata) await auditSuccess(job, scraped.facts, services);
  recordSuccess(job, scraped, captureId, services);
  return scraped;
}
