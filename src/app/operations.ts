import type { FastifyInstance } from "fastify";

import type { Administration } from "../accounts/administration.ts";
import { insightOperations } from "../admin/insights.ts";
import { deliveryOperations } from "../admin/jobs/deliveries.ts";
import { downloadOperations } from "../admin/jobs/downloads.ts";
import { agentSteps } from "../admin/jobs/agent-steps.ts";
import { jobOperations } from "../admin/jobs/jobs.ts";
import { keyOperations } from "../admin/keys.ts";
import { operatorMonitorOperations } from "../admin/monitors.ts";
import { providerOperations } from "../admin/providers.ts";
import { requestList } from "../admin/requests/request-list.ts";
import { teamOperations } from "../admin/teams.ts";
import { toolRequestOperations } from "../admin/tool-requests.ts";
import type { Config } from "../config/config.ts";
import type { Access, OperationDescription } from "../contract/operation.ts";
import type { LiveStatus } from "../contract/operator/overview.ts";
import { addOperations } from "../http/add-operations.ts";
import type { Metrics } from "../http/metrics.ts";
import { accountActivity, currentActivity } from "../http/operations/account-activity.ts";
import { accountUsage, usageHistory } from "../http/operations/account-usage.ts";
import { exchange } from "../http/operations/exchange.ts";
import { giveFeedback, giveSearchFeedback } from "../http/operations/feedback.ts";
import { readFile } from "../http/operations/files.ts";
import { healthOperations, type HealthServices, readMetrics } from "../http/operations/health.ts";
import { interactOperations } from "../http/operations/interact.ts";
import { probes } from "../http/operations/probes.ts";
import { profileOperations } from "../http/operations/profiles.ts";
import { type Reference, referenceOperations } from "../http/operations/reference.ts";
import { scraping } from "../http/operations/scrape.ts";
import { threatProtection } from "../http/operations/threat-protection.ts";
import { agentOperations } from "../families/agent/agent-operations.ts";
import { batchOperations } from "../families/batch/batch-operations.ts";
import { crawlOperations } from "../families/crawl/crawl-operations.ts";
import { extractOperations } from "../families/extract/extract-operations.ts";
import { mapOperation } from "../families/map/map-operation.ts";
import { checkOperations } from "../families/monitor/check-operations.ts";
import { mailOperations } from "../families/monitor/mail-operations.ts";
import { monitorOperations } from "../families/monitor/monitor-operations.ts";
import { searchOperation } from "../families/search/search-operation.ts";
import { parseOperations } from "../families/parse/parse-operations.ts";
import { usage1 } from "../http/v1/account.ts";
import { batch1 } from "../http/v1/batch.ts";
import { crawl1 } from "../http/v1/crawl.ts";
import { extract1 } from "../http/v1/extract.ts";
import { map1 } from "../http/v1/map.ts";
import { sameInVersion1 } from "../http/v1/same.ts";
import { search1 } from "../http/v1/search.ts";
import { scrape1 } from "../http/v1/scrape.ts";
import { endpointsOf } from "../operations/endpoints.ts";
import type { Operation } from "../operations/operation.ts";
import type { CachedAnswers } from "../scrape/cached-answers.ts";
import type { RunServices } from "../scrape/run.ts";
import type { RequestFilter, RequestPage } from "../stores/scrapes/record-search.ts";
import type { Accounts } from "./accounts.ts";
import type { Families } from "./families.ts";
import type { InteractPart } from "./interact.ts";
import type { RetainedData } from "./retained-data.ts";
import type { Stores } from "./stores.ts";
import type { OpenedTools } from "./tools.ts";

/** The service, as far as operations work with it. */
export interface ServiceParts {
  readonly config: Config;
  readonly stores: Stores;
  readonly accounts: Accounts;
  readonly administration: Administration;
  readonly kept: RetainedData;
  readonly services: RunServices;
  readonly cachedAnswers: CachedAnswers;
  readonly families: Families;
  readonly tools: OpenedTools;
  readonly interact: InteractPart;
  readonly metrics: Metrics;
  readonly health: HealthServices;
  readonly reference: Reference;
  readonly requests: (filter: RequestFilter) => Promise<RequestPage>;
  /** The state of the service. */
  readonly status: () => Omit<LiveStatus, "fetchingLimit" | "sessions" | "viewers">;
}

/** Operations that work with the same services. */
interface OperationGroup {
  readonly operations: readonly OperationDescription[];
  /** Adds the routes of those that this access is for. */
  addTo(app: FastifyInstance, parts: ServiceParts, access: Access): void;
}

