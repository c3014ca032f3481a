import { createHash } from "node:crypto";

import type { PdfPageOrder } from "@pergamon-dev/documents/draw-pdf-page";
import type { PdfOptions } from "@pergamon-dev/documents/model/reader";
import type { ProcessPool } from "@pergamon-dev/documents/pool";
import type { DocumentTools } from "../../fetch/file-kinds/document-tools.ts";
import { OcrStages } from "./ocr-stages.ts";
import { PdfJobs } from "./pdf-jobs.ts";
import type { DocumentResults, ReadingScrape } from "./reading-scrape.ts";
import { DocumentError } from "@pergamon-dev/documents/errors";
import { ServiceError } from "../../api/errors.ts";
import { unreadableFile, unsupportedFile } from "../../fetch/file-kinds/unreadable.ts";

/** Reads documents in separate processes. */
export interface Documents {
  for(scrape: ReadingScrape): DocumentTools;
  /** Draws a page of a PDF as PNG. @throws ServiceError as the other work; the signal's reason. */
  drawPdfPage(order: PdfPageOrder, signal: AbortSignal): Promise<Uint8Array>;
}

interface DocumentsOptions {
  readonly pool: ProcessPool;
  readonly results: DocumentResults;
}

export function openDocuments({ pool, results }: DocumentsOptions): Documents {
  const jobs = new PdfJobs(pool, results);
  return {
    for: (scrape) => ({
      readPdf: (body, options, signal) => {
        const key = { teamId: scrape.teamId, name: nameOf(body, options) };
        return told(jobs.read({ body, options, key }, scrape, signal));
      },
      readOffice: (order, signal) => told(pool.run({ work: "readOffice", order }, signal), order.mimeType),
      readPicture: ({ mimeType, ...order }, signal) =>
        told(pool.run({ work: "readPicture", order, onOcr: stageOf(scrape) }, signal), mimeType),
    }),
    drawPdfPage: (order, signal) => told(pool.run({ work: "drawPdfPage", order }, signal)),
  };
}

/** Converts failures of reading to errors for clients. */
function told<Result>(reading: Promise<Result>, mimeType?: string): Promise<Result> {
  return reading.catch((failure: unknown) => {
    throw serviceErrorOf(failure, mimeType);
  });
}

/** Records OCR as a stage of the scrape. */
function stageOf({ stages }: ReadingScrape): OcrStages["note"] | undefined {
  if (!stages) return undefined;
  const ocr = new OcrStages();
  ocr.add(stages);
  return ocr.note;
}

/** Equal for the same bytes that are read with the same options. */
function nameOf(body: Uint8Array, { mode, maxPages, pageMarkers, languages }: PdfOptions): string {
  const options = JSON.stringify([mode, maxPages ?? 0, pageMarkers, languages]);
  return createHash("sha256").update(options).update("\n").update(body).digest("hex");
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Error for clients when a document could not be read. Other failures stay unchanged.
 * @param mimeType of the file, where the message has to name it
 */
export function serviceErrorOf(failure: unknown, mimeType?: string): unknown {
  if (!(failure instanceof DocumentError)) return failure;
  const { code, reason, cause } = failure;
  switch (code) {
    case "unreadable-file":
      return mimeType === undefined ? unsupportedFile(reason) : unreadableFile(mimeType, reason);
    case "reader-failed":
      return unsupportedFile("the reader did not survive the file", cause as Error);
    case "reader-exhausted":
      return unsupportedFile("it is too large or too deep for its reader: send it in parts", cause as Error);
    case "ocr-required":
      return withoutText(reason, 'Use the mode "auto" or "ocr" of the pdf parser.');
    case "ocr-missing":
      return withoutText(reason, "This service has no engine that recognises text: install tesseract.");
    case "overloaded":
      return new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS });
  }
}

function withoutText(kind: string, remedy: string): ServiceError {
  return new ServiceError("SCRAPE_PDF_OCR_REQUIRED", {
    message: `This PDF is ${kind} and has no text of its own, so that its text has to be recognised. ${remedy}`,
  });
}
