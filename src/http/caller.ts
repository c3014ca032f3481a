import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Caller } from "../accounts/callers.ts";
import { type Admission, admit } from "./admission.ts";
import type { Authenticate } from "./authenticate.ts";
import { throwEarlyRefusal } from "./early-answers.ts";
import { REFUSALS, type Refused } from "./refusal.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Who calls. Set before any handler below `/v2` runs. */
    caller: Caller;
  }
}

/** What it takes to let a request pass. */
interface EntryChecks extends Admission {
  readonly authenticate: Authenticate;
  /** Told of every call that ended in a refusal. */
  readonly onRefused?: (call: Refused) => void;
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
      throwEarlyRefusal(request.raw);
      await admit(request, checks);
    });
    const { onRefused } = checks;
    if (onRefused)
      scope.addHook("onResponse", async (request, { statusCode }) => {
        const name = REFUSALS[statusCode];
        if (name !== undefined && request.thrown !== undefined) onRefused(refusedOf(request, name));
      });
    addRoutes(scope);
  });
}

function refusedOf(request: FastifyRequest, name: string): Refused {
  return {
    caller: request.caller,
    address: request.ip,
    route: request.routeOptions.url ?? "",
    code: request.failure ?? name,
    failure: request.thrown,
    isPrivate: request.isPrivate,
  };
}
