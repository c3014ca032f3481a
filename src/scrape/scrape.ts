import type { Credits, Hold } from "../accounts/credits.ts";
import { ServiceError } from "../contract/errors.ts";
import { untilAborted } from "../kit/single-flight.ts";
import type { ThreatClassifier } from "../platform/threats/classifier.ts";
import { auditSuccess, type Bookkeeping, recordFailure, recordSuccess } from "./bookkeeping.ts";
import type { Answer, ScrapeFacts } from "./answer/answer.ts";
import type { Answers } from "./answer/answers.ts";
import type { ScrapeJob } from "./request/job.ts";
import type { BlockedSites } from "./request/blocked-sites.ts";
import type { Capture } from "../visit/capture.ts";
import { obtain, type Sources } from "./obtain.ts";
import { highestPrice, priceOfFailure } from "./request/price.ts";
import type { Robots } from "../visit/ladder/robots.ts";
import { factsOfJob } from "./answer/facts.ts";
import { ThreatGuard } from "./threats.ts";
import type { Visit } from "../visit/visit.ts";

/** What a scrape works with. */
export interface ScrapeServices extends Sources, Bookkeeping {
  readonly answers: Answers;
  readonly credits: Credits;
  readonly blockedSites: BlockedSites;
  readonly robots: Robots;
  /** Undefined when the operator configured none. */
  readonly threatClassifier: ThreatClassifier | undefined;
}

/** An answer, and what is known of the scrape that it answers. */
export interface Scraped {
  readonly answer: Answer;
  readonly facts: ScrapeFacts;
}

/**
 * Scrapes one page. Credits are held before the work, and charged before it is answered.
 * @throws ServiceError when the page cannot be had or read, or credits are short.
 * @throws the signal's reason, once `signal` is aborted.
 */
export async function scrape(
  job: ScrapeJob,
  services: ScrapeServices,
  signal: AbortSignal,
): Promise<Scraped> {
  const guard = new ThreatGuard({
    policy: job.threatPolicy,
    classifier: services.threatClassifier,
    mayAskOthers: !job.plan.lockdown,
  });
  const hold = await services.credits.hold({
    id: job.id,
    startedAtMs: job.startedAtMs,
    payer: job.caller.payer,
    amount: highestPrice(job, guard.mostScans),
  });
  try {
    signal.throwIfAborted();
    const { captureId, ...scraped } = await untilAborted(
      work(job, { hold, guard }, services, signal),
      signal,
    );
    // From here on the deadline is no reason to stop: what is charged is answered.
    await hold.settle(scraped.facts.creditsUsed);
    await auditSuccess(job, scraped.facts, services);
    recordSuccess(job, scraped, captureId, services);
    return scraped;
  } catch (cause) {
    const failure = explained(cause, job, services);
    const creditsUsed = priceOfFailure(failure, guard.scans);
    await hold.settle(creditsUsed);
    recordFailure(job, { failure, creditsUsed }, services);
    throw failure;
  }
}

async function work(
  job: ScrapeJob,
  { hold, guard }: { readonly hold: Hold; readonly guard: ThreatGuard },
  services: ScrapeServices,
  signal: AbortSignal,
) {
  const { plan, caller, linkBase } = job;
  await guard.check(plan.sourceUrl, signal);
  async function beforeFetch(visit: Visit): Promise<void> {
    await hold.secure();
    if (job.request.safeMode === true) await services.robots.refuse(visit, signal);
  }
  const obtained = await obtain(plan, { teamId: caller.teamId, beforeFetch }, services, signal);
  const { capture, captureId } = obtained;
  for (const url of placesOf(capture)) {
    services.blockedSites.refuse(url);
    await guard.check(url, signal);
  }
  const { teamId } = caller;
  const context = { linkBase, teamId, signal };
  const answer = await services.answers.make({ capture, captureId, how: plan }, context);
  return { answer, facts: factsOfJob(job, obtained, guard.scans), captureId };
}

/** Time that went by until a browser had started is not the page's fault, and the next scrape does not lose it. */
function explained(failure: unknown, { plan }: ScrapeJob, { ladder }: ScrapeServices): unknown {
  const isTimeout = failure instanceof ServiceError && failure.code === "SCRAPE_TIMEOUT";
  if (!isTimeout || !ladder.isStartingBrowser || plan.visit.browserFeatures.length === 0) return failure;
  return new ServiceError("SCRAPE_TIMEOUT", {
    message: "The scrape operation timed out while the browser was starting. Try again in a moment.",
    retryAfterSeconds: 1,
    cause: failure,
  });
}

/** Where the visit ended, and where its actions took something from. */
function placesOf({ url, actions }: Capture): readonly string[] {
  return [...(actions?.pages ?? []), url].filter((place) => /^https?:/i.test(place));
}
