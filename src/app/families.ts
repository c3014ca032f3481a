import { BatchFamily } from "../families/batch/batch-family.ts";
import { BatchOptions } from "../families/batch/batch-options.ts";
import { BatchPages } from "../families/batch/batch-pages.ts";
import type { BatchOperationServices } from "../families/batch/batch-operations.ts";
import { batchRequestSchema } from "../families/batch/batch-request.ts";
import { mapRequestSchema } from "../families/map/map-request.ts";
import type { MapServices } from "../families/map/run-map.ts";
import type { ParseOperationServices } from "../families/parse/parse-operations.ts";
import type { PageServices } from "../families/runs/make-page.ts";
import type { RunPlace } from "../job-runs/run-place.ts";
import type { MatchPatterns } from "../page/pattern-matching.ts";
import { matchSmallHere } from "../page/pattern-matching.ts";
import { openSecrets, type Secrets } from "../platform/secrets/secrets.ts";
import { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { RunServices } from "../scrape/run.ts";
import type { Accounts } from "./accounts.ts";
import type { AppContext } from "./context.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Network } from "./network.ts";
import { openParse } from "./parse.ts";
import { openHosts, openRuns } from "./runs.ts";
import type { Stores } from "./stores.ts";

/** Work on whole sites and many pages. */
export interface Families {
  readonly map: MapServices;
  readonly batch: BatchOperationServices;
  readonly parse: ParseOperationServices;
  /** Begins to work on runs. */
  work(): void;
}

interface FamilyNeeds {
  readonly stores: Stores;
  readonly services: RunServices;
  readonly network: Network;
  readonly accounts: Accounts;
  readonly matchPatterns: MatchPatterns;
  readonly kept: Pick<RetainedData, "uploads">;
}

export async function openFamilies(context: AppContext, needs: FamilyNeeds): Promise<Families> {
  const { services, accounts } = needs;
  const secrets = await openSecrets({
    keys: context.config.stores.secretKeys,
    keyFile: context.config.stores.secretKeyFile,
  });
  const pages: PageServices = { scraping: services, callers: accounts.callers, hosts: openHosts(context) };
  const batch = openBatch(context, { pages, secrets });
  const familiesIn = (place: RunPlace) => [batch.familyIn(place)];
  const { places, work } = openRuns(context, { ...needs, secrets, familiesIn });
  const { records, blockedSites } = services;
  const rules = { blockedSites, admitsHost: needs.network.admitsHost };
  return {
    map: openMap(context, needs),
    parse: openParse(context, needs),
    batch: { ...batch, places, records, scraping: services, rules },
    work,
  };
}

function openMap({ config }: AppContext, { services, network, matchPatterns }: FamilyNeeds): MapServices {
  const mapRequest = mapRequestSchema(scrapeRequestSchema(network.admitsHost));
  return {
    ...services,
    mapRequest: (body: unknown) => mapRequest.parse(body),
    robotsAgent: config.crawling.robotsAgent,
    matchPatterns: matchSmallHere(matchPatterns),
  };
}

function openBatch(
  { config }: AppContext,
  { pages: services, secrets }: { readonly pages: PageServices; readonly secrets: Secrets },
) {
  const schema = batchRequestSchema(config.jobs.maxUrls);
  const options = new BatchOptions(secrets, schema);
  const pagesIn = ({ database, clock }: RunPlace) => new BatchPages(database, clock);
  return {
    options,
    pagesIn,
    request: (body: unknown) => schema.parse(body),
    familyIn: (place: RunPlace) => new BatchFamily({ place, pages: pagesIn(place), options, services }),
  };
}
