import type { Credits, Hold, Work } from "../accounts/credits.ts";
import type { AlsoWrite } from "../accounts/ledger.ts";
import { ServiceError } from "../api/errors.ts";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { Charges } from "../accounts/charges.ts";
import { ANSWER_MARGIN_MS, NO_WAIT, type SlotServices, takeSlot } from "../accounts/slot.ts";
import { codeOf, overloadedBy } from "../accounts/work.ts";
import { factsOfJob } from "./answer/facts.ts";
import { boundsOf } from "./fetch-page.ts";
import type { Planner, ScrapeJob } from "./request/job.ts";
import { highestPrice, priceOfFailure } from "./request/price.ts";
import { type Scraped, scrape, type ScrapeServices } from "./scrape.ts";
import { endOfFailure, endOfSuccess, type EndServices, isStoredWithCharge, keepAfterwards } from "./end.ts";
import { ThreatGuard } from "./threats.ts";

export interface RunServices extends ScrapeServices, EndServices, SlotServices {
  readonly charges: Charges<ScrapeRecord>;
  readonly credits: Credits;
  /** Plans a scrape from the body of a request. */
  readonly plan: Planner;
  /** Counts how scrapes end: `ok`, `blocked: ` and its kind, or the code of the error. */
  readonly countScrape: (outcome: { readonly result: string; readonly cacheState: string }) => void;
}

/** A page that was fetched in its last moment is charged and answered if that takes no longer. */
const CHARGE_GRACE_MS = 1000 - ANSWER_MARGIN_MS;

/** How a scrape ended, before it is charged. */
export type ScrapeEnding =
  | {
      readonly status: "completed";
      readonly scraped: Scraped;
      /** The `data` of the answer, as JSON in UTF-8 parts. Only pages of jobs have it. */
      readonly data: readonly Buffer[];
    }
  | { readonly status: "failed"; readonly failure: unknown; readonly creditsUsed: number };

export interface PageOfJob {
  /** Returns rows for the transaction that charges the scrape. @throws to make the scrape fail. */
  alsoWrite(ending: ScrapeEnding): Promise<AlsoWrite>;
  /**
   * Called once after the charge.
   * @param isDue false when the page was not due. Nothing is charged or recorded then.
   */
  charged(isDue: boolean): void;
}

/**
 * Runs one scrape, for HTTP, the command line and internal callers: in the team's turn, before its deadline,
 * from memory where possible, and charged. Credits are held before the work, and charged before the answer.
 * @param isGone aborts when the caller no longer waits for the answer.
 * @throws ServiceError when the page cannot be fetched or read, or credits are insufficient.
 * @throws RateLimitError when too many of the team's scrapes wait already.
 * @throws UnauthorizedError when the key is revoked in the meantime.
 */
export async function runScrape(
  job: ScrapeJob,
  services: RunServices,
  isGone: AbortSignal,
  page?: PageOfJob,
): Promise<Scraped> {
  const cached = cachedAnswer(job, services);
  const isAlone = !page && job.parent === undefined;
  if (cached && isAlone) return chargeCached(job, cached, services);
  let slot = NO_WAIT;
  // What is cut off with its job, its key or the service is no failure of the page.
  const isStopped = (cause: unknown) =>
    job.parent?.class === "job" && (isGone.aborted || codeOf(cause) === "SCRAPE_JOB_CANCELLED");
  const scrapeOnce = async () => {
    if (!cached) {
      slot = await job.stages.time("queue", () => takeSlot(slotOrderOf(job), services, isGone));
      // The time of a job's page starts when the page gets its slot.
      if (slot.startedAtMs !== undefined) job.stages.restart();
    }
    const { signal, queuedMs, startedAtMs = job.startedAtMs } = slot;
    const queued: ScrapeJob = { ...job, queuedMs, startedAtMs };
    const guard = guardOf(job, services);
    const { stages } = job;
    const work = pricedWorkOf(queued, guard, services);
    const hold = await stages.time("credits", () => services.charges.hold(work));
    const run: Running = { job: queued, guard, hold, page, services, isStopped };
    const scraped =
      cached ??
      (await untilAborted(scrape(queued, { guard, hold }, services, signal), signal).catch((cause: unknown) =>
        fail(run, cause),
      ));
    await complete(run, scraped);
    return scraped;
  };
  return counted(services, scrapeOnce, isStopped).finally(() => slot.end());
}

