import type { PdfProgress } from "@pergamon-dev/documents/whole-pdf";
import { ServiceError } from "../../api/errors.ts";

/** Bounds of what clients wait before they ask again (contract, section 4.3). */
const SOONEST_SECONDS = 5;
const MAX_SECONDS = 600;

/** Time that the layout of the document takes, as a share of the time for reading it: 0.25 by measurement. */
const LAYOUT_SHARE = 0.3;

/** How long clients continue asking. */
const WINDOW_SECONDS = 20 * 60;

/** Time besides the reading, such as for fetching the file. */
const MARGIN_MS = 5000;

/**
 * Work continues after its request (contract, section 4.3). Clients ask five times: each waits at least as long again as
 * the work has taken, so that they still come after it where other work made the estimate too short.
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

/** Work can neither be done in time nor continue (contract, section 3.16b). */
export function insufficientTime(progress: PdfProgress): ServiceError {
  const neededMs = progress.spentMs + remainingMs(progress) * 1.5 + MARGIN_MS;
  const timeoutMs = Math.ceil(neededMs / 1000) * 1000;
  return new ServiceError("SCRAPE_PDF_INSUFFICIENT_TIME_ERROR", {
    message: `The PDF has ${progress.pages} pages, which requires more processing time than your current timeout allows. Set timeout to ${timeoutMs}, or ask for fewer pages with maxPages.`,
    details: { documentPages: progress.pages, requiredTimeoutMs: timeoutMs },
  });
}

/** How long the rest is going to take, judged by what is done. */
export function remainingMs({ pages, done, spentMs }: PdfProgress): number {
  if (done === 0) return 0;
  const perPageMs = spentMs / done;
  return (pages - done) * perPageMs + pages * perPageMs * LAYOUT_SHARE;
}
