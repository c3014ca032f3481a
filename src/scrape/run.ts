import type { Credits } from "../accounts/credits.ts";
import type { Companion } from "../accounts/companion.ts";
import { ServiceError } from "../contract/errors.ts";
import { untilAborted } from "../kit/single-flight.ts";
import type { ScrapeRecord } from "../stores/scrapes/scrape-rows.ts";
import type { PricedWork, Settlement, Settlements } from "../work/settlement.ts";
import { NO_WAIT, type SlotServices, takeSlot, type WorkSlot } from "../work/slot.ts";
import { overloadedBy } from "../work/failure-code.ts";
import { rememberedAnswer } from "./remembered-answer.ts";
import type { Planner, ScrapeJob } from "./request/job.ts";
import { highestPrice, priceOfFailure } from "./request/price.ts";
import { type Scraped, scrape, type ScrapeServices } from "./scrape.ts";
import {
  endOfFailure,
  endOfSuccess,
  type EndServices,
  isStoredWithCharge,
  keepAfterwards,
} from "./scrape-end.ts";
import { ThreatGuard } from "./threats.ts";

/** The services that scrapes need. */
export interface RunServices extends ScrapeServices, EndServices, SlotServices {
  readonly settlements: Settlements<ScrapeRecord>;
  readonly credits: Credits;
  /** Plans a scrape from the body of a request. */
  readonly plan: Planner;
  /** Counts how scrapes end: `ok` or the code of the error. */
  readonly countScrape: (outcome: { readonly result: string; readonly cacheState: string }) => void;
}

/** How a scrape ended, before it is settled. */
export type ScrapeEnding =
  | {
      readonly status: "completed";
      readonly scraped: Scraped;
      /** The `data` of its answer, as JSON in UTF-8, of the pages of jobs, and in parts. Others have none. */
      readonly data: readonly Buffer[];
    }
  | { readonly status: "failed"; readonly failure: unknown; readonly creditsUsed: number };

/** Adds to the settlement of a scrape. */
export interface Settling {
  /** Rows written in the transaction that settles the scrape. @throws to make the scrape fail. */
  companions(ending: ScrapeEnding): Promise<readonly Companion[]>;
  /** Called once that is kept. @param isDue false when a companion said so: nothing is written or charged then. */
  settled(isDue: boolean): void;
  /** An existing slot, for work that chooses its pages after it got one. */
  readonly slot?: WorkSlot;
}

/** Nothing else is written. */
const ALONE: Settling = { companions: async () => [], settled: () => undefined };

/**
 * One scrape as everybody has it done, whether they ask by HTTP, on the command line or from within: in the team's
 * turn, within its time, from memory where that is enough, and settled. Credits are held before the work,
 * and charged before it is answered.
 * @param isGone aborts when the caller no longer waits for the answer.
 * @throws ServiceError when the page cannot be fetched or read, or credits are insufficient.
 * @throws RateLimitError when too many of the team's scrapes wait already.
 * @throws UnauthorizedError when the key is revoked in the meantime.
 */
export async function runScrape(
  job: ScrapeJob,
  services: RunServices,
  isGone: AbortSignal,
  settling: Settling = ALONE,
): Promise<Scraped> {
  const remembered = rememberedAnswer(job, services);
  const isAlone = settling === ALONE && job.parent === undefined;
  if (remembered && isAlone) return settleRemembered(job, remembered, highestCost(job, services), services);
  let slot = settling.slot ?? NO_WAIT;
  return counted(services, async () => {
    if (!remembered && slot === NO_WAIT) {
      slot = await job.stages.time("queue", () => takeSlot(slotOrderOf(job), services, isGone));
      // The time of a job's page begins when it gets its place.
      if (slot.startedAtMs !== undefined) job.stages.restart();
    }
    const { signal, queuedMs, startedAtMs = job.startedAtMs } = slot;
    const queued: ScrapeJob = { ...job, queuedMs, startedAtMs };
    const guard = guardOf(job, services);
    const { stages } = job;
    const work = pricedWorkOf(queued, guard, services);
    const settlement = await stages.time("credits", () => services.settlements.open(work));
    const run: Running = { job: queued, guard, settlement, settling, services };
    const scraped =
      remembered ??
      (await untilAborted(scrape(queued, { guard, settlement }, services, signal), signal).catch(
        (cause: unknown) => fail(run, cause),
      ));
    await complete(run, scraped);
    return scraped;
  }).finally(() => slot.end());
}

/** Charges and records a scrape of its own that was answered from memory. @throws as `runScrape`. */
async function settleRemembered(
  job: ScrapeJob,
  scraped: Scraped,
  amount: number,
  services: RunServices,
): Promise<Scraped> {
  const { id, startedAtMs, caller, stages } = job;
  return counted(services, async () => {
    const work = { id, startedAtMs, payer: caller.payer, amount };
    const settlement = await services.settlements.open(work);
    const end = endOfSuccess(job, scraped, [], services);
    await stages.time("credits", () => settlement.settle(end));
    keepAfterwards(job, scraped, services);
    return scraped;
  });
}

