import type { Log } from "../kit/log/log.ts";
import { limits } from "../contract/limits.ts";
import type { Files } from "../stores/files/files.ts";
import type { ScrapeJob } from "./request/job.ts";
import type { Scraped } from "./scrape.ts";

interface SourceServices {
  readonly files: Pick<Files, "link">;
  readonly keepsRequests: boolean;
  readonly log: Log;
}

/**
 * Keeps the document whose blocks were answered, for as long as the answer: operators see them on its pages. Those that
 * the cache has are drawn from there; what may leave nothing, or is not to be stored, is not kept.
 * @returns its link; undefined when it is not kept, or could not be: the scrape is answered all the same.
 */
export async function keepBlockSource(
  { request, retention, caller }: ScrapeJob,
  { answer, captureId }: Scraped,
  { files, keepsRequests, log }: SourceServices,
): Promise<string | undefined> {
  const mayKeep = keepsRequests && retention === "usual" && request.storeInCache;
  if (!mayKeep || captureId !== undefined || !answer.fields.includes("blocks")) return undefined;
  const bytes = Buffer.from(answer.capture.body);
  return files
    .link({ bytes, contentType: "application/pdf" }, limits.answerRetentionMs, caller.teamId)
    .catch((failure: unknown) => {
      log.error({ err: failure }, "A document could not be kept.");
      return undefined;
    });
}
