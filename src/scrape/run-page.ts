import type { Companion } from "../accounts/companion.ts";
import type { ErrorCode } from "../contract/error-codes.ts";
import { toldOf } from "../contract/errors.ts";
import type { WorkSlot } from "../work/slot.ts";
import type { ScrapeJob } from "./request/job.ts";
import { type RunServices, runScrape, type ScrapeEnding } from "./run.ts";
import type { Scraped } from "./scrape.ts";
import { codeOf } from "../work/failure-code.ts";

/** Options of a page of a job. */
export interface PageOrder {
  /** Aborts when the job is cancelled, or this process ends. */
  readonly signal: AbortSignal;
  /** Rows of the job, written in the transaction of the charge. */
  readonly companions: (ending: ScrapeEnding) => Promise<readonly Companion[]>;
  /** An existing slot, if the job chooses its page after it got one. Ended with the page. */
  readonly slot?: WorkSlot;
}

/** The outcome of a page of a job. */
export type PageOutcome =
  | { readonly status: "completed"; readonly scraped: Scraped }
  /** A companion was not due: nothing was written or charged. */
  | { readonly status: "dropped" }
  | {
      readonly status: "failed";
      readonly failure: unknown;
      readonly code: ErrorCode;
      readonly message: string;
      /** Whether the companions are written: not so when the page had no turn, or could not be paid or written. */
      readonly isSettled: boolean;
    };

/** Makes one page of a job like any other scrape, and returns the outcome instead of throwing. */
export async function runPage(
  job: ScrapeJob,
  services: RunServices,
  { signal, companions, slot }: PageOrder,
): Promise<PageOutcome> {
  let isDue: boolean | undefined;
  const settled = (wasDue: boolean) => {
    isDue = wasDue;
  };
  const settling = { companions, settled, ...(slot && { slot }) };
  try {
    const scraped = await runScrape(job, services, signal, settling);
    return isDue === false ? { status: "dropped" } : { status: "completed", scraped };
  } catch (failure) {
    if (isDue === false) return { status: "dropped" };
    const code = codeOf(failure);
    return { status: "failed", failure, code, message: toldOf(failure), isSettled: isDue === true };
  }
}
