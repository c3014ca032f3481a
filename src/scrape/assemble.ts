import type { DetectedFile } from "../content/file-kind.ts";
import { credits } from "../contract/credits.ts";
import type { ScrapeData, ScrapeMetadata } from "../contract/scrape-data.ts";
import * as formats from "./formats/all.ts";
import type { Obtained } from "./obtain.ts";
import type { Produced } from "./produce.ts";
import type { Plan } from "./plan.ts";
import type { ScrapeJob } from "./scrape.ts";

/** The answer's `data`: the fields of the formats, and the metadata of this scrape over that of the page. */
export function assembleData(
  job: ScrapeJob,
  obtained: Obtained,
  file: DetectedFile,
  produced: Produced,
): ScrapeData {
  const { capture, cacheState } = obtained;
  const isSuccess = capture.statusCode >= 200 && capture.statusCode < 300;
  const metadata: ScrapeMetadata = {
    ...produced.pageMetadata,
    sourceURL: job.plan.sourceUrl,
    url: capture.url,
    statusCode: capture.statusCode,
    ...(!isSuccess && capture.reason && { error: capture.reason }),
    contentType: file.mimeType,
    scrapeId: job.id,
    proxyUsed: capture.proxyUsed,
    ...(cacheState && { cacheState }),
    ...(cacheState === "hit" && { cachedAt: new Date(capture.capturedAtMs).toISOString() }),
    ...(capture.timezone && { timezone: capture.timezone }),
    creditsUsed: priceOf(job.plan, obtained),
    concurrencyLimited: false,
  };
  return { ...produced.fields, metadata };
}

/** Credits of a successful scrape (contract, section 5.1). */
function priceOf(plan: Plan, { cacheState }: Obtained): number {
  const base = plan.lockdown && cacheState === "hit" ? credits.lockdownHit : credits.base;
  return base + plan.formats.map(({ name }) => formats[name].credits).reduce((sum, price) => sum + price, 0);
}
