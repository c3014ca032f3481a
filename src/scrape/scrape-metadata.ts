import { credits } from "../contract/credits.ts";
import type { ScrapeMetadata } from "../contract/scrape-data.ts";
import type { Capture } from "./capture.ts";
import type { Document } from "./documents.ts";
import * as formats from "./formats/all.ts";
import type { Obtained } from "./obtain.ts";
import type { Plan } from "./plan.ts";
import type { ScrapeJob } from "./job.ts";

/** What the single scrape adds to what its document says. */
interface ScrapeFacts {
  readonly id: string;
  readonly sourceUrl: string;
  readonly creditsUsed: number;
  /** Undefined when the cache was not consulted. */
  readonly cacheState: "hit" | "miss" | undefined;
}

/** The metadata of a scrape that is being answered. */
export function scrapeMetadata(job: ScrapeJob, obtained: Obtained, document: Document): ScrapeMetadata {
  const { cacheState } = obtained;
  const creditsUsed = priceOf(job.plan, obtained);
  return metadataOf(document, { id: job.id, sourceUrl: job.plan.sourceUrl, creditsUsed, cacheState });
}

/** What the page says about itself, overlaid by what the service knows (contract, section 2.3). */
export function metadataOf(
  { capture, file, pageMetadata }: Document,
  { id, sourceUrl, creditsUsed, cacheState }: ScrapeFacts,
): ScrapeMetadata {
  return {
    ...pageMetadata,
    sourceURL: sourceUrl,
    url: capture.url,
    statusCode: capture.statusCode,
    ...(isFailure(capture) && { error: capture.reason }),
    contentType: file.mimeType,
    scrapeId: id,
    proxyUsed: capture.proxyUsed,
    ...(cacheState && { cacheState }),
    ...(cacheState === "hit" && { cachedAt: new Date(capture.capturedAtMs).toISOString() }),
    ...(capture.timezone && { timezone: capture.timezone }),
    creditsUsed,
    concurrencyLimited: false,
  };
}

function isFailure({ statusCode, reason }: Capture): boolean {
  return (statusCode < 200 || statusCode > 299) && reason !== "";
}

/** Credits of a successful scrape (contract, section 5.1). */
function priceOf(plan: Plan, { cacheState }: Obtained): number {
  const base = plan.lockdown && cacheState === "hit" ? credits.lockdownHit : credits.base;
  return base + plan.formats.map(({ name }) => formats[name].credits).reduce((sum, price) => sum + price, 0);
}
