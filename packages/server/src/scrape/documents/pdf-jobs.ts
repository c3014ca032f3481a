import { setTimeout } from "node:timers/promises";

import type { PdfOptions, ReadDocument } from "@pergamon-dev/documents/model/reader";
import type { ProcessPool } from "@pergamon-dev/documents/pool";
import { type PdfProgress, readWholePdf } from "@pergamon-dev/documents/whole-pdf";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { ServiceError } from "../../api/errors.ts";
import { OcrStages } from "./ocr-stages.ts";
import type { DocumentResults, ReadingScrape, ResultKey } from "./reading-scrape.ts";

interface PdfRequest {
  readonly body: Uint8Array;
  readonly options: PdfOptions;
  readonly key: ResultKey;
}

/** Milliseconds reserved for sending the answer that work continues, before the request times out. */
const ANSWER_MARGIN_MS = 400;

/** Maximum number of readings that continue without a waiting request. */
const MAX_IN_BACKGROUND = 2;

/** The official client asks again for this long. */
const ABANDONED_MS = 20 * 60_000;

/** Work is hopeless when its estimate exceeds the time left by this factor. Estimates are rough. */
const HOPELESS = 1.5;

/**
 * Readings that are under way. Equal requests join one reading. A reading that misses its deadline continues,
 * if it may, and the next request finds it.
 */
export class PdfJobs {
  readonly #pool: ProcessPool;
  readonly #results: DocumentResults;
  readonly #jobs = new Map<string, PdfJob>();

  constructor(pool: ProcessPool, results: DocumentResults) {
    this.#pool = pool;
    this.#results = results;
  }

  /**
   * @throws ServiceError SCRAPE_TIMEOUT, which says that work continues; SCRAPE_PDF_INSUFFICIENT_TIME_ERROR
   * when the work can neither finish in time nor continue; as the readings do. The signal's reason.
   */
  async read(request: PdfRequest, scrape: ReadingScrape, signal: AbortSignal): Promise<ReadDocument> {
    const known = scrape.mayContinue ? await this.#results.load(request.key) : undefined;
    if (known) {
      await scrape.onPages(known.pages.length);
      return known;
    }
    const job = this.#joined(request, scrape);
    job.waiting += 1;
    job.lastAskedMs = Date.now();
    if (scrape.stages) job.ocr.add(scrape.stages);
    try {
      return await untilAborted(this.#wait(job, scrape), signal);
    } finally {
      job.waiting -= 1;
      if (scrape.stages) job.ocr.remove(scrape.stages);
      if (job.waiting === 0 && !job.isBackground) job.end(new ServiceError("SCRAPE_JOB_CANCELLED"));
    }
  }

  #joined(request: PdfRequest, { onPages, mayContinue }: ReadingScrape): PdfJob {
    const name = `${request.key.teamId}/${request.key.name}`;
    // Scrapes that may leave nothing behind do not share work.
    const running = mayContinue ? this.#jobs.get(name) : undefined;
    if (running) return running;
    const job = new PdfJob({ body: request.body, options: request.options, onPages }, this.#pool);
    if (!mayContinue) return job;
    this.#jobs.set(name, job);
    const forget = () => {
      if (this.#jobs.get(name) === job) this.#jobs.delete(name);
    };
    job.document.then((document) => this.#keep(request.key, job, document).finally(forget), forget);
    return job;
  }

  /** Keeps only results of background work. Others were answered directly. */
  async #keep(key: ResultKey, job: PdfJob, document: ReadDocument): Promise<void> {
    if (job.isBackground) await this.#results.save(key, document).catch(() => undefined);
  }

  async #wait(job: PdfJob, scrape: ReadingScrape): Promise<ReadDocument> {
    const leftMs = scrape.deadlineMs - Date.now() - ANSWER_MARGIN_MS;
    await withinMs(job.judged, leftMs);
    if (!scrape.mayContinue) refuseHopeless(job.progress, leftMs);
    const document = await withinMs(job.document, scrape.deadlineMs - Date.now() - ANSWER_MARGIN_MS);
    return document ?? this.#tooLate(job, scrape);
  }

  #tooLate(job: PdfJob, { mayContinue }: ReadingScrape): never {
    if (mayContinue && (job.isBackground || this.#inBackground() < MAX_IN_BACKGROUND)) {
      if (!job.isBackground) this.#goOn(job);
      throw stillProcessing(job.progress, performance.now() - job.startMs);
    }
    throw job.progress ? insufficientTime(job.progress) : new ServiceError("SCRAPE_TIMEOUT");
  }

  #inBackground(): number {
    return [...this.#jobs.values()].filter(({ isBackground }) => isBackground).length;
  }

  #goOn(job: PdfJob): void {
    job.isBackground = true;
    const check = setInterval(() => {
      if (job.waiting === 0 && Date.now() - job.lastAskedMs > ABANDONED_MS) {
        job.end(new Error("Nobody has asked for this document for 20 minutes."));
      }
    }, ABANDONED_MS / 20).unref();
    const stop = () => clearInterval(check);
    job.document.then(stop, stop);
  }
}

interface PdfJobSource {
  readonly body: Uint8Array;
  readonly options: PdfOptions;
  /**
   * Called once, after the pages are counted.
   * @throws to end the work, such as when credits are insufficient.
   */
  onPages(count: number): Promise<void>;
}

/** Reading of one file, for all requests that wait for it. */
class PdfJob {
  readonly document: Promise<ReadDocument>;
  /** In the time of `performance.now()`. */
  readonly startMs = performance.now();
  /** No caller waits for background work. It continues with lower priority than other work. */
  isBackground = false;
  /** Number of requests that wait for it now. */
  waiting = 0;
  lastAskedMs = Date.now();
  readonly ocr = new OcrStages();
  #progress: PdfProgress | undefined;
  #hasProgress: () => void = () => undefined;
  readonly #controller = new AbortController();
  /** Settles as soon as the size of the work can be estimated. */
  readonly judged: Promise<void>;

  constructor(source: PdfJobSource, pool: ProcessPool) {
    const judged = new Promise<void>((resolve) => (this.#hasProgress = resolve));
    this.document = this.#read(source, pool);
    this.document.catch(() => undefined);
    this.judged = Promise.race([
      judged,
      this.document.then(
        () => undefined,
        () => undefined,
      ),
    ]);
  }

  /** Undefined until a part of the work is done. */
  get progress(): PdfProgress | undefined {
    return this.#progress;
  }

  end(reason: Error): void {
    this.#controller.abort(reason);
  }

  #read({ body, options, onPages }: PdfJobSource, pool: ProcessPool): Promise<ReadDocument> {
    const onProgress = async (progress: PdfProgress) => {
      if (!this.#progress) await onPages(progress.pages);
      this.#progress = progress;
      this.#hasProgress();
    };
    const isBackground = () => this.isBackground;
    const task = { body, options, isBackground, onProgress, onOcr: this.ocr.note };
    return readWholePdf(task, pool, this.#controller.signal);
  }
}

/** Resolves to undefined when the promise takes longer than `limitMs`. */
async function withinMs<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const late = setTimeout(Math.max(0, limitMs), undefined, { signal }).catch(() => undefined);
  return Promise.race([promise, late]).finally(() => giveUp.abort());
}

function refuseHopeless(progress: PdfProgress | undefined, leftMs: number): void {
  if (progress && remainingMs(progress) > HOPELESS * leftMs) throw insufficientTime(progress);
}

/** Bounds of the time that clients wait before they ask again (contract, section 4.3). */
const SOONEST_SECONDS = 5;
const MAX_SECONDS = 600;

/** Time for the layout of the document, as a share of the time for reading it. Measured: 0.25. */
const LAYOUT_SHARE = 0.3;

/** Seconds for which clients continue asking. */
const WINDOW_SECONDS = 20 * 60;

/** Milliseconds for work besides the reading, such as fetching the file. */
const MARGIN_MS = 5000;

/**
 * Error for work that continues after its request (contract, section 4.3). Clients ask five times. Each wait
 * is at least as long as the work has taken so far, so that a later call still finds the result when other
 * work made the estimate too short.
 */
export function stillProcessing(progress: PdfProgress | undefined, elapsedMs: number): ServiceError {
  const estimatedRemainingSeconds = progress ? Math.ceil(remainingMs(progress) / 1000) : SOONEST_SECONDS;
  const wantedSeconds = Math.max(SOONEST_SECONDS, estimatedRemainingSeconds, Math.ceil(elapsedMs / 1000));
  const retryAfterSeconds = Math.min(MAX_SECONDS, wantedSeconds);
  return new ServiceError("SCRAPE_TIMEOUT", {
    message: `The document takes longer than your timeout allows, and is still being processed. Send the same request again in ${retryAfterSeconds} seconds: it continues from there, and is billed once.`,
    retryAfterSeconds,
    details: {
      state: "processing_continues",
      ...(progress && { documentPages: progress.pages }),
      jobStatus: progress ? "running" : "queued",
      estimatedRemainingSeconds,
      retryAfterSeconds,
      mayExceedProcessingWindow: estimatedRemainingSeconds > WINDOW_SECONDS,
    },
  });
}

/** Error for work that can neither finish in time nor continue (contract, section 3.16b). */
function insufficientTime(progress: PdfProgress): ServiceError {
  const neededMs = progress.spentMs + remainingMs(progress) * 1.5 + MARGIN_MS;
  const timeoutMs = Math.ceil(neededMs / 1000) * 1000;
  return new ServiceError("SCRAPE_PDF_INSUFFICIENT_TIME_ERROR", {
    message: `The PDF has ${progress.pages} pages, which requires more processing time than your current timeout allows. Set timeout to ${timeoutMs}, or ask for fewer pages with maxPages.`,
    details: { documentPages: progress.pages, requiredTimeoutMs: timeoutMs },
  });
}

/** Estimates the remaining time from the work that is done. */
function remainingMs({ pages, done, spentMs }: PdfProgress): number {
  if (done === 0) return 0;
  const perPageMs = spentMs / done;
  return (pages - done) * perPageMs + pages * perPageMs * LAYOUT_SHARE;
}
