import type { z } from "zod";

import type { Shape } from "../api/operation-shape.ts";
import type { auditLogOperations } from "../accounts/operator/audit-log.ts";
import type { ownerOperations } from "../accounts/operator/owners.ts";
import type { backupOperations } from "./backups.ts";
import type { browserSessionOperations } from "../interact/operator.ts";
import type { insightOperations } from "./usage/insights.ts";
import type { agentSteps } from "../agent/operator.ts";
import type { deliveryOperations } from "../jobs/operator/deliveries.ts";
import type { jobOperations } from "../jobs/operator/jobs.ts";
import type { keyOperations } from "../accounts/operator/keys.ts";
import type { login, loginOperations } from "./logins.ts";
import type { operatorMonitorOperations } from "../monitor/operator.ts";
import type { nodes } from "./nodes.ts";
import type { overview } from "./overview.ts";
import type { providerOperations } from "../tools/operator/providers.ts";
import type { requestList } from "../history/operator/request-list.ts";
import type { requestOperations } from "../history/operator/requests.ts";
import type { settingOperations } from "./settings.ts";
import type { currentIncidents } from "./health/incidents.ts";
import type { setup } from "./health/setup.ts";
import type { cacheOperations } from "./cache.ts";
import type { operatorProfileOperations } from "../profiles/operator.ts";
import type { teamOperations } from "../accounts/operator/teams.ts";
import type { toolRequestOperations } from "../tools/operator/tool-requests.ts";
import type { usageOperations } from "./usage/usage.ts";

type Operations =
  | (typeof auditLogOperations)[number]
  | (typeof ownerOperations)[number]
  | (typeof backupOperations)[number]
  | (typeof browserSessionOperations)[number]
  | (typeof insightOperations)[number]
  | typeof agentSteps
  | (typeof deliveryOperations)[number]
  | (typeof jobOperations)[number]
  | ReturnType<typeof keyOperations>[number]
  | typeof login
  | (typeof loginOperations)[number]
  | (typeof operatorMonitorOperations)[number]
  | typeof nodes
  | typeof overview
  | (typeof providerOperations)[number]
  | typeof requestList
  | (typeof requestOperations)[number]
  | (typeof settingOperations)[number]
  | typeof setup
  | typeof currentIncidents
  | (typeof cacheOperations)[number]
  | (typeof operatorProfileOperations)[number]
  | (typeof teamOperations)[number]
  | (typeof toolRequestOperations)[number]
  | (typeof usageOperations)[number];

type RouteOf<Operation> = (Operation extends { query: infer Query extends z.ZodType }
  ? { query: z.input<Query> }
  : unknown) &
  (Operation extends { body: Shape<infer Body> } ? { body: z.input<Body> } : unknown) &
  (Operation extends { answer: Shape<infer Answer> } ? { answer: z.output<Answer> } : never);

/**
 * The dashboard's operations by `METHOD path`, for a typed client. Operations whose answers are not JSON are
 * left out.
 */
export type OperatorRoutes = {
  [Operation in Operations as Operation["line"]]: RouteOf<Operation>;
};
