import { AgentFamily } from "../agent/agent-family.ts";
import { SealedOptions } from "../agent/agent-options.ts";
import { agentRequestSchema } from "../agent/agent-request.ts";
import type { AgentServices } from "../agent/agent-services.ts";
import { ExtractFamily } from "../extract/extract-family.ts";
import type { ExtractOperationServices } from "../extract/extract-operations.ts";
import { ExtractPlans } from "../extract/extract-plans.ts";
import { extractRequestSchema } from "../extract/extract-request.ts";
import { openMap } from "../map/open.ts";
import type { SiteMapper } from "../map/run-map.ts";
import type { ParseOperationServices } from "../parse/parse-operations.ts";
import type { PageSearch } from "../search/run-search.ts";
import type { PageServices } from "../jobs/make-page.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { Session } from "../interact/session.ts";
import type { JobService } from "../jobs/job-service.ts";
import { PageList } from "../jobs/page-list.ts";
import type { RunPlace } from "../jobs/run-place.ts";
import { SealedTexts } from "../jobs/sealed-options.ts";
import type { Pressure } from "@pergamon-dev/kit/pressure";
import { lazy } from "@pergamon-dev/kit/lazy";
import { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { RunServices } from "../scrape/run.ts";
import type { Accounts } from "../accounts/open.ts";
import type { Context } from "../config/context.ts";
import type { History } from "../history/open.ts";
import type { NodeContext } from "../http/nodes/open.ts";
import type { InteractContext } from "../interact/open.ts";
import type { Net } from "../net/open.ts";
import { openParse } from "../parse/open.ts";
import type { PageContext } from "../scrape/page/open.ts";
import type { Scraping } from "../scrape/open.ts";
import { openSearch } from "../search/open.ts";
import type { ModelContext } from "../storage/models/open.ts";
import type { Storage } from "../storage/open.ts";
import type { ToolsContext } from "../tools/open.ts";
import { type MonitorParts, openMonitors } from "./monitors.ts";
import { retainJobs } from "./retained-data.ts";
import { openHosts, openRuns, type Runs, type RunTools } from "./runs.ts";

/** Work on whole sites and many pages. */
export interface Families {
  readonly map: SiteMapper;
  /** Jobs of all kinds. */
  readonly jobs: JobService;
  readonly extract: ExtractOperationServices;
  readonly parse: ParseOperationServices;
  /** Runs of all families. */
  readonly runs: Pick<JobService, "places"> &
    Pick<Runs, "webhooks" | "jobs"> &
    Pick<RunServices, "records"> & { readonly agents: SealedOptions };
  readonly search: PageSearch;
  readonly agent: AgentServices;
  readonly monitor: MonitorParts;
  /** Begins to work on runs. */
  work(): void;
}

type FamilyContext = Context &
  Storage &
  Net &
  Accounts &
  NodeContext &
  History &
  PageContext &
  ModelContext &
  Scraping &
  ToolsContext &
  InteractContext & { readonly pressure: Pick<Pressure, "reason"> };

export function openFamilies(context: FamilyContext): { readonly families: Families } {
  const { services, callers, admitsHost } = context;
  retainJobs(context);
  // Each schema is built when the first request of its family comes: all of them would take a tenth of a second.
  const scrape = lazy(() => scrapeRequestSchema(admitsHost));
  const pages: PageServices = { scraping: services, callers, hosts: openHosts(context) };
  const map = openMap({ ...context, scrape });
  const search = openSearch({ ...context, scrape });
  const extract = openExtract({ ...context, pages, scrape, find: { map, search } });
  const agent = openAgent({ ...context, pages, scrape, find: { map, search } });
  const monitor = openMonitors({ ...context, pages, scrape, search, starter: () => opened.jobs });
  const familiesIn = (place: RunPlace, tools: RunTools) => [
    extract.familyIn(place),
    agent.familyIn(place),
    ...monitor.familiesIn(place, tools),
  ];
  const { records } = context;
  const jobContext = jobContextOf({ ...context, pages, scrape });
  const { service, webhooks, jobs, work } = openRuns({ ...context, jobContext, familiesIn });
  const { places } = service;
  const opened: Families = {
    map,
    parse: openParse({ ...context, scrape }),
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
  return { families: opened };
}

interface RequestNeeds {
  /** The body of a scrape; other bodies share its fields. */
  readonly scrape: () => ReturnType<typeof scrapeRequestSchema>;
}

/** What kinds of jobs work with. */
function jobContextOf(context: FamilyContext & PageNeeds & RequestNeeds) {
  const { config, services, admitsHost, models, matchPatterns, pages, secrets, scrape } = context;
  return {
    ...pages,
    secrets,
    models,
    matchPatterns,
    urlRules: { blockedSites: services.blockedSites, admitsHost },
    scrapeSchema: scrape,
    maxBatchUrls: config.jobs.maxUrls,
    maxCrawlLimit: config.crawling.maxLimit,
    mayPassRobots: config.accounts.auth === "open",
  };
}

interface PageNeeds {
  readonly pages: PageServices;
}

interface FindNeeds {
  readonly find: { readonly map: SiteMapper; readonly search: PageSearch };
}

type ExtractNeeds = FamilyContext & PageNeeds & RequestNeeds & FindNeeds;

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

type AgentNeeds = FamilyContext & PageNeeds & RequestNeeds & FindNeeds;

function openAgent(context: AgentNeeds) {
  const { config, resources, scrape, models, pages, secrets, find, tools, interact } = context;
  const { audit, figures } = context;
  const schema = lazy(() => agentRequestSchema(scrape()));
  const services = {
    ...pages,
    ...find,
    models,
    modelBounds: () => config.languageModel,
    providers: tools,
    interact: interact.load,
    options: new SealedOptions(secrets),
    books: { ...pages.scraping, audit, figures },
    thread: resources.add(new ForeignThread(), (opened) => opened.close()),
    sessions: new Map<string, Session>(),
  };
  return {
    ...services,
    request: (body: unknown) => schema().parse(body),
    familyIn: (place: RunPlace) => new AgentFamily({ ...services, place }),
  };
}
