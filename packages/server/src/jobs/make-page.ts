import type { Caller, Callers } from "../accounts/callers.ts";
import type { ErrorCode } from "../api/error-codes.ts";
import { toldOf } from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Again } from "./queue/task-queue.ts";
import { type ScrapeJob, startJob } from "../scrape/request/job.ts";
import type { StoredSource } from "../scrape/request/source.ts";
import { type PageOutcome, runPage } from "../scrape/run-page.ts";
import type { RunServices, ScrapeEnding } from "../scrape/run.ts";
import { codeOf } from "../accounts/work.ts";
import type { HostPoliteness, VisitEnding } from "./host-politeness.ts";
import { failPage, KEY_GONE, writePage, type PageFailure, type PageTask, STOPPED } from "./page-rows.ts";

export interface PageServices {
  readonly scraping: RunServices;
  readonly callers: Pick<Callers, "ofWork">;
  readonly hosts: HostPoliteness;
}

/** Contract of the families, section 4.7. */
const BUSY_RETRIES = 3;
const OVERLOADED_PAUSE_MS = 2000;

/**
 * Makes a page of a job: a scrape in its team's turn, with the limits of its host. Its document, charge and
 * webhook are one transaction. Ends the task, unless the page is to be made again.
 * @throws failures that may pass with the next attempt, and the signal's reason.
 */
export async function makePage(page: PageTask, services: PageServices): Promise<Again | undefined> {
  const order = await orderOf(page, services);
  if ("failure" in order) {
    await failPage(page, order.failure);
    return undefined;
  }
  for (let retries = 0; ; retries += 1) {
    const visited = await visitOnce({ page, caller: order.caller, retries }, services);
    if (visited !== "again") return visited;
  }
}

/** Fails a page whose attempts are used up. */
export async function giveUpPage(page: PageTask, reason: string): Promise<void> {
  const message = `The page could not be made in three attempts. The last one: ${reason}`;
  await failPage(page, { code: "SCRAPE_RETRY_LIMIT", message });
}

/** @returns the caller of the page, or the reason why it is not made any more. */
async function orderOf(
  { store, task: { job } }: PageTask,
  { callers }: PageServices,
): Promise<{ readonly caller: Caller } | { readonly failure: PageFailure }> {
  if (job.warnings.includes(STOPPED)) return { failure: NO_CREDITS };
  const caller = await callers.ofWork(job);
  if (!caller) return { failure: KEY_GONE };
  const keepsNothing = caller.team.flags.zeroDataRetention === "forced";
  return keepsNothing && store.isPersistent ? { failure: { message: NOTHING_KEPT } } : { caller };
}

const NO_CREDITS: PageFailure = {
  code: "insufficient_credits",
  message: "The credits are used up, so the page was not made.",
};
const NOTHING_KEPT =
  "Zero data retention was switched on for the team after this job was started, so the page was not made.";
const HOST_GONE = "The host could not be reached 20 times in a row, so the page was not visited.";

interface Attempt {
  readonly page: PageTask;
  readonly caller: Caller;
  readonly retries: number;
}

/** @returns "again" when the host was too busy and the page needs another visit. */
async function visitOnce(attempt: Attempt, services: PageServices): Promise<Again | "again" | undefined> {
  const { page } = attempt;
  const started = startPage(attempt, services);
  if ("failure" in started) {
    await failPage(page, started.failure);
    return undefined;
  }
  const { job } = started;
  // Lockdown allows no visit, and a stored page needs none.
  const visit =
    job.plan.lockdown || job.source ? { end: () => undefined } : await enterHost(page, job, services);
  if (!visit) {
    await failPage(page, { code: "SCRAPE_SITE_ERROR", message: HOST_GONE });
    return undefined;
  }
  const seen: { ended?: ScrapeEnding } = {};
  try {
    const outcome = await runPage(job, services.scraping, {
      signal: page.task.signal,
      alsoWrite: async (ended) => {
        seen.ended = ended;
        if (isMadeLater(attempt, ended)) return notDue;
        if (ended.status === "completed") await page.prepare?.(ended.scraped);
        return writePage(page, job, ended);
      },
    });
    return await conclude(attempt, outcome, seen.ended);
  } finally {
    visit.end(endingOf(seen.ended, attempt.retries));
  }
}

/** Waits for the host without holding a slot of the team. */
function enterHost(
  { store, task: { job, signal }, gapMs }: PageTask,
  { plan }: ScrapeJob,
  { hosts }: PageServices,
) {
  const { host } = new URL(plan.visit.url);
  return store.dispatcher.withoutSlot(job, hosts.enter(host, { teamId: job.teamId, signal, gapMs }));
}

