import type { Caller } from "../accounts/callers.ts";
import { NotFoundError } from "../api/errors.ts";
import type { StoredJob } from "./job-store.ts";
import { getJob, type Job } from "./job-rows.ts";
import { type DocumentSource, type DocumentTexts, readTexts } from "./job-status.ts";

/** State of a job, with the documents that were not reported before. */
export interface JobNews extends DocumentTexts {
  readonly job: Job;
  /** True: no further news follow. */
  readonly isLast: boolean;
}

export interface FollowedJob extends StoredJob {
  readonly caller: Caller;
  readonly records: DocumentSource;
  /** Ends the iteration without an error. */
  readonly signal: AbortSignal;
}

/**
 * Documents in the first news, and in each later one. Some clients have little to read, and there may be many
 * clients.
 */
const FIRST_DOCUMENTS = 100;
const DOCUMENTS_AT_ONCE = 10;

/**
 * Reports a job until it has ended: each document once, in order. Waits for slow readers.
 * @throws NotFoundError when the job is deleted meanwhile.
 */
export async function* followJob(followed: FollowedJob): AsyncGenerator<JobNews> {
  const { store, job: first, signal, records, caller } = followed;
  const changes = new Changes(signal);
  const forget = store.watch(first.id, changes.note);
  let [position, limit] = [0, FIRST_DOCUMENTS];
  let release = () => {};
  try {
    while (!signal.aborted) {
      const changed = changes.next();
      // The state is read before the documents, so that an ended job has all of them in this news.
      const job = await getJob(store.database, first.id);
      if (!job || job.isPurged) throw new NotFoundError("Job expired");
      let hasMore: boolean;
      do {
        const read = await readTexts({ job, store }, { skip: position, limit, signal }, records, caller);
        ({ next: position, hasMore } = read);
        limit = DOCUMENTS_AT_ONCE;
        ({ release } = read);
        yield { ...read, job, isLast: !hasMore && job.state !== "scraping" };
        release();
      } while (hasMore && !signal.aborted);
      if (!hasMore && job.state !== "scraping") return;
      await changed;
    }
  } finally {
    release();
    forget();
    changes.end();
  }
}

/** Waits for changes. A change that comes between two calls of `next` is not lost. */
export class Changes {
  readonly #signal: AbortSignal;
  readonly note = (): void => this.#wake();
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener("abort", this.note);
  }

  /** Resolves after the first change since the last call. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  end(): void {
    this.#wake();
    this.#signal.removeEventListener("abort", this.note);
  }
}