/**
 * Answers the scrape if its capture and its answer are both in memory. It needs no slot, because it takes no
 * time.
 * @throws ServiceError UNSUPPORTED_SITE when the operator has blocked the site of the page since.
 */
export function cachedAnswer(job: ScrapeJob, services: ScrapeServices): Scraped | undefined {
  const { plan } = job;
  if (job.threatPolicy || job.source) return undefined;
  const cached = plan.cache.mayRead
    ? services.cache.peek(plan.cache.key, boundsOf(plan, job.caller.teamId))
    : undefined;
  const mayAsk = job.retention === "usual";
  const answer = cached && services.answers.cached(cached.captureId, plan, mayAsk);
  if (!answer) return undefined;
  services.blockedSites.refuse(answer.capture.url);
  const { captureId } = cached;
  return {
    answer,
    facts: factsOfJob(job, { captureId, cacheState: "hit" }, answer),
    captureId,
  };
}

/** Charges and records a scrape that memory answered and that belongs to no job. @throws as `runScrape`. */
async function chargeCached(job: ScrapeJob, scraped: Scraped, services: RunServices): Promise<Scraped> {
  const { id, startedAtMs, caller, stages } = job;
  return counted(services, async () => {
    const work = { id, startedAtMs, payer: caller.payer, amount: highestCost(job, services) };
    const hold = await services.charges.hold(work);
    const end = endOfSuccess(job, scraped, undefined, services);
    await stages.time("credits", () => services.charges.charge(hold, end));
    keepAfterwards(job, scraped, services);
    return scraped;
  });
}

export async function counted(
  { countScrape }: RunServices,
  scrapeOnce: () => Promise<Scraped>,
  isStopped?: (cause: unknown) => boolean,
): Promise<Scraped> {
  try {
    const scraped = await scrapeOnce();
    countScrape(outcomeOf(scraped));
    return scraped;
  } catch (failure) {
    const result = failure instanceof ServiceError ? failure.code : "UNKNOWN_ERROR";
    if (!isStopped?.(failure)) countScrape({ result, cacheState: "none" });
    throw failure;
  }
}

export function outcomeOf({ answer, facts }: Scraped): Parameters<RunServices["countScrape"]>[0] {
  const { blocked } = answer.capture;
  return { result: blocked ? `blocked: ${blocked.kind}` : "ok", cacheState: facts.cacheState ?? "none" };
}

/**
 * Upper limit for the price of a scrape that no policy has checked, as far as it is known before the start.
 */
export function highestCost(job: ScrapeJob, { answers }: RunServices, threatScans = 0): number {
  return highestPrice(job, { threatScans, hasModel: answers.asksModel });
}

function slotOrderOf({ caller, plan, parent, startedAtMs }: ScrapeJob) {
  return {
    caller,
    startedAtMs,
    class: parent?.class ?? "single",
    timeoutMs: plan.timeoutMs,
    timedOut: () => new ServiceError("SCRAPE_TIMEOUT"),
  };
}

function pricedWorkOf(job: ScrapeJob, guard: ThreatGuard, services: RunServices): Work {
  const { id, startedAtMs, caller, parent, plan } = job;
  const amount = highestCost(job, services, guard.maxScans);
  const untilMs = parent?.class === "job" ? undefined : startedAtMs + plan.timeoutMs + CHARGE_GRACE_MS;
  return { id, startedAtMs, payer: caller.payer, amount, untilMs };
}