/** Counts how the scrape ended. */
export async function counted(
  { countScrape }: RunServices,
  scrapeOnce: () => Promise<Scraped>,
): Promise<Scraped> {
  try {
    const scraped = await scrapeOnce();
    countScrape({ result: "ok", cacheState: scraped.facts.cacheState ?? "none" });
    return scraped;
  } catch (failure) {
    const result = failure instanceof ServiceError ? failure.code : "UNKNOWN_ERROR";
    countScrape({ result, cacheState: "none" });
    throw failure;
  }
}

/** The most that a scrape can cost which no policy has checked, as far as is known before it starts. */
export function highestCost(job: ScrapeJob, { answers }: RunServices, threatScans = 0): number {
  return highestPrice(job, { threatScans, hasModel: answers.asksModel });
}

function slotOrderOf({ caller, plan, parent }: ScrapeJob) {
  return {
    caller,
    class: parent?.class ?? "single",
    timeoutMs: plan.timeoutMs,
    timedOut: () => new ServiceError("SCRAPE_TIMEOUT"),
  };
}

function pricedWorkOf(job: ScrapeJob, guard: ThreatGuard, services: RunServices): PricedWork {
  const { id, startedAtMs, caller } = job;
  return { id, startedAtMs, payer: caller.payer, amount: highestCost(job, services, guard.maxScans) };
}

function guardOf({ threatPolicy, plan }: ScrapeJob, { threatClassifier }: RunServices): ThreatGuard {
  return new ThreatGuard({
    policy: threatPolicy,
    classifier: threatClassifier,
    mayAskOthers: !plan.lockdown,
  });
}

/** A running scrape. */
interface Running {
  readonly job: ScrapeJob;
  readonly guard: ThreatGuard;
  readonly settlement: Settlement<ScrapeRecord>;
  readonly settling: Settling;
  readonly services: RunServices;
}

/** The deadline no longer applies: a charged scrape must be answered. */
async function complete(run: Running, scraped: Scraped): Promise<void> {
  const { job, settlement, settling, services } = run;
  const companions = await prepare(run, scraped).catch((failure: unknown) => fail(run, failure));
  const end = endOfSuccess(job, scraped, companions, services);
  const isDue = await job.stages.time("credits", () => settlement.settle(end));
  settling.settled(isDue);
  if (isDue) keepAfterwards(job, scraped, services);
}

/** What has to be there before the charge. The answer of a job's page is stored with it. */
async function prepare(
  { job, settling, services }: Running,
  scraped: Scraped,
): Promise<readonly Companion[]> {
  const isOfJob = job.parent?.class === "job";
  const data = isOfJob ? await scraped.answer.encodeData(scraped.facts) : [];
  const stored = isStoredWithCharge(job) ? [await storedAnswer(job.id, data, services)] : [];
  return [...stored, ...(await settling.companions({ status: "completed", scraped, data }))];
}

async function storedAnswer(
  id: string,
  data: readonly Buffer[],
  { records }: RunServices,
): Promise<Companion> {
  const keep = await records.prepareAnswer(id, data);
  return {
    isDue: async () => true,
    write: async (inside, isCharged) => {
      if (isCharged) await keep(inside);
    },
  };
}

/** Charges the price of a failed scrape. @throws the failure. */
async function fail({ job, guard, settlement, settling, services }: Running, cause: unknown): Promise<never> {
  const failure = explained(cause, job, services);
  const creditsUsed = priceOfFailure(failure, guard.scans);
  // What the failure costs is owed even where the companions cannot be had.
  const companions = await settling
    .companions({ status: "failed", failure, creditsUsed })
    .catch(() => undefined);
  const isDue = await settlement.settle(
    endOfFailure(job, { failure, creditsUsed }, companions ?? [], services),
  );
  if (companions) settling.settled(isDue);
  throw failure;
}

/**
 * A timeout while the browser was still starting is reported as such: the next try finds it running. What this machine had
 * no room for is not a fault of the page.
 */
function explained(failure: unknown, { plan, startedAtMs }: ScrapeJob, { ladder }: RunServices): unknown {
  const own = overloadedBy(ladder.explain(failure, plan.visit.url, startedAtMs));
  if (own) return own;
  const isTimeout = failure instanceof ServiceError && failure.code === "SCRAPE_TIMEOUT";
  if (!isTimeout || !ladder.isStarting || plan.visit.browserFeatures.length === 0) return failure;
  return new ServiceError("SCRAPE_TIMEOUT", {
    message: "The scrape operation timed out while the browser was starting. Try again in a moment.",
    retryAfterSeconds: 1,
    cause: failure,
  });
}
