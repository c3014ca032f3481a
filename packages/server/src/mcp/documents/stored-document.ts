import type { Caller } from "../../accounts/callers.ts";
import { NotFoundError, ServiceError } from "../../api/errors.ts";
import { limits } from "../../api/limits.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import { isUuid } from "@pergamon-dev/kit/uuid";
import type { ScrapeData } from "../../scrape/answer/schema.ts";
import { earlierAnswer } from "../../scrape/replay.ts";
import type { RunServices } from "../../scrape/run.ts";

/** The reader of a document. */
export interface DocumentReader {
  readonly caller: Caller;
  /** Prefix of links to this service; empty when there is no server. */
  readonly linkBase: string;
  /** Aborts when the caller no longer waits for the result. */
  readonly signal: AbortSignal;
}

/**
 * Returns the document of an earlier scrape of the caller's team.
 * @throws NotFoundError when it no longer exists; ForbiddenError when the key may not see it.
 */
export async function storedDocument(
  scrapeId: string,
  context: DocumentReader,
  services: RunServices,
): Promise<ScrapeData> {
  if (!isUuid(scrapeId) || context.caller.team.flags.zeroDataRetention === "forced") throw notKept();
  const timedOut = () => new ServiceError("SCRAPE_TIMEOUT");
  const { signal, clear } = startDeadline(limits.timeoutMs.default, timedOut, context.signal);
  const deadlineMs = Date.now() + limits.timeoutMs.default;
  const recalled = earlierAnswer(scrapeId, services, { ...context, signal, deadlineMs });
  const data = await untilAborted(recalled, signal).finally(clear);
  if (!data) throw notKept();
  return data;
}

function notKept(): NotFoundError {
  return new NotFoundError("Document not found, or no longer stored. Scrape the page again.");
}
