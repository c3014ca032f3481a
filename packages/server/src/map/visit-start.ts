import { givenAddress } from "@pergamon-dev/kit/address";
import type { ErrorCode } from "../api/error-codes.ts";
import { ServiceError } from "../api/errors.ts";
import { untilAborted } from "@pergamon-dev/kit/single-flight";
import type { ScrapeJob } from "../scrape/request/job.ts";
import { scrape, type ScrapeServices } from "../scrape/scrape.ts";
import type { StartPage } from "./find-pages.ts";

/** Failures that say that the site may not be visited, rather than that its page does not answer. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "unsafe_domain_blocked",
  "UNSUPPORTED_SITE",
  "SAFE_MODE_BLOCKED",
  "insufficient_credits",
  "billing_unavailable",
  "OVERLOADED",
]);

/**
 * Visits the page that a map starts from. Undefined when it does not answer: sitemaps may.
 * @throws ServiceError when it may not be visited; the signal's reason, once it is aborted.
 */
export async function visitStart(
  job: ScrapeJob,
  watch: Parameters<typeof scrape>[1],
  services: ScrapeServices,
  signal: AbortSignal,
): Promise<StartPage | undefined> {
  try {
    const { answer, facts } = await untilAborted(scrape(job, watch, services, signal), signal);
    const { title, description } = answer.data(facts).metadata;
    return {
      url: givenAddress(answer.capture.url),
      links: answer.outline?.links ?? [],
      title: textOf(title),
      description: textOf(description),
    };
  } catch (failure) {
    signal.throwIfAborted();
    if (!(failure instanceof ServiceError) || REFUSALS.has(failure.code)) throw failure;
    // A file that cannot be read is an answer without links.
    if (failure.code !== "SCRAPE_UNSUPPORTED_FILE_ERROR") return undefined;
    return { url: givenAddress(job.plan.visit.url), links: [] };
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
