import type { FastifyRequest } from "fastify";

import { UnauthorizedError } from "../contract/errors.ts";
import type { Caller } from "../scrape/job.ts";

/** Looks an API key up; undefined when it is unknown or revoked. */
export type VerifyKey = (apiKey: string) => Promise<Caller | undefined>;

/** Finds out who calls. @throws UnauthorizedError in the words of contract section 4.1. */
export type Authenticate = (request: FastifyRequest) => Promise<Caller> | Caller;

/** Open mode: whoever calls belongs to the implicit team, with or without a key. */
export function openAuthentication(teamId: string): Authenticate {
  const caller: Caller = { teamId };
  return () => caller;
}

/** Keyed mode: a bearer key of a team is required. */
export function keyedAuthentication(verifyKey: VerifyKey): Authenticate {
  return async ({ headers }) => {
    if (headers.authorization === undefined) throw new UnauthorizedError("Unauthorized");
    const token = /^Bearer +(\S+) *$/i.exec(headers.authorization)?.[1];
    if (token === undefined) throw new UnauthorizedError("Unauthorized: Token missing");
    const caller = await verifyKey(token);
    if (caller) return caller;
    const isOAuth = token.startsWith("fco_");
    throw new UnauthorizedError(`Unauthorized: Invalid ${isOAuth ? "or expired OAuth token" : "token"}`);
  };
}
