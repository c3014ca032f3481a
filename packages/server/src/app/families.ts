import { AgentFamily } from "../agent/agent-family.ts";
import { SealedOptions } from "../agent/agent-options.ts";
import { agentRequestSchema } from "../agent/agent-request.ts";
import type { AgentServices } from "../agent/agent-services.ts";
import { ExtractFamily } from "../extract/extract-family.ts";
import type { ExtractOperationServices } from "../extract/extract-operations.ts";
import { ExtractPlans } from "../extract/extract-plans.ts";
import { extractRequestSchema } from "../extract/extract-request.ts";
import { mapRequestSchema } from "../map/map-request.ts";
import type { MapServices } from "../map/run-map.ts";
import type { ParseOperationServices } from "../parse/parse-operations.ts";
import type { SearchServices } from "../search/run-search.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import type { PageServices } from "../jobs/make-page.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { Session } from "../interact/session.ts";
import type { JobService } from "../jobs/job-service.ts";
import { PageList } from "../jobs/page-list.ts";
import type { RunPlace } from "../jobs/run-place.ts";
import { SealedTexts } from "../jobs/sealed-options.ts";
import type { MatchPatterns } from "../scrape/page/pattern-matching.ts";
import type { Pressure } from "@pergamon-dev/kit/pressure";
import { lazy } from "@pergamon-dev/kit/lazy";
import { matchSmallHere } from "../scrape/page/match-small-here.ts";
import type { CompareVersions } from "../scrape/page/version-comparison.ts";
import type { LanguageModels } from "../storage/models/language-models.ts";
import { openSecrets, type Secrets } from "../storage/secrets/secrets.ts";
import { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { RunServices } from "../scrape/run.ts";
import type { Accounts } from "./accounts.ts";
import type { AppContext } from "./context.ts";
import type { InteractPart } from "./interact.ts";
import { jobKinds } from "./job-kinds.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Network } from "./network.ts";
import { type MonitorParts, openMonitors } from "./monitors.ts";
import { openSearch } from "./search.ts";
import { openParse } from "./parse.ts";
import type { NodePart } from "./nodes.ts";
import { openHosts, openRuns, type Runs, type RunTools } from "./runs.ts";
import type { Stores } from "./stores.ts";

/** Work on whole sites and many pages. */
export interface Families {
  readonly map: MapServices;
  /** Jobs of all kinds. */
  readonly jobs: JobService;
  readonly extract: ExtractOperationServices;
  readonly parse: ParseOperationServices;
  /** Runs of all families. */
  readonly runs: Pick<JobService, "places"> &
    Pick<Runs, "webhooks" | "jobs"> &
    Pick<RunServices, "records"> & { readonly agents: SealedOptions };
  readonly search: SearchServices;
  readonly agent: AgentServices;
  readonly monitor: MonitorParts;
  /** Begins to work on runs. */
  work(): void;
}

interface FamilyNeeds {
  readonly pressure: Pick<Pressure, "reason">;
  readonly nodes: NodePart | undefined;
  readonly stores: Stores;
  readonly services: RunServices;
  readonly network: Network;
  readonly accounts: Accounts;
  readonly matchPatterns: MatchPatterns;
  readonly kept: Pick<RetainedData, "uploads" | "pageIndex" | "figures" | "health">;
  readonly tools: ToolServices;
  readonly compareVersions: CompareVersions;
  readonly models: LanguageModels;
  readonly interact: Pick<InteractPart, "load">;
}

export async function openFamilies(context: AppContext, needs: FamilyNeeds): Promise<Families> {
  const { services, accounts } = needs;
  const secrets = await openSecrets({
    keys: context.config.stores.secretKeys,
    keyFile: context.config.stores.secretKeyFile,
  });
  // Each schema is built when the first request of its family comes: all of them would take a tenth of a second.
  const scrape = lazy(() => scrapeRequestSchema(needs.network.admitsHost));
  const pages: PageServices = { scraping: services, callers: accounts.callers, hosts: openHosts(context) };
  const map = openMap({ ...needs, scrape });
  const search = openSearch(context, { ...needs, scrape });
  const extract = openExtract({ ...needs, pages, secrets, scrape, find: { map, search } });
  const agent = openAgent(context, { ...needs, pages, secrets, scrape, find: { map, search } });
  const monitor = openMonitors(context, {
    ...needs,
    pages,
    secrets,
    scrape,
    search,
    starter: () => opened.jobs,
  });
  const familiesIn = (place: RunPlace, tools: RunTools) => [
    extract.familyIn(place),
    agent.familyIn(place),
    ...monitor.familiesIn(place, tools),
  ];
  const jobContext = jobContextOf(context, { ...needs, pages, secrets, scrape });
  const { service, webhooks, jobs, work } = openRuns(context, {
    ...needs,
    secrets,
    kinds: jobKinds,
    jobContext,
    familiesIn,
  });
  const { places } = service;
  const { records } = services;
  const opened: Families = {
    map,
    parse: openParse(context, { ...needs, scrape }),
    search,
    monitor: monitor.services(),
    extract: { ...extract, places, records, scraping: services, rules: jobContext.urlRules },
    agent: { ...agent, places },
    runs: { places, webhooks, jobs, records, agents: agent.options },
    jobs: service,
    work() {
      work();
      opened.monitor.monitors.work();
    },
  };
  return opened;
}

interface RequestNeeds {
  /** The body of a scrape; other bodies share its fields. */
  readonly scrape: () => ReturnType<typeof scrapeRequestSchema>;
}

/** What kinds of jobs work with. */
function jobContextOf(
  { config }: AppContext,
  {
    services,
    network,
    models,
    matchPatterns,
    pages,
    secrets,
    scrape,
  }: FamilyNeeds & RunFamilyNeeds & RequestNeeds,
) {
  return {
    ...pages,
    secrets,
    models,
    matchPatterns: matchSmallHere(matchPatterns),
    urlRules: { blockedSites: services.blockedSites, admitsHost: network.admitsHost },
    scrapeSchema: scrape,
    maxBatchUrls: config.jobs.maxUrls,
    maxCrawlLimit: config.crawling.maxLimit,
    mayPassRobots: config.accounts.auth === "open",
  };
}

function openMap({ services, matchPatterns, scrape }: FamilyNeeds & RequestNeeds): MapServices {
  const mapRequest = lazy(() => mapRequestSchema(scrape()));
  return {
    ...services,
    mapRequest: (body: unknown) => mapRequest().parse(body),
    matchPatterns: matchSmallHere(matchPatterns),
  };
}

interface RunFamilyNeeds {
  readonly pages: PageServices;
  readonly secrets: Secrets;
}

interface FindNeeds {
  readonly find: { readonly map: MapServices; readonly search: SearchServices };
}

type ExtractNeeds = FamilyNeeds & RunFamilyNeeds & RequestNeeds & FindNeeds;

function openExtract({ scrape, models, secrets, find, pages: services }: ExtractNeeds) {
  const schema = lazy(() => extractRequestSchema(scrape()));
  const plans = new ExtractPlans(secrets);
  const texts = new SealedTexts(secrets, "batch");
  const pagesIn = ({ database, clock }: RunPlace) => new PageList({ database, clock, texts });
  const { records } = services.scraping;
  return {
    plans,
    models,
    request: (body: unknown) => schema().parse(body),
    pagesIn,
    familyIn: (place: RunPlace) =>
      new ExtractFamily({ place, pages: pagesIn(place), plans, services, find, records }),
  };
}

type AgentNeeds = FamilyNeeds & RunFamilyNeeds & RequestNeeds & FindNeeds;

function openAgent(
  { config, resources }: AppContext,
  { scrape, models, pages, secrets, find, tools, interact, accounts, kept }: AgentNeeds,
) {
  const schema = lazy(() => agentRequestSchema(scrape()));
  const services = {
    ...pages,
    ...find,
    models,
    modelBounds: () => config.languageModel,
    providers: tools,
    interact: interact.load,
    options: new SealedOptions(secrets),
    books: { ...pages.scraping, audit: accounts.audit, figures: kept.figures },
    thread: resources.add(new ForeignThread(), (opened) => opened.close()),
    sessions: new Map<string, Session>(),
  };
  return {
    ...services,
    request: (body: unknown) => schema().parse(body),
    familyIn: (place: RunPlace) => new AgentFamily({ ...services, place }),
  };
}