function guardOf({ threatPolicy, plan }: ScrapeJob, { threatClassifier }: RunServices): ThreatGuard {
  return new ThreatGuard({
    policy: threatPolicy,
    classifier: threatClassifier,
    mayAskOthers: !plan.lockdown,
  });
}

interface Running {
  readonly job: ScrapeJob;
  readonly guard: ThreatGuard;
  readonly hold: Hold;
  readonly page: PageOfJob | undefined;
  readonly services: RunServices;
  readonly isStopped: (cause: unknown) => boolean;
}

/** The deadline no longer applies, because a charged scrape must be answered. */
async function complete(run: Running, scraped: Scraped): Promise<void> {
  const { job, hold, page, services } = run;
  const alsoWrite = await prepare(run, scraped).catch((failure: unknown) => fail(run, failure));
  const end = endOfSuccess(job, scraped, alsoWrite, services);
  const isDue = await job.stages.time("credits", () => services.charges.charge(hold, end));
  page?.charged(isDue);
  if (isDue) keepAfterwards(job, scraped, services);
}

/** Stores data that must exist before the charge. The answer of a job's page is stored with the charge. */
async function prepare({ job, page, services }: Running, scraped: Scraped): Promise<AlsoWrite | undefined> {
  const isOfJob = job.parent?.class === "job";
  const data = isOfJob ? await scraped.answer.encodeData(scraped.facts) : [];
  const store = isStoredWithCharge(job)
    ? await services.records.prepareAnswer(job.id, data, sourceOf({ job, services }, scraped))
    : undefined;
  const alsoWrite = await page?.alsoWrite({ status: "completed", scraped, data });
  if (!store) return alsoWrite;
  return async (tx, pay) => {
    const payAndStore = async () => {
      const isPaid = await pay();
      if (isPaid) await store(tx);
      return isPaid;
    };
    await (alsoWrite ? alsoWrite(tx, payAndStore) : payAndStore());
  };
}

/** Lets later scrapes of the unchanged page have the answer. */
function sourceOf(
  { job: { plan, caller }, services }: Pick<Running, "job" | "services">,
  { answer, captureId }: Scraped,
) {
  const source = { capture: answer.capture, captureId, how: plan };
  const madeFrom = services.answers.nameOf(answer, source, caller.teamId);
  return madeFrom === undefined ? undefined : { madeFrom, outline: answer.outline };
}

/** Charges the price of a failed scrape; one that was stopped is free. @throws the failure. */
async function fail(
  { job, guard, hold, page, services, isStopped }: Running,
  cause: unknown,
): Promise<never> {
  if (isStopped(cause)) {
    await hold.release();
    page?.charged(false);
    throw cause;
  }
  const failure = explained(cause, job, services);
  const creditsUsed = priceOfFailure(failure, guard.scans);
  // The failure is charged even when the rows of the job are not available.
  const alsoWrite = await page?.alsoWrite({ status: "failed", failure, creditsUsed }).catch(() => undefined);
  const end = endOfFailure(job, { failure, creditsUsed }, alsoWrite, services);
  const isDue = await services.charges.charge(hold, end);
  if (alsoWrite) page?.charged(isDue);
  throw failure;
}

/**
 * Says when a timeout occurred while the browser was starting, because the next try finds it running. An
 * overload of this machine is reported as such, because it is not a fault of the page.
 */
function explained(failure: unknown, { plan, startedAtMs }: ScrapeJob, { fallback }: RunServices): unknown {
  const own = overloadedBy(fallback.explain(failure, plan.visit.url, startedAtMs));
  if (own) return own;
  const isTimeout = failure instanceof ServiceError && failure.code === "SCRAPE_TIMEOUT";
  if (!isTimeout || !fallback.isStarting || plan.visit.browserFeatures.length === 0) return failure;
  return new ServiceError("SCRAPE_TIMEOUT", {
    message: "The scrape operation timed out while the browser was starting. Try again in a moment.",
    retryAfterSeconds: 1,
    cause: failure,
  });
}