function group<Services>(
  operations: readonly Operation<Services>[],
  servicesOf: (parts: ServiceParts) => Services,
): OperationGroup {
  return {
    operations,
    addTo(app, parts, access) {
      const chosen = operations.filter((operation) => operation.access === access);
      addOperations(app, chosen, servicesOf(parts), parts.config.server.publicUrl);
    },
  };
}

/** The operations for everyone and for teams, one line per group, in the order of the reference. */
const publicGroups = [
  group(scraping, ({ services, tools, config, cachedAnswers }) => ({
    services,
    tools,
    showsTimings: isDebugging(config),
    cachedAnswers,
  })),
  group([mapOperation], ({ families }) => families.map),
  group(crawlOperations, ({ families }) => families.crawl),
  group(batchOperations, ({ families }) => families.batch),
  group([searchOperation], ({ families }) => families.search),
  group(extractOperations, ({ families }) => families.extract),
  group([...monitorOperations, ...checkOperations], ({ families }) => families.monitor),
  group(mailOperations, ({ families }) => families.monitor),
  group(parseOperations, ({ families }) => families.parse),
  group(agentOperations, ({ families }) => families.agent),
  group([readFile], ({ kept }) => kept.files),
  group(exchange, ({ tools }) => tools),
  group(profileOperations, ({ kept }) => kept.profiles),
  group(interactOperations, ({ interact }) => interact.load),
  group(accountUsage, usageServices),
  group(accountActivity, activityServices),
  group(threatProtection, ({ stores: { database }, accounts: { callers, audit } }) => ({
    database,
    callers,
    audit,
  })),
  group([giveFeedback, giveSearchFeedback], ({ kept }) => kept),
  group(healthOperations, ({ health }) => health),
  group(probes, ({ config }) => ({ isProduction: config.accounts.auth === "keys" })),
  group(referenceOperations, ({ reference }) => reference),
  group([readMetrics], ({ metrics }) => metrics),
];

/** The same for clients of version 1, where that is on. */
const version1Groups = [
  group([scrape1], ({ services }) => services),
  group([map1], ({ families }) => families.map),
  group([search1], ({ families }) => families.search),
  group(crawl1, ({ families }) => families.crawl),
  group(batch1, ({ families }) => families.batch),
  group(extract1, ({ families }) => families.extract),
  group(usage1, ({ accounts: { credits } }) => ({ credits })),
  group(sameInVersion1(usageHistory), usageServices),
  group(sameInVersion1(currentActivity), activityServices),
];

/** What keys can be restricted to. */
export const endpoints = endpointsOf(publicGroups.flatMap(({ operations }) => operations));

/** What the operator can do without the dashboard, too. */
const operatorGroups = [
  group(teamOperations, ({ administration }) => administration),
  group(keyOperations(endpoints), ({ administration }) => administration),
  group([requestList], ({ requests }) => ({ requests })),
  group(insightOperations, ({ administration, kept: { feedback }, status }) => ({
    administration,
    feedback,
    status,
  })),
  group(jobOperations, ({ families }) => families.runs),
  group([agentSteps], ({ families }) => families.runs),
  group(downloadOperations, ({ families }) => families.runs),
  group(deliveryOperations, ({ families }) => families.runs),
  group(operatorMonitorOperations, ({ families: { monitor }, accounts: { callers }, kept: { records } }) => ({
    ...monitor,
    callers,
    records,
  })),
  group(providerOperations, ({ tools, accounts: { callers, team } }) => ({
    tools,
    callers,
    defaultTeamId: team.id,
    own: tools.own,
  })),
  group(toolRequestOperations, ({ tools }) => ({ tools })),
];

/** Every operation but those of the dashboard, which are loaded with it. */
export const operationGroups: readonly OperationGroup[] = [
  ...publicGroups,
  ...version1Groups,
  ...operatorGroups,
];

/** Those that these settings leave on. */
export function servedGroups({ server: { hasVersion1 } }: Config): readonly OperationGroup[] {
  const isOff = (one: OperationGroup) => !hasVersion1 && version1Groups.includes(one);
  return operationGroups.filter((one) => !isOff(one));
}

function usageServices({ stores: { database }, accounts: { credits } }: ServiceParts) {
  return { database, credits };
}

function activityServices({ kept: { records }, accounts: { limits }, config }: ServiceParts) {
  return { records, limits, scrapeConcurrency: config.scraping.concurrency };
}

function isDebugging({ logging: { level } }: Config): boolean {
  return level === "debug" || level === "trace";
}
