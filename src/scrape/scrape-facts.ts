import { credits } from "../contract/credits.ts";
import { uuidTimeMs } from "../kit/uuid.ts";
import type { ScrapeFacts } from "./document.ts";
import * as formats from "./formats/all.ts";
import type { ScrapeJob } from "./job.ts";
import type { Obtained } from "./obtain.ts";
import type { Plan } from "./plan.ts";

/** What is known about a scrape beside its page. */
interface KnownFacts {
  readonly id: string;
  readonly sourceUrl: string;
  readonly creditsUsed: number;
  /** Undefined when the cache was not consulted. */
  readonly cacheState: "hit" | "miss" | undefined;
  readonly captureId: string | undefined;
}

/** The facts of a scrape that is being answered. */
export function factsOfJob({ id, plan }: ScrapeJob, obtained: Obtained): ScrapeFacts {
  const { cacheState, captureId } = obtained;
  return factsOf({
    id,
    sourceUrl: plan.sourceUrl,
    creditsUsed: priceOf(plan, obtained),
    cacheState,
    captureId,
  });
}

/** The facts as metadata (contract, section 2.3). The id of a cached capture tells when it was stored. */
export function factsOf({ id, sourceUrl, creditsUsed, cacheState, captureId }: KnownFacts): ScrapeFacts {
  const isHit = cacheState === "hit" && captureId !== undefined;
  return {
    sourceURL: sourceUrl,
    scrapeId: id,
    ...(cacheState && { cacheState }),
    ...(isHit && { cachedAt: new Date(uuidTimeMs(captureId)).toISOString() }),
    creditsUsed,
    concurrencyLimited: false,
  };
}

/** Credits of a successful scrape (contract, section 5.1). */
function priceOf(plan: Plan, { cacheState }: Obtained): number {
  const base = plan.lockdown && cacheState === "hit" ? credits.lockdownHit : credits.base;
  return base + plan.formats.map(({ name }) => formats[name].credits).reduce((sum, price) => sum + price, 0);
}
