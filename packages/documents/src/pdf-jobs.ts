import { setTimeout } from "node:timers/promises";

import type { PdfOptions, ReadDocument } from "./model/reader.ts";
import { ServiceError } from "@pergamon-dev/server/api/errors";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { PdfJob } from "./pdf-job.ts";
import { type PdfProgress, remainingMs } from "./pdf-progress.ts";
import type { DocumentPool } from "./pool.ts";
import type { DocumentResults, ReadingScrape, ResultKey } from "./reading-scrape.ts";
import { insufficientTime, stillProcessing } from "./too-long.ts";

/** A file that is asked for. */
export interface PdfRequest {
  readonly body: Uint8Array;
  readonly options: PdfOptions;
  readonly key: ResultKey;
}

/** The answer of work that continues has to be sent before the request's own time is over. */
const ANSWER_MARGIN_MS = 400;

/** Readings that continue although no request waits. */
const MAX_IN_BACKGROUND = 2;

/** As long as the official client asks again. */
const ABANDONED_MS = 20 * 60_000;

/** Work that takes longer by so much than there is time is hopeless: estimates are rough. */
const HOPELESS = 1.5;

/**
 * The readings that are under way. Those who ask for the same join one; what is not ready in time continues, if it may,
 * and is found by the next request.
 */
export class PdfJobs {
  readonly #pool: DocumentPool;
  readonly #results: DocumentResults;
  readonly #jobs = new Map<string, PdfJob>();

  constructor(pool: DocumentPool, results: DocumentResults) {
    this.#pool = pool;
    this.#results = results;
  }

  /**
   * @throws ServiceError SCRAPE_TIMEOUT that says that work continues; SCRAPE_PDF_INSUFFICIENT_TIME_ERROR when it can
   * neither be done in time nor continue; as the works do. The signal's reason.
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
    // Work of scrapes that may leave nothing is not shared.
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

  /** A result whose caller waited to the end is not kept: it is answered. */
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

/** What the promise gives, or undefined when that takes too long. */
async function withinMs<Value>(promise: Promise<Value>, limitMs: number): Promise<Value | undefined> {
  const giveUp = new AbortController();
  const { signal } = giveUp;
  const late = setTimeout(Math.max(0, limitMs), undefined, { signal }).catch(() => undefined);
  return Promise.race([promise, late]).finally(() => giveUp.abort());
}

function refuseHopeless(progress: PdfProgress | undefined, leftMs: number): void {
  if (progress && remainingMs(progress) > HOPELESS * leftMs) throw insufficientTime(progress);
}
