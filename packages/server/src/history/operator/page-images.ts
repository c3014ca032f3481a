import { detectFile } from "../../fetch/file-kinds/detect.ts";
import { NotFoundError, ServiceError } from "../../api/errors.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { defineOperation } from "../../api/operation.ts";
import { Outgoing } from "../../api/outgoing.ts";
import { readDetails } from "../../scrape/record.ts";
import type { ScrapeRecord } from "../scrape-rows.ts";
import {
  fileBehind,
  type HistoryServices,
  keptAnswerOf,
  recordNamed,
  screenshotOf,
} from "./request-history.ts";
import { pictureHeaders } from "./picture-headers.ts";

/** The process that draws a page is ended after this time. */
const DRAW_LIMIT_MS = 15_000;
/** Long enough for turning pages, and short enough that erased pages soon disappear from browser caches. */
const FRESH_SECONDS = 300;

/** An image of a document's page. A separate process draws it from the stored file for each request. */
export const pageImage = defineOperation({
  line: "GET /admin/api/requests/{id}/pages/{n}.png",
  access: "operator",
  tag: "Operator",
  answer: { contentType: "image/png", isBinary: true, example: "PNG" },
  errors: [404, 408, 503],
  async handle({ params: { id, n }, signal: gone }, services: HistoryServices) {
    const number = /^[1-9]\d{0,5}$/.test(n) ? Number(n) : Number.POSITIVE_INFINITY;
    const record = await recordNamed(id, services);
    const bytes = await pdfOf(record, services);
    if (!bytes) throw new NotFoundError("No document of this request is stored.");
    if (number > pagesRead(record))
      throw new NotFoundError("The document of this request does not have this page.");
    const { signal, clear } = startDeadline(DRAW_LIMIT_MS, tooSlow, gone);
    const picture = await services.services.documents.drawPdfPage({ bytes, number }, signal).finally(clear);
    const cacheControl = { "cache-control": `private, max-age=${FRESH_SECONDS}` };
    return new Outgoing(picture, { type: "image/png", headers: { ...pictureHeaders, ...cacheControl } });
  },
});

const THUMBNAIL = { width: 256, height: 144, fit: "cover", position: "top" } as const;

/** The upper part of a request's screenshot, small. */
export const thumbnail = defineOperation({
  line: "GET /admin/api/requests/{id}/thumbnail.jpg",
  access: "operator",
  tag: "Operator",
  answer: { contentType: "image/jpeg", isBinary: true, example: "JPEG" },
  errors: [404],
  async handle({ params: { id }, signal }, services: HistoryServices) {
    const answer = await keptAnswerOf(await recordNamed(id, services), services, signal);
    const { bytes } = (answer && (await screenshotOf(answer, services))) ?? {};
    if (!bytes) throw new NotFoundError("No screenshot of this request is stored.");
    const { default: sharp } = await import("sharp");
    const picture = await sharp(bytes).resize(THUMBNAIL).jpeg().toBuffer();
    const cacheControl = { "cache-control": `private, max-age=${FRESH_SECONDS}` };
    return new Outgoing(picture, { type: "image/jpeg", headers: { ...pictureHeaders, ...cacheControl } });
  },
});

function tooSlow(): ServiceError {
  return new ServiceError("SCRAPE_TIMEOUT", { message: "The page could not be rendered within 15 seconds." });
}

/**
 * Number of pages that can be drawn, counted from the first; 0 unless the request read a document that is
 * still kept.
 */
export async function countPageImages(record: ScrapeRecord, services: HistoryServices): Promise<number> {
  const pages = pagesRead(record);
  return pages > 0 && (await pdfOf(record, services)) ? pages : 0;
}

function pagesRead({ details }: ScrapeRecord): number {
  return readDetails(details).pages ?? 0;
}

/** The document from the cache or, when it was not cached, from the file that is kept with the answer. */
async function pdfOf(
  { captureId, details }: ScrapeRecord,
  { services: { cache }, files }: HistoryServices,
): Promise<Uint8Array | undefined> {
  const { file } = readDetails(details);
  if (captureId === undefined) return file === undefined ? undefined : fileBehind(file, files);
  const capture = await cache.load(captureId);
  if (!capture) return undefined;
  const { kind } = await detectFile(capture.body, capture.contentType, capture.url);
  return kind === "pdf" ? capture.body : undefined;
}
