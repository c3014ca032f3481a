import type { Operation } from "../api/operation.ts";
import { auditLogOperations, type AuditLogServices } from "../accounts/operator/audit-log.ts";
import { ownerOperations, type OwnerServices } from "../accounts/operator/owners.ts";
import { backupOperations, type BackupServices } from "./backups.ts";
import { browserSessionOperations, type BrowserSessionServices } from "../interact/operator.ts";
import { events, type EventServices } from "./events.ts";
import { login, loginOperations, type LoginServices } from "./logins.ts";
import { nodes, type NodeServices } from "./nodes.ts";
import { overview, type OverviewServices } from "./overview.ts";
import { requestOperations, type RequestServices } from "../history/operator/requests.ts";
import { settingOperations, type SettingServices } from "./settings.ts";
import { currentIncidents, type IncidentServices } from "./health/incidents.ts";
import { setup, type SetupServices } from "./health/setup.ts";
import { cacheOperations, type CacheServices } from "./cache.ts";
import { operatorProfileOperations, type ProfileServices } from "../profiles/operator.ts";
import { usageOperations, type UsageServices } from "./usage/usage.ts";

export { EventStream } from "./event-stream.ts";
export { watchJobs } from "../jobs/operator/job-news.ts";
export { LoginTries } from "./login-tries.ts";
export { watchingNodes } from "./news-of-nodes.ts";
export { showRecord } from "../history/operator/show-request.ts";
export { OperatorAuth } from "./operator-auth.ts";
export { Incidents } from "./health/incidents.ts";
export { Setup } from "./health/setup.ts";

export interface DashboardServices
  extends
    LoginServices,
    OverviewServices,
    SetupServices,
    IncidentServices,
    EventServices,
    RequestServices,
    UsageServices,
    ProfileServices,
    CacheServices,
    BrowserSessionServices,
    SettingServices,
    AuditLogServices,
    OwnerServices,
    BackupServices,
    NodeServices {}

/** Operations that only the dashboard uses, besides those for scripts. */
export const dashboardOperations: readonly Operation<DashboardServices>[] = [
  login,
  ...loginOperations,
  overview,
  setup,
  currentIncidents,
  events,
  ...requestOperations,
  ...usageOperations,
  ...operatorProfileOperations,
  ...cacheOperations,
  ...settingOperations,
  nodes,
  ...auditLogOperations,
  ...ownerOperations,
  ...backupOperations,
  ...browserSessionOperations,
];
