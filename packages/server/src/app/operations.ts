import type { FastifyInstance } from "fastify";

import { insightOperations } from "../operator/usage/insights.ts";
import { agentSteps } from "../agent/operator.ts";
import { deliveryOperations } from "../jobs/operator/deliveries.ts";
import { downloadOperations } from "../jobs/operator/downloads.ts";
import { jobOperations } from "../jobs/operator/jobs.ts";
import { keyOperations } from "../accounts/operator/keys.ts";
import { operatorMonitorOperations } from "../monitor/operator.ts";
import { providerOperations } from "../tools/operator/providers.ts";
import { requestList } from "../history/operator/request-list.ts";
import { teamOperations } from "../accounts/operator/teams.ts";
import { toolRequestOperations } from "../tools/operator/tool-requests.ts";
import type { Config } from "../config/config.ts";
import type { Access, OperationDescription } from "../api/operation-shape.ts";
import { addOperations } from "../http/add-operations.ts";
import { accountActivity, currentActivity } from "../accounts/activity-operations.ts";
import { accountUsage, usageHistory } from "../accounts/usage-operations.ts";
import { exchange } from "../tools/exchange-operation.ts";
import { giveFeedback, giveSearchFeedback } from "../history/feedback-operations.ts";
import { readFile } from "../files/operations.ts";
import { healthOperations, readMetrics } from "../operator/health/operations.ts";
import { interactOperations } from "../interact/operations.ts";
import { probes } from "../operator/health/probes.ts";
import { profileOperations } from "../profiles/operations.ts";
import { type Reference, referenceOperations } from "../http/reference.ts";
import { readScrape, scraping } from "../scrape/operations.ts";
import { threatProtection } from "../accounts/threat-operations.ts";
import { mapOperation } from "../map/operation.ts";
import { monitor } from "../monitor/monitor.ts";
import { searchOperation } from "../search/operation.ts";
import { parseOperations } from "../parse/operations.ts";
import { usage1 } from "../accounts/version-1.ts";
import { batch1 } from "../batch/version-1.ts";
import { crawl1 } from "../crawl/version-1.ts";
import { extract1 } from "../extract/version-1.ts";
import { map1 } from "../map/version-1.ts";
import { sameInVersion1 } from "../api/version-1.ts";
import { scrape1 } from "../scrape/version-1.ts";
import { search1 } from "../search/version-1.ts";
import { endpointsOf } from "../api/endpoints.ts";
import type { Operation } from "../api/operation.ts";
import type { CachedAnswers } from "../scrape/cached-answers.ts";
import type { Context } from "../config/context.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import type { ServiceContext } from "./app.ts";
import { jobKinds } from "./job-kinds.ts";

/** The service, as far as operations use it. */
export type ServiceParts = ServiceContext & {
  readonly cachedAnswers: CachedAnswers;
  readonly reference: Reference;
};

/** Operations that use the same services. */
interface OperationGroup {
  readonly operations: readonly OperationDescription[];
  /** Adds the routes of the operations with this access. */
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

function scrapeServices({ services, tools, config, cachedAnswers }: ServiceParts) {
  return { services, tools, showsTimings: isDebugging(config), cachedAnswers };
}

/** Operations for everyone and for teams, one line per group, in the order of the reference. */
const publicGroups = (kinds: readonly JobKind[]): readonly OperationGroup[] => [
  group(scraping, scrapeServices),
  group([mapOperation], ({ families }) => families.map),
  ...kinds.map(({ operations }) => group(operations, ({ families }) => families.jobs)),
  group([searchOperation], ({ families }) => families.search),
  group(parseOperations, ({ families }) => families.parse),
  group([readFile], ({ files }) => files),
  group(exchange, ({ tools }) => tools),
  group(profileOperations, ({ profiles }) => profiles),
  group(interactOperations, ({ interact }) => interact.load),
  group(accountUsage, (parts) => parts),
  group(accountActivity(kinds), activityServices),
  group(threatProtection, (parts) => parts),
  group([giveFeedback, giveSearchFeedback], (parts) => parts),
  group(healthOperations, ({ readiness }) => readiness),
  group(probes, ({ config }) => ({ isProduction: config.accounts.auth === "keys" })),
  group(referenceOperations, ({ reference }) => reference),
  group([readMetrics], ({ metrics }) => metrics),
];

/** The same operations for clients of version 1, where that is enabled. */
const version1Groups = [
  group([scrape1], ({ services }) => services),
  group(sameInVersion1([readScrape]), scrapeServices),
  group([map1], ({ families }) => families.map),
  group([search1], ({ families }) => families.search),
  group(crawl1.operations, ({ families }) => families.jobs),
  group(batch1.operations, ({ families }) => families.jobs),
  group(extract1.operations, ({ families }) => families.jobs),
  group(usage1, (parts) => parts),
  group(sameInVersion1(usageHistory), (parts) => parts),
  group(sameInVersion1(currentActivity), activityServices),
];

/** Endpoints to which keys can be restricted. */
export const endpoints = endpointsOf(publicGroups(jobKinds).flatMap(({ operations }) => operations));

/** Operator operations that do not need the dashboard. */
const operatorGroups = [
  group(teamOperations, ({ administration }) => administration),
  group(keyOperations(endpoints), ({ administration }) => administration),
  group([requestList], (parts) => parts),
  group(insightOperations, (parts) => parts),
  group(jobOperations, ({ families }) => families.runs),
  group([agentSteps], ({ families }) => families.runs),
  group(downloadOperations, ({ families }) => families.runs),
  group(deliveryOperations, ({ families }) => families.runs),
  group(operatorMonitorOperations, ({ families, callers, records }) => ({
    ...monitor.at(families.jobs),
    callers,
    records,
  })),
  group(providerOperations, ({ tools, callers, team }) => ({
    tools,
    callers,
    defaultTeamId: team.id,
    own: tools.own,
  })),
  group(toolRequestOperations, (parts) => parts),
];

/** Every operation except the dashboard's, which are loaded with it. */
export const operationGroups: readonly OperationGroup[] = [
  ...publicGroups(jobKinds),
  ...version1Groups,
  ...operatorGroups,
];

/** Groups that the settings enable. */
export function servedGroups({
  config,
  kinds,
}: Pick<Context, "config" | "kinds">): readonly OperationGroup[] {
  return [...publicGroups(kinds), ...(config.server.hasVersion1 ? version1Groups : []), ...operatorGroups];
}

function activityServices({ records, limits, config }: ServiceParts) {
  return { records, limits, scrapeConcurrency: config.scraping.concurrency };
}

function isDebugging({ logging: { level } }: Config): boolean {
  return level === "debug" || level === "trace";
}
