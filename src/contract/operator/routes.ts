import type { z } from "zod";

import type { Shape } from "../operation.ts";
import type * as agents from "./agents.ts";
import type * as auditLog from "./audit-log.ts";
import type * as backups from "./backups.ts";
import type * as browserSessions from "./browser-sessions.ts";
import type * as compare from "./compare.ts";
import type * as deliveries from "./deliveries.ts";
import type * as jobs from "./jobs.ts";
import type * as keys from "./keys.ts";
import type * as monitors from "./monitors.ts";
import type * as nodes from "./nodes.ts";
import type * as overview from "./overview.ts";
import type * as requestPage from "./request-page.ts";
import type * as requests from "./requests.ts";
import type * as session from "./session.ts";
import type * as settings from "./settings.ts";
import type * as storage from "./storage.ts";
import type * as teams from "./teams.ts";
import type * as tools from "./tool-operations.ts";
import type * as usage from "./usage.ts";

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
