import type { RunPlaces } from "../jobs/run-place.ts";
import { type JobRun, runsOfTeam } from "../jobs/run-rows.ts";
import { toldToTeam } from "../scrape/request/masked-body.ts";
import { CRAWL } from "./crawl-family.ts";
import type { CrawlPlans } from "./crawl-plans.ts";
import type { CrawlOptions } from "./crawl-request.ts";

/** A crawl under way, as clients see it. */
export interface ActiveCrawl {
  readonly id: string;
  readonly teamId: string;
  readonly url: string;
  readonly status: "scraping";
  readonly created_at: string;
  readonly options: Omit<CrawlOptions, "url">;
}

const MAX_LISTED = 100;

/** The crawls of a team that are under way, newest first. */
export async function activeCrawls(
  teamId: string,
  { places, plans }: { readonly places: RunPlaces; readonly plans: CrawlPlans },
): Promise<readonly ActiveCrawl[]> {
  const question = { teamId, family: CRAWL, count: MAX_LISTED };
  const runs = await Promise.all((await places.all()).map(({ database }) => runsOfTeam(database, question)));
  const newestFirst = runs.flat().toSorted((one, other) => other.createdAtMs - one.createdAtMs);
  return newestFirst.slice(0, MAX_LISTED).map((run) => describe(run, plans));
}

function describe(run: JobRun, plans: CrawlPlans): ActiveCrawl {
  const { url, ...options } = toldToTeam(plans.open(run));
  const { id, teamId, createdAtMs } = run;
  return { id, teamId, url, status: "scraping", created_at: new Date(createdAtMs).toISOString(), options };
}
