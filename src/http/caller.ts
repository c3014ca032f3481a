import type { FastifyInstance } from "fastify";

import type { Caller } from "../scrape/job.ts";
import type { Authenticate } from "./authenticate.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls. Set before any handler below `/v2` runs. */
    caller: Caller;
  }
}

/** Adds routes that only authenticated callers reach. The check comes before the body is read. */
export async function addAuthenticatedRoutes(
  app: FastifyInstance,
  authenticate: Authenticate,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.decorateRequest("caller", undefined as unknown as Caller);
    scope.addHook("onRequest", async (request) => {
      request.caller = await authenticate(request);
    });
    addRoutes(scope);
  });
}
