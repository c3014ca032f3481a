import { createHash } from "node:crypto";

import type { DocumentTools, PdfOptions } from "./model/reader.ts";
import type { PdfPageOrder } from "./draw-pdf-page.ts";
import { OcrStages } from "./ocr-watch.ts";
import { PdfJobs } from "./pdf-jobs.ts";
import type { DocumentPool } from "./pool.ts";
import type { DocumentResults, ReadingScrape } from "./reading-scrape.ts";

/** Reads documents, in processes of their own. */
export interface Documents {
  for(scrape: ReadingScrape): DocumentTools;
  /** A page of a PDF as it is seen, as PNG. @throws ServiceError as the work; the signal's reason. */
  drawPdfPage(order: PdfPageOrder, signal: AbortSignal): Promise<Uint8Array>;
}

export interface DocumentsOptions {
  readonly pool: DocumentPool;
  readonly results: DocumentResults;
}

export function openDocuments({ pool, results }: DocumentsOptions): Documents {
  const jobs = new PdfJobs(pool, results);
  return {
    for: (scrape) => ({
      readPdf: (body, options, signal) =>
        jobs.read(
          { body, options, key: { teamId: scrape.teamId, name: nameOf(body, options) } },
          scrape,
          signal,
        ),
      // The table of works says that each fits its name.
      read: (work, file, signal) => pool.run({ work, order: file, onOcr: stageOf(scrape) }, signal),
    }),
    drawPdfPage: (order, signal) => pool.run({ work: "drawPdfPage", order }, signal),
  };
}

/** OCR as a stage of the scrape. */
function stageOf({ stages }: ReadingScrape): OcrStages["note"] | undefined {
  if (!stages) return undefined;
  const ocr = new OcrStages();
  ocr.add(stages);
  return ocr.note;
}

/** Same bytes, read in the same way. */
function nameOf(body: Uint8Array, { mode, maxPages, pageMarkers, languages }: PdfOptions): string {
  const options = JSON.stringify([mode, maxPages ?? 0, pageMarkers, languages]);
  return createHash("sha256").update(options).update("\n").update(body).digest("hex");
}
