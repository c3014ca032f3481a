import type { IncomingHttpHeaders } from "node:http";

import type { Caller, Callers } from "../accounts/callers.ts";
import { UnauthorizedError } from "../api/errors.ts";

/** Identifies the caller. @throws UnauthorizedError with the messages of contract section 4.1. */
export type Authenticate = (request: { readonly headers: IncomingHttpHeaders }) => Promise<Caller>;

/** Open mode: all callers belong to the implicit team, with or without a key. */
export function openAuthentication(callers: Callers, teamId: string): Authenticate {
  return () => callers.ofTeam(teamId);
}

/** Keyed mode: a bearer key of a team is required. */
export function keyedAuthentication(callers: Callers): Authenticate {
  return async ({ headers }) => {
    if (headers.authorization === undefined) throw new UnauthorizedError("Unauthorized");
    const token = /^Bearer +(\S+) *$/i.exec(headers.authorization)?.[1];
    if (token === undefined) throw new UnauthorizedError("Unauthorized: Token missing");
    const caller = await callers.byKey(token);
    if (caller) return caller;
    const isOAuth = token.startsWith("fco_");
    throw new UnauthorizedError(`Unauthorized: Invalid ${isOAuth ? "or expired OAuth token" : "token"}`);
  };
}
