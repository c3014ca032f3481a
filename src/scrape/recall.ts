import type { ScrapeData } from "../contract/scrape-data.ts";
import type { Records } from "./records.ts";

/**
 * The data of an earlier scrape of the team. Scrapes of the same capture share one document; what is their own comes
 * from their record. Undefined when there is none, it has expired, or it belongs to another team.
 */
export async function recall(id: string, teamId: string, records: Records): Promise<ScrapeData | undefined> {
  const found = await records.get(id);
  if (!found?.document || found.teamId !== teamId) return undefined;
  const data = JSON.parse(found.document) as ScrapeData;
  const { cacheState: _cacheState, cachedAt, ...metadata } = data.metadata;
  const { cacheState, creditsUsed, url } = found.record;
  return {
    ...data,
    metadata: {
      ...metadata,
      sourceURL: url,
      scrapeId: id,
      creditsUsed,
      ...(cacheState && { cacheState }),
      ...(cacheState === "hit" && cachedAt && { cachedAt }),
    },
  };
}
