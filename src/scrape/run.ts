import { ServiceError } from "../contract/errors.ts";
import { isOutOfFiles } from "../kit/out-of-files.ts";
import { untilAborted } from "../kit/single-flight.ts";
import { type BookServices, openBooks } from "./books.ts";
import { answerFromMemory } from "./from-memory.ts";
import type { Planner, ScrapeJob } from "./request/job.ts";
import { type Scraped, scrape, type ScrapeServices } from "./scrape.ts";
import { ThreatGuard } from "./threats.ts";
import { NO_WAIT, takeTurn, type Turn, type TurnServices } from "./turn.ts";

/** What it takes to run scrapes. */
export interface RunServices extends ScrapeServices, BookServices, TurnServices {
  /** Turns the body of a request into a scrape that can be started. */
  readonly plan: Planner;
  /** Counts how scrapes end: `ok` or the code of the error. */
  readonly countScrape: (outcome: { readonly result: string; readonly cacheState: string }) => void;
}

/**
 * One scrape as everybody has it done, whether they ask by HTTP, on the command line or from within: in the team's
 * turn, within its time, from memory where that is enough, and entered in the books. Credits are held before the work,
 * and charged before it is answered.
 * @param isGone aborts when nobody waits for the answer any more.
 * @throws ServiceError when the page cannot be had or read, or credits are short.
 * @throws RateLimitError when too many of the team's scrapes wait already.
 * @throws UnauthorizedError when the key is revoked meanwhile.
 */
export async function runScrape(
  job: ScrapeJob,
  services: RunServices,
  isGone: AbortSignal,
): Promise<Scraped> {
  let turn: Turn = NO_WAIT;
  try {
    const remembered = answerFromMemory(job, services);
    if (!remembered) turn = await takeTurn(job, services, isGone);
    const { signal, queuedMs } = turn;
    const queued: ScrapeJob = { ...job, queuedMs };
    const guard = new ThreatGuard({
      policy: job.threatPolicy,
      classifier: services.threatClassifier,
      mayAskOthers: !job.plan.lockdown,
    });
    const books = await openBooks(queued, guard, services);
    const scraped =
      remembered ??
      (await untilAborted(scrape(queued, { guard, hold: books.hold }, services, signal), signal).catch(
        (cause: unknown) => books.fail(explained(cause, job, services)),
      ));
    await books.complete(scraped);
    services.countScrape({ result: "ok", cacheState: scraped.facts.cacheState ?? "none" });
    return scraped;
  } catch (failure) {
    const result = failure instanceof ServiceError ? failure.code : "UNKNOWN_ERROR";
    services.countScrape({ result, cacheState: "none" });
    throw failure;
  } finally {
    turn.end();
  }
}

/**
 * A timeout while the browser was still starting is told as such: the next try finds it running. What this machine had
 * no room for is no fault of the page.
 */
function explained(failure: unknown, { plan }: ScrapeJob, { ladder }: RunServices): unknown {
  if (isOutOfFiles(failure)) return new ServiceError("OVERLOADED", { cause: failure });
  const isTimeout = failure instanceof ServiceError && failure.code === "SCRAPE_TIMEOUT";
  if (!isTimeout || !ladder.isStarting || plan.visit.browserFeatures.length === 0) return failure;
  return new ServiceError("SCRAPE_TIMEOUT", {
    message: "The scrape operation timed out while the browser was starting. Try again in a moment.",
    retryAfterSeconds: 1,
    cause: failure,
  });
}
