import type { ErrorCode } from "../api/error-codes.ts";
import { toldOf } from "../api/errors.ts";
import type { ScrapeJob } from "./request/job.ts";
import { type PageOfJob, type RunServices, runScrape } from "./run.ts";
import type { Scraped } from "./scrape.ts";
import { codeOf } from "../accounts/work.ts";

export interface PageOrder {
  /** Aborts when the job is cancelled, or this process ends. */
  readonly signal: AbortSignal;
  /** Returns the rows of the job. */
  readonly alsoWrite: PageOfJob["alsoWrite"];
}

export type PageOutcome =
  | { readonly status: "completed"; readonly scraped: Scraped }
  /** The page was not due. Nothing was charged or recorded. */
  | { readonly status: "dropped" }
  | {
      readonly status: "failed";
      readonly failure: unknown;
      readonly code: ErrorCode;
      readonly message: string;
      /**
       * Whether the rows of the job are written. False when the page had no turn, or when it could not be
       * paid or written.
       */
      readonly isSettled: boolean;
    };

/** Makes one page of a job like any other scrape, and returns the outcome instead of throwing. */
export async function runPage(
  job: ScrapeJob,
  services: RunServices,
  { signal, alsoWrite }: PageOrder,
): Promise<PageOutcome> {
  let isDue: boolean | undefined;
  const charged = (wasDue: boolean) => {
    isDue = wasDue;
  };
  try {
    const scraped = await runScrape(job, services, signal, { alsoWrite, charged });
    return isDue === false ? { status: "dropped" } : { status: "completed", scraped };
  } catch (failure) {
    if (isDue === false) return { status: "dropped" };
    const code = codeOf(failure);
    return { status: "failed", failure, code, message: toldOf(failure), isSettled: isDue === true };
  }
}
