import { NotFoundError } from "../../api/errors.ts";
import { limits } from "../../api/limits.ts";
import type { RunServices } from "../../scrape/run.ts";

/** Options of a request that select the part of its page to read, by name. */
type ContentOptions = Readonly<Record<string, unknown>>;

/** A stored version of a page as Markdown. @throws NotFoundError when it is gone. */
export async function markdownOfCapture(captureId: string, services: RunServices): Promise<string> {
  const { markdown } = await pageOfCapture(captureId, {}, services);
  return markdown;
}

/**
 * A stored version of a page as Markdown and, if it is HTML, also in its original form.
 * @throws NotFoundError when it is gone.
 */
export async function pageOfCapture(
  captureId: string,
  options: ContentOptions,
  services: RunServices,
): Promise<{ readonly markdown: string; readonly html: string | undefined }> {
  const { cache, answers, documents, plan } = services;
  const capture = await cache.load(captureId);
  if (!capture) throw new NotFoundError("Page version not found.");
  const formats = ["markdown", "rawHtml"];
  const how = plan({ ...options, url: capture.requestedUrl, formats }).plan;
  const deadlineMs = Date.now() + limits.timeoutMs.default;
  const signal = AbortSignal.timeout(limits.timeoutMs.default);
  const teamId = "";
  const reading = documents.for({ teamId, deadlineMs, mayContinue: false, onPages: async () => undefined });
  const answer = await answers.make(
    { capture, captureId, how },
    { linkBase: "", teamId, signal, documents: reading },
  );
  const { markdown, rawHtml } = answer.data({
    sourceURL: capture.requestedUrl,
    scrapeId: captureId,
    creditsUsed: 0,
    concurrencyLimited: false,
  });
  const isHtml = /html/i.test(capture.contentType ?? "");
  return {
    markdown: typeof markdown === "string" ? markdown : "",
    html: isHtml && typeof rawHtml === "string" ? rawHtml : undefined,
  };
}
