import type { AlsoWrite } from "../accounts/ledger.ts";
import { refusalOfKey } from "../accounts/revocations.ts";
import { givenAddress } from "@pergamon-dev/kit/address";
import { toldOf } from "../api/errors.ts";
import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { Statements } from "../storage/database/database.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import type { PlannedOptions } from "../scrape/request/planned-options.ts";
import type { ScrapeEnding } from "../scrape/run.ts";
import type { Scraped } from "../scrape/scrape.ts";
import { codeOf, type WorkKind } from "../accounts/work.ts";
import { dropFirst } from "./documents.ts";
import type { Task } from "./job-handler.ts";
import type { Job } from "./job-rows.ts";
import type { JobStore } from "./job-store.ts";

export interface PageFailure {
  readonly code?: string;
  readonly message: string;
}

/** A page of a job, with the task that makes it. */
export interface PageTask {
  readonly task: Task;
  readonly store: JobStore;
  /** In the spelling of `targetUrl`. */
  readonly url: string;
  /** As in `ListedPage`. */
  readonly scrapeId?: string | undefined;
  readonly kind: WorkKind;
  readonly options: PlannedOptions;
  /** Minimum time between the beginnings of two visits to its host. Default: 0. */
  readonly gapMs?: number;
  /** Called with the scraped page before the transaction that ends it, for slow work. */
  prepare?(scraped: Scraped): Promise<void>;
  /**
   * Called in the transaction that ends the page, when it can become a document. False: it becomes none,
   * nothing is charged, and it does not count as failed.
   */
  mayBecomeDocument?(tx: Statements, job: Job, scraped: Scraped): Promise<boolean>;
  /**
   * Writes rows of the family in the transaction that ends the page.
   * @param scraped undefined when it became no document. @param failure set when the page failed.
   */
  write?(tx: Statements, job: Job, scraped: Scraped | undefined, failure?: PageFailure): Promise<void>;
}

/** Warning of a job that stopped for lack of credits. */
export const STOPPED = "Stopped: the credits are used up.";

/** Limit of the documents of a run in memory (contract of the families, section 1.11). */
const MAX_BYTES_IN_MEMORY = 256 * 1024 * 1024;
const BLOCKED =
  "One or more pages were not answered with the page, because the site checks or refuses its visitors. They have metadata.blocked.";
const DROPPED = "The first documents were dropped: of a job without retention at most 256 MiB are kept.";

export const KEY_GONE: PageFailure = {
  code: "SCRAPE_JOB_CANCELLED",
  message: "The API key of this job is not in use any more, so the page was not made.",
};

/** Fails a page whose scrape was not settled. */
export async function failPage(page: PageTask, failure: PageFailure): Promise<void> {
  await page.store.database.transaction(async (tx) => {
    const job = await page.task.end(tx);
    if (job) await writeFailure(tx, { page, job }, failure);
  });
}

/** Writes the result of a page in the transaction of its charge. */
export function writePage(page: PageTask, scrape: ScrapeJob, ended: ScrapeEnding): AlsoWrite {
  const { store, task } = page;
  let job: Job | undefined;
  return async (tx, pay) => {
    // A retried transaction has undone the end of the task, except for jobs in memory.
    if (store.isPersistent || !job) job = await store.within(tx, (own) => task.end(own));
    if (!job) return;
    const ending: Ending = { page, job };
    if (await refusalOfKey(tx, job.keyId)) {
      await store.within(tx, (own) => writeFailure(own, ending, KEY_GONE));
      return;
    }
    const isDue =
      ended.status === "failed" ||
      (await store.within(tx, (own) => mayBecomeDocument(own, ending, ended.scraped)));
    if (!isDue) return;
    const isCharged = await pay();
    await store.within(tx, (own) => writeEnd(own, ending, { scrape, ended, isCharged }));
  };
}

/** A page whose task has ended, with the current job. */
interface Ending {
  readonly page: PageTask;
  readonly job: Job;
}

/** False: the page has ended here without a document. */
async function mayBecomeDocument(
  tx: Statements,
  { page, job }: Ending,
  scraped: Extract<ScrapeEnding, { status: "completed" }>["scraped"],
): Promise<boolean> {
  if (!page.mayBecomeDocument || (await page.mayBecomeDocument(tx, job, scraped))) return true;
  await page.write?.(tx, job, undefined);
  await page.store.dispatcher.dispatchNext(tx, job);
  return false;
}

interface Written {
  readonly scrape: ScrapeJob;
  readonly ended: ScrapeEnding;
  readonly isCharged: boolean;
}

async function writeEnd(
  tx: Statements,
  ending: Ending,
  { scrape, ended, isCharged }: Written,
): Promise<void> {
  const { page, job } = ending;
  if (ended.status === "failed") {
    const { failure, creditsUsed } = ended;
    return writeFailure(tx, ending, { code: codeOf(failure), message: toldOf(failure) }, creditsUsed);
  }
  if (!isCharged) {
    const message = "The credits are used up, so the page could not be paid.";
    return writeFailure(tx, ending, { code: "insufficient_credits", message });
  }
  const { data } = ended;
  await page.store.dispatcher.addDocument(tx, job, {
    scrapeId: scrape.id,
    sizeBytes: data.reduce((sum, { byteLength }) => sum + byteLength, 0),
    creditsUsed: ended.scraped.facts.creditsUsed,
    ...(!page.store.isPersistent && { body: Buffer.concat(data).toString() }),
  });
  if (!page.store.isPersistent && (await dropFirst(tx, job.id, MAX_BYTES_IN_MEMORY)))
    await page.store.dispatcher.warn(tx, job.id, DROPPED);
  if (ended.scraped.answer.capture.blocked) await page.store.dispatcher.warn(tx, job.id, BLOCKED);
  await page.write?.(tx, job, ended.scraped);
  await page.store.dispatcher.dispatchNext(tx, job);
}

async function writeFailure(
  tx: Statements,
  { page, job }: Ending,
  failure: PageFailure,
  creditsUsed = 0,
): Promise<void> {
  const { dispatcher } = page.store;
  const { code, message } = failure;
  if (code === "insufficient_credits") await dispatcher.warn(tx, job.id, STOPPED);
  await dispatcher.addFailure(
    tx,
    job,
    { url: givenAddress(withoutCredentials(page.url)), code, message },
    creditsUsed,
  );
  await page.write?.(tx, job, undefined, failure);
  await dispatcher.dispatchNext(tx, job);
}
