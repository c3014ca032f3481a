import type { ThreatClassifier } from "../fetch/threats/classifier.ts";
import { stableHash } from "@pergamon-dev/kit/hash";
import type { Documents } from "./documents/documents.ts";
import type { Capture } from "../fetch/capture.ts";
import type { HopJudge } from "../fetch/visit.ts";
import type { Answer, ScrapeFacts } from "./answer/answer.ts";
import type { Answers } from "./answer/answers.ts";
import { factsOfJob } from "./answer/facts.ts";
import { fetchPage, givenPage } from "./fetch-page.ts";
import type { Robots } from "../fetch/site/robots.ts";
import type { SiteFileServices } from "../fetch/site/site-file.ts";
import type { BlockedSites } from "./request/blocked-sites.ts";
import type { ScrapeJob } from "./request/job.ts";
import { highestPrice } from "./request/price.ts";
import type { ThreatGuard } from "./threats.ts";
import type { Hold } from "../accounts/credits.ts";

export interface ScrapeServices extends SiteFileServices {
  readonly answers: Answers;
  readonly documents: Documents;
  readonly robots: Robots;
  /** Undefined when the operator configured none. */
  readonly threatClassifier: ThreatClassifier | undefined;
}

export interface Scraped {
  readonly answer: Answer;
  readonly facts: ScrapeFacts;
  /**
   * Name of the capture in the cache. Undefined when it is not kept there, or the answer cannot be made from
   * it again.
   */
  readonly captureId: string | undefined;
}

interface Watch {
  readonly guard: ThreatGuard;
  /** Writes the hold before the service sends anything. */
  readonly hold: Pick<Hold, "secure" | "extend">;
}

/**
 * Fetches the page and makes the requested answer. `runScrape` does everything around that.
 * @throws ServiceError when the page cannot be fetched or read, or is not allowed.
 */
export async function scrape(
  job: ScrapeJob,
  { guard, hold }: Watch,
  services: ScrapeServices,
  signal: AbortSignal,
): Promise<Scraped> {
  signal.throwIfAborted();
  const { plan, caller, linkBase, stages } = job;
  const { teamId } = caller;
  const check = (url: string) => stages.time("checks", () => guard.check(url, signal));
  if (job.source?.kind !== "upload") await check(plan.sourceUrl);
  async function beforeFetch(): Promise<void> {
    services.answers.expectPage();
    await stages.time("credits", () => hold.secure());
    if (job.request.safeMode === true) await stages.time("checks", () => services.robots.refuse(job, signal));
  }
  const hops = hopJudgeOf(job, guard, services.blockedSites);
  const { source } = job;
  const obtained = source
    ? await stages.time("visit", () => givenPage(source, { plan, hold }, signal))
    : await fetchPage(
        plan,
        { teamId, isOfJob: job.parent?.class === "job", beforeFetch, hops, stages },
        services,
        signal,
      );
  const { capture, captureId } = obtained;
  for (const url of placesOf(capture)) {
    services.blockedSites.refuse(url);
    await check(url);
  }
  const deadlineMs = job.startedAtMs + plan.timeoutMs;
  const hasModel = services.answers.asksModel;
  const documents = services.documents.for({
    teamId,
    deadlineMs,
    mayContinue: job.retention === "usual",
    stages,
    onPages: (documentPages) =>
      hold.extend(highestPrice(job, { threatScans: guard.maxScans, documentPages, hasModel })),
  });
  // When nothing may be kept, no model sees the page.
  const asking = job.retention === "usual" ? { deadlineMs } : {};
  const context = { linkBase, teamId, judge: hops && hops.judge, ...asking, signal, documents, stages };
  const isStored = obtained.cacheState === "hit" || obtained.isRevalidated;
  const answer = await services.answers.make({ capture, captureId, how: plan, isStored }, context);
  const facts = factsOfJob(job, obtained, answer, guard.scans);
  return { answer, facts, captureId: plan.cache.mayRemake ? captureId : undefined };
}

/** Undefined when every redirect is allowed, which saves the checks. */
function hopJudgeOf(
  { plan, threatPolicy }: ScrapeJob,
  guard: ThreatGuard,
  blockedSites: BlockedSites,
): HopJudge | undefined {
  if (!threatPolicy && blockedSites.isEmpty) return undefined;
  return {
    startUrl: plan.visit.url,
    rules: stableHash(threatPolicy),
    async judge(url, signal) {
      blockedSites.refuse(url);
      await guard.check(url, signal);
    },
  };
}

/** The final URL of the visit, and the URLs from which its actions took results. */
function placesOf({ url, actions }: Capture): readonly string[] {
  return [...(actions?.pages ?? []), url].filter((place) => /^https?:/i.test(place));
}
