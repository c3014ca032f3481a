import type { FastifyInstance } from "fastify";

import type { Caller } from "../accounts/callers.ts";
import { type Admission, admit } from "./admission.ts";
import type { Authenticate } from "./authenticate.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls. Set before any handler below `/v2` runs. */
    caller: Caller;
  }
}

/** What it takes to let a request pass. */
interface EntryChecks extends Admission {
  readonly authenticate: Authenticate;
}

/** Adds routes that only authenticated callers reach. The check comes before the body is read. */
export async function addAuthenticatedRoutes(
  app: FastifyInstance,
  checks: EntryChecks,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.decorateRequest("caller", undefined as unknown as Caller);
    scope.addHook("onRequest", async (request) => {
      request.caller = await checks.authenticate(request);
      await admit(request, checks);
    });
    addRoutes(scope);
  });
}
