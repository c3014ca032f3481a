import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Caller } from "../accounts/callers.ts";
import { errorCodes } from "../api/error-codes.ts";
import {
  ConflictError,
  ForbiddenError,
  RateLimitError,
  ServiceError,
  UnauthorizedError,
} from "../api/errors.ts";
import { type Admission, admit } from "./admission.ts";
import type { Authenticate } from "./authenticate.ts";
import { throwEarlyRefusal } from "../scrape/early-answers.ts";
import { isPassedOn } from "./passing.ts";
import type { Shares } from "../files/shares.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Set before any handler below `/v2` runs. */
    caller: Caller;
  }
}

/** Checks that admit a request. */
interface EntryChecks extends Admission {
  readonly authenticate: Authenticate;
  /** When undefined, one team may use all connections. */
  readonly connections?: Shares | undefined;
  /** Called for every refused call. */
  readonly onRefused?: (call: Refused) => void;
}

export interface Refused {
  /** Undefined if the caller is unknown. */
  readonly caller: Caller | undefined;
  readonly address: string;
  readonly route: string;
  readonly code: string;
  readonly failure: unknown;
  readonly isPrivate: boolean;
}

/** Refusal statuses → names, for responses without a code of their own. */
const REFUSALS: Readonly<Record<number, string>> = {
  401: "unauthorized",
  402: "insufficient_credits",
  403: "forbidden",
  409: "conflict",
  429: "rate_limited",
};

const KINDS = [
  [UnauthorizedError, 401],
  [ForbiddenError, 403],
  [ConflictError, 409],
  [RateLimitError, 429],
] as const;

/** Name of a refusal where there is no status: in WebSockets, and in the Model Context Protocol. */
export function refusalOf(failure: unknown): string | undefined {
  if (failure instanceof ServiceError)
    return REFUSALS[errorCodes[failure.code].status] === undefined ? undefined : failure.code;
  const [, status] = KINDS.find(([kind]) => failure instanceof kind) ?? [];
  return status === undefined ? undefined : REFUSALS[status];
}

/** Adds routes for authenticated callers. The check comes before the body is read. */
export async function addAuthenticatedRoutes(
  app: FastifyInstance,
  checks: EntryChecks,
  addRoutes: (scope: FastifyInstance) => void,
): Promise<void> {
  await app.register(async (scope) => {
    scope.decorateRequest("caller", undefined as unknown as Caller);
    scope.addHook("onRequest", async (request, reply) => {
      request.caller = await checks.authenticate(request);
      throwEarlyRefusal(request.raw);
      refuseTooMany(request, reply, checks.connections);
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

/** @throws RateLimitError for a connection beyond the share of the team. */
function refuseTooMany(
  { caller, raw }: FastifyRequest,
  reply: FastifyReply,
  connections: Shares | undefined,
): void {
  if (!connections || isPassedOn(raw) || connections.take(caller.teamId, raw.socket)) return;
  reply.header("connection", "close");
  throw new RateLimitError("Too many connections of this team are open. Use those that are open again.", 1);
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
