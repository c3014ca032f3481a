import type { FastifyInstance } from "fastify";

import { addLoginRoute, addSessionRoutes, type SessionRoutes } from "./session-routes.ts";

export { LoginTries } from "./login-tries.ts";
export { OperatorDoor } from "./operator-door.ts";

export type DashboardRoutes = SessionRoutes;

/** What the operator's pages ask for, beside what scripts do. */
export function addDashboardRoutes(app: FastifyInstance, routes: DashboardRoutes): void {
  app.decorateRequest("operatorSession", undefined);
  addLoginRoute(app, routes);
  void app.register(async (scope) => {
    scope.addHook("onRequest", (request) => routes.door.require(request));
    addSessionRoutes(scope, routes);
  });
}
