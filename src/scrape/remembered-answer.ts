import { factsOfJob } from "./answer/facts.ts";
import { boundsOf } from "./fetch/fetch-or-cache.ts";
import type { ScrapeJob } from "./request/job.ts";
import type { Scraped, ScrapeServices } from "./scrape.ts";

/**
 * A scrape whose capture and answer are both in memory, which takes no time that a deadline could end, and no turn
 * from others. Undefined when they are not.
 * @throws ServiceError UNSUPPORTED_SITE when the operator has blocked the site of the page meanwhile.
 */
export function rememberedAnswer(job: ScrapeJob, services: ScrapeServices): Scraped | undefined {
  const { plan } = job;
  if (job.threatPolicy || job.source) return undefined;
  const cached = plan.cache.mayRead
    ? services.cache.peek(plan.cache.key, boundsOf(plan, job.caller.teamId))
    : undefined;
  const mayAsk = job.retention === "usual";
  const answer = cached && services.answers.remembered(cached.captureId, plan, mayAsk);
  if (!answer) return undefined;
  services.blockedSites.refuse(answer.capture.url);
  const { captureId } = cached;
  return {
    answer,
    facts: factsOfJob(job, { captureId, cacheState: "hit" }, answer),
    captureId,
  };
}
