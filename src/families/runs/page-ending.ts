import type { VisitEnding } from "../../job-runs/host-queue.ts";
import type { ErrorCode } from "../../contract/error-codes.ts";
import type { ScrapeEnding } from "../../scrape/run.ts";
import { codeOf } from "../../work/failure-code.ts";

/** Failures of hosts that cannot be reached. */
const UNREACHABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "SCRAPE_DNS_RESOLUTION_ERROR",
  "SCRAPE_ALL_ENGINES_FAILED",
  "SCRAPE_SSL_ERROR",
  "SCRAPE_SITE_ERROR",
]);
/** Of a host that does not say when, before the first retry; twice as long before each further one. */
const FIRST_PAUSE_MS = 1000;

/** Whether the host answered that it has too much to do. */
export function isBusy(ended: ScrapeEnding): boolean {
  return busyAnswer(ended) !== undefined;
}

/** Whether this service had no room for the page. */
export function isOverloaded(ended: ScrapeEnding): boolean {
  return ended.status === "failed" && codeOf(ended.failure) === "OVERLOADED";
}

/** What the end of a page says of its host. @param ended undefined when it was not even begun. */
export function endingOf(ended: ScrapeEnding | undefined, retries: number): VisitEnding {
  if (!ended) return { kind: "other" };
  if (ended.status === "failed")
    return { kind: UNREACHABLE.has(codeOf(ended.failure)) ? "unreachable" : "other" };
  const busy = busyAnswer(ended);
  if (!busy) return { kind: ended.scraped.facts.cacheState === "hit" ? "other" : "good" };
  const pauseMs = retryAfterMs(busy.headers["retry-after"]) ?? FIRST_PAUSE_MS * 2 ** retries;
  return { kind: "busy", pauseMs };
}

function busyAnswer(ended: ScrapeEnding) {
  if (ended.status === "failed") return undefined;
  const { capture } = ended.scraped.answer;
  const isFresh = ended.scraped.facts.cacheState !== "hit";
  return isFresh && [429, 503].includes(capture.statusCode) ? capture : undefined;
}

/** Seconds or a date (RFC 9110, section 10.2.3). */
function retryAfterMs(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  if (/^\d{1,9}$/.test(header.trim())) return Number(header) * 1000;
  const atMs = Date.parse(header);
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - Date.now());
}