/** @returns a failure when the caller may not ask for the page any more. */
function startPage(
  attempt: Attempt,
  { scraping }: PageServices,
): { job: ScrapeJob } | { failure: PageFailure } {
  const { page, caller } = attempt;
  try {
    const { id, linkBase } = page.task.job;
    const parent = { id, class: "job" } as const;
    const source =
      page.scrapeId === undefined ? undefined : storedSource(page.scrapeId, caller.teamId, scraping);
    const job = startJob(page.options.for(page.url), { kind: page.kind, caller, linkBase, parent, source });
    return { job: attempt.retries > 0 ? fetchedAnew(job) : job };
  } catch (failure) {
    return { failure: { code: codeOf(failure), message: toldOf(failure) } };
  }
}

function storedSource(scrapeId: string, teamId: string, { records, cache }: RunServices): StoredSource {
  return {
    kind: "stored",
    async load() {
      const found = await records.get(scrapeId);
      const captureId = found?.teamId === teamId ? found.record.captureId : undefined;
      const capture = captureId === undefined ? undefined : await cache.load(captureId);
      return capture && { capture, captureId };
    },
  };
}

/** Bypasses the cache, which may have stored the answer of the busy host. */
function fetchedAnew(job: ScrapeJob): ScrapeJob {
  const { plan } = job;
  return { ...job, plan: { ...plan, cache: { ...plan.cache, mayRead: false } } };
}

/** True: the page is tried later, so nothing is written or charged now. */
function isMadeLater({ page, retries }: Attempt, ended: ScrapeEnding): boolean {
  if (page.task.signal.aborted || isOverloaded(ended)) return true;
  if (ended.status === "failed") return ownFailure(ended.failure) !== undefined;
  return isBusy(ended) && retries < BUSY_RETRIES;
}

async function notDue(): Promise<void> {}

async function conclude(
  attempt: Attempt,
  outcome: PageOutcome,
  ended: ScrapeEnding | undefined,
): Promise<Again | "again" | undefined> {
  const { page } = attempt;
  page.task.signal.throwIfAborted();
  const later: Again = { againAtMs: page.store.clock.now() + OVERLOADED_PAUSE_MS };
  if (outcome.status === "dropped") {
    // The key is gone. If its job is cancelled, too, nothing is left to fail.
    if (!ended) await failPage(page, KEY_GONE);
    if (!ended || !isMadeLater(attempt, ended)) return undefined;
    if (ended.status === "failed" && ownFailure(ended.failure)) throw ended.failure;
    return isOverloaded(ended) ? later : "again";
  }
  if (outcome.status === "completed" || outcome.isSettled) return undefined;
  const { code, message, failure } = outcome;
  if (ownFailure(failure)) throw failure;
  if (PASSING.has(code)) return later;
  if (code === "billing_unavailable" || code === "UNKNOWN_ERROR") throw failure;
  await failPage(page, code === "insufficient_credits" ? NO_CREDITS : { code, message });
  return undefined;
}

/** Failures that mean an unreachable host. */
const UNREACHABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "SCRAPE_DNS_RESOLUTION_ERROR",
  "SCRAPE_ALL_ENGINES_FAILED",
  "SCRAPE_SSL_ERROR",
  "SCRAPE_SITE_ERROR",
]);
/**
 * Pause before the first retry when the host names none, which doubles with each further retry, and after a
 * page that the host blocked.
 */
const FIRST_PAUSE_MS = 1000;

/** Whether the host answered 429 or 503. */
function isBusy(ended: ScrapeEnding): boolean {
  return busyAnswer(ended) !== undefined;
}

/** Failures that say nothing about the page: no capacity, or another page that may save the same profile. */
const PASSING: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["OVERLOADED", "PROFILE_LOCKED"]);

/** Whether the page only has to wait for this service. */
function isOverloaded(ended: ScrapeEnding): boolean {
  return ended.status === "failed" && PASSING.has(codeOf(ended.failure));
}

/** Converts the end of a page to that of its visit. @param ended undefined when the scrape did not begin. */
function endingOf(ended: ScrapeEnding | undefined, retries: number): VisitEnding {
  if (!ended) return { kind: "other" };
  if (ended.status === "failed")
    return { kind: UNREACHABLE.has(codeOf(ended.failure)) ? "unreachable" : "other" };
  const busy = busyAnswer(ended);
  const { capture } = ended.scraped.answer;
  if (!busy && capture.blocked) return { kind: "busy", pauseMs: FIRST_PAUSE_MS };
  if (!busy) return { kind: ended.scraped.facts.cacheState === "hit" ? "other" : "good" };
  const pauseMs = retryAfterMs(busy.headers["retry-after"]) ?? FIRST_PAUSE_MS * 2 ** retries;
  return { kind: "busy", pauseMs };
}

function busyAnswer(ended: ScrapeEnding) {
  if (ended.status === "failed") return undefined;
  const { capture } = ended.scraped.answer;
  const isFresh = ended.scraped.facts.cacheState !== "hit";
  return isFresh && [429, 503].includes(capture.statusCode) ? capture : undefined;
}

/** Reads seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}
