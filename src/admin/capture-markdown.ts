import { NotFoundError } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { RunServices } from "../scrape/run.ts";

/** A kept version of a page as Markdown. @throws NotFoundError when it is gone. */
export async function markdownOfCapture(captureId: string, services: RunServices): Promise<string> {
  const { cache, answers, documents, plan } = services;
  const capture = await cache.load(captureId);
  if (!capture) throw new NotFoundError("Page version not found.");
  const how = plan({ url: capture.requestedUrl, formats: ["markdown"] }).plan;
  const deadlineMs = Date.now() + limits.timeoutMs.default;
  const signal = AbortSignal.timeout(limits.timeoutMs.default);
  const teamId = "";
  const reading = documents.for({ teamId, deadlineMs, mayContinue: false, onPages: async () => undefined });
  const answer = await answers.make(
    { capture, captureId, how },
    { linkBase: "", teamId, signal, documents: reading },
  );
  const { markdown } = answer.data({
    sourceURL: capture.requestedUrl,
    scrapeId: captureId,
    creditsUsed: 0,
    concurrencyLimited: false,
  });
  return typeof markdown === "string" ? markdown : "";
}
