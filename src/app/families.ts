import type { MapServices } from "../families/map/run-map.ts";
import { mapRequestSchema } from "../families/map/map-request.ts";
import type { MatchPatterns } from "../page/pattern-matching.ts";
import { matchSmallHere } from "../page/pattern-matching.ts";
import { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { RunServices } from "../scrape/run.ts";
import type { AppContext } from "./context.ts";
import type { Network } from "./network.ts";

/** What whole sites are listed with. */
export interface Families {
  readonly map: MapServices;
}

interface FamilyNeeds {
  readonly services: RunServices;
  readonly network: Network;
  readonly matchPatterns: MatchPatterns;
}

export function openFamilies(
  { config }: AppContext,
  { services, network, matchPatterns }: FamilyNeeds,
): Families {
  const scrape = scrapeRequestSchema(network.admitsHost);
  const mapRequest = mapRequestSchema(scrape);
  const map = {
    ...services,
    mapRequest: (body: unknown) => mapRequest.parse(body),
    robotsAgent: config.crawling.robotsAgent,
    matchPatterns: matchSmallHere(matchPatterns),
  };
  return { map };
}
