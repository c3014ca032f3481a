import type { ScrapeFacts } from "../../api/answer.ts";
import { uuidTimeMs } from "@pergamon-dev/kit/uuid";
import type { ScrapeJob } from "../request/job.ts";
import { priceOf } from "../request/price.ts";
import type { Answer } from "./answer.ts";

interface KnownFacts {
  readonly id: string;
  /** Undefined for an uploaded file. */
  readonly sourceUrl: string | undefined;
  readonly creditsUsed: number;
  /** Undefined when the cache was not consulted. */
  readonly cacheState: "hit" | "miss" | undefined;
  readonly captureId: string | undefined;
  readonly isRevalidated?: boolean | undefined;
  /** Milliseconds that the scrape waited for the team's turn. Undefined when it did not wait. */
  readonly queuedMs?: number | undefined;
}

/** The parts of an answer that affect its price. */
type PricedAnswer = Pick<Answer, "pageCounts" | "fields" | "byModel" | "isInjectionChecked" | "isForNothing">;

export function factsOfJob(
  job: ScrapeJob,
  obtained: Pick<KnownFacts, "cacheState" | "captureId" | "isRevalidated">,
  { pageCounts, fields, ...answer }: PricedAnswer,
  threatScans = 0,
): ScrapeFacts {
  const findings = { ...answer, threatScans, documentPages: pageCounts?.numPages, answered: fields };
  return factsOf({
    id: job.id,
    sourceUrl: job.source?.kind === "upload" ? undefined : job.plan.sourceUrl,
    creditsUsed: priceOf(job, findings),
    cacheState: obtained.cacheState,
    captureId: obtained.captureId,
    isRevalidated: obtained.isRevalidated,
    queuedMs: job.queuedMs,
  });
}

/**
 * Returns the facts as metadata (contract, section 2.3). The id of a cached capture tells when it was stored.
 */
export function factsOf({
  id,
  sourceUrl,
  creditsUsed,
  cacheState,
  captureId,
  isRevalidated,
  queuedMs,
}: KnownFacts): ScrapeFacts {
  const isHit = cacheState === "hit" && captureId !== undefined;
  const facts: Writable<ScrapeFacts> = {
    ...(sourceUrl !== undefined && { sourceURL: sourceUrl }),
    scrapeId: id,
    creditsUsed,
    concurrencyLimited: false,
  };
  if (cacheState) facts.cacheState = cacheState;
  if (isRevalidated) facts.revalidated = true;
  if (isHit) facts.cachedAt = new Date(uuidTimeMs(captureId)).toISOString();
  if (queuedMs !== undefined) {
    facts.concurrencyLimited = true;
    facts.concurrencyQueueDurationMs = Math.round(queuedMs);
  }
  return facts;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };
