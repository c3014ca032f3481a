import type { z } from "zod";

import type { Shape } from "../api/operation-shape.ts";
import type * as agents from "../agent/operator-shapes.ts";
import type * as auditLog from "../accounts/operator/audit-log-shapes.ts";
import type * as backups from "./backups-shapes.ts";
import type * as browserSessions from "../interact/operator-shapes.ts";
import type * as compare from "../history/operator/compare-shapes.ts";
import type * as deliveries from "../jobs/operator/deliveries-shapes.ts";
import type * as jobs from "../jobs/operator/jobs-shapes.ts";
import type * as keys from "../accounts/operator/keys-shapes.ts";
import type * as monitors from "../monitor/operator-shapes.ts";
import type * as nodes from "./nodes-shapes.ts";
import type * as overview from "./overview-shapes.ts";
import type * as requestPage from "../history/operator/request-page-shapes.ts";
import type * as requests from "../history/operator/requests-shapes.ts";
import type * as session from "./session-shapes.ts";
import type * as settings from "./settings-shapes.ts";
import type * as storage from "./storage-shapes.ts";
import type * as teams from "../accounts/operator/teams-shapes.ts";
import type * as tools from "../tools/operator/tool-operations-shapes.ts";
import type * as usage from "./usage-shapes.ts";

type Modules =
  | typeof agents
  | typeof auditLog
  | typeof backups
  | typeof browserSessions
  | typeof compare
  | typeof deliveries
  | typeof jobs
  | typeof keys
  | ReturnType<typeof keys.keyDescriptions>
  | typeof monitors
  | typeof nodes
  | typeof overview
  | typeof requestPage
  | typeof requests
  | typeof session
  | typeof settings
  | typeof storage
  | typeof teams
  | typeof tools
  | typeof usage;

/** Descriptions of operations that a module exports. */
type DescriptionsOf<Module> = Module extends object ? Extract<Module[keyof Module], { line: string }> : never;
type Described = DescriptionsOf<Modules>;

type RouteOf<Description> = (Description extends { query: infer Query extends z.ZodType }
  ? { query: z.input<Query> }
  : unknown) &
  (Description extends { body: Shape<infer Body> } ? { body: z.input<Body> } : unknown) &
  (Description extends { answer: Shape<infer Answer> } ? { answer: z.output<Answer> } : never);

/** What the dashboard asks the service, by `METHOD path`, for a typed client. Answers that are not JSON are left out. */
export type OperatorRoutes = {
  [Description in Described as Description["line"]]: RouteOf<Description>;
};
