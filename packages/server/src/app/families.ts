import { type Post, post } from "../net/post.ts";
import { agent } from "../agent/agent.ts";
import type { AgentServices } from "../agent/services.ts";
import { crawl } from "../crawl/crawl.ts";
import { openMap } from "../map/open.ts";
import type { SiteMapper } from "../map/run-map.ts";
import type { ParseOperationServices } from "../parse/operations.ts";
import type { PageSearch } from "../search/run-search.ts";
import type { PageServices } from "../jobs/make-page.ts";
import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import type { Session } from "../interact/session.ts";
import type { JobService } from "../jobs/job-service.ts";
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
import { openHosts, openJobs, type OpenedJobs } from "../jobs/open.ts";

/** Jobs over whole sites and many pages. */
export interface Families {
  readonly map: SiteMapper;
  /** Jobs of all kinds. */
  readonly jobs: JobService;
  readonly parse: ParseOperationServices;
  /** Runs of all families. */
  readonly runs: Pick<JobService, "stores"> &
    Pick<OpenedJobs, "webhooks"> &
    Pick<RunServices, "records"> & { readonly agents: AgentServices["options"] };
  readonly search: PageSearch;
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
  // Each schema is built at the first request of its family, because building all would take a tenth of a
  // second.
  const scrape = lazy(() => scrapeRequestSchema(admitsHost));
  const pages: PageServices = { scraping: services, callers, hosts: openHosts(context) };
  const map = openMap({ ...context, scrape });
  const search = openSearch({ ...context, scrape, stores: () => service.stores });
  const { records } = context;
  const jobContext = jobContextOf({ ...context, pages, scrape, map, search });
  const { service, webhooks, work } = openJobs({ ...context, jobContext });
  const { stores } = service;
  context.resources.whenIdle(() => crawl.at(service).knownLinks.letGo());
  const families: Families = {
    map,
    parse: openParse({ ...context, scrape }),
    search,
    runs: { stores, webhooks, records, agents: agent.at(service).options },
    jobs: service,
    work,
  };
  return { families };
}

interface RequestNeeds {
  /** Schema of a scrape's body. Other bodies share its fields. */
  readonly scrape: () => ReturnType<typeof scrapeRequestSchema>;
}

/** Services for the kinds of jobs. */
function jobContextOf(context: FamilyContext & PageNeeds & RequestNeeds & FindNeeds) {
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
    map: context.map,
    search: context.search,
    providers: context.tools,
    interact: context.interact.load,
    modelBounds: () => config.languageModel,
    books: { ...services, audit: context.audit, figures: context.figures },
    compareVersions: context.compareVersions,
    crawl,
    blobs: context.blobs,
    coordinator: context.coordinator,
    mail: context.mail,
    sendLetter: (letter: Post, signal: AbortSignal) => post(letter, context.guard, signal),
    mailDomains: config.mail.recipientDomains,
    publicUrl: config.server.publicUrl,
    thread: context.resources.add(new ForeignThread(), (opened) => opened.close()),
    sessions: new Map<string, Session>(),
  };
}

interface PageNeeds {
  readonly pages: PageServices;
}

interface FindNeeds {
  readonly map: SiteMapper;
  readonly search: PageSearch;
}
