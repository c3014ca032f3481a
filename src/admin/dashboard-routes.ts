import type { FastifyInstance } from "fastify";

import { addBrowserSessionRoutes, type BrowserSessionRoutes } from "./browser-sessions.ts";
import { addEventsRoute } from "./events.ts";
import { addOverviewRoute, type OverviewRoutes } from "./overview.ts";
import { addRequestRoutes, type RequestRoutes } from "./request-routes.ts";
import { addSettingRoutes, type SettingRoutes } from "./settings.ts";
import { addStorageRoutes, type StorageRoutes } from "./storage.ts";
import { addUsageRoutes, type UsageRoutes } from "./usage.ts";
import { addSetupRoute, type SetupRoutes } from "./setup.ts";
import { addLoginRoute, addSessionRoutes, type SessionRoutes } from "./session-routes.ts";

export { EventStream } from "./event-stream.ts";
export { LoginTries } from "./login-tries.ts";
export { showRecord } from "./show-request.ts";
export { OperatorDoor } from "./operator-door.ts";

export interface DashboardRoutes
  extends
    SessionRoutes,
    OverviewRoutes,
    SetupRoutes,
    RequestRoutes,
    UsageRoutes,
    StorageRoutes,
    BrowserSessionRoutes,
    SettingRoutes {}

/** What the operator's pages ask for, beside what scripts do. */
export function addDashboardRoutes(app: FastifyInstance, routes: DashboardRoutes): void {
  app.decorateRequest("operatorSession", undefined);
  addLoginRoute(app, routes);
  void app.register(async (scope) => {
    scope.addHook("onRequest", (request) => routes.door.require(request));
    addSessionRoutes(scope, routes);
    addOverviewRoute(scope, routes);
    addSetupRoute(scope, routes);
    addEventsRoute(scope, routes.stream);
    addRequestRoutes(scope, routes);
    addUsageRoutes(scope, routes);
    addStorageRoutes(scope, routes);
    addBrowserSessionRoutes(scope, routes);
    addSettingRoutes(scope, routes);
  });
}
