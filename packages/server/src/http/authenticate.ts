import type { IncomingHttpHeaders } from "node:http";

import type { Caller, Callers } from "../accounts/callers.ts";
import { UnauthorizedError } from "../api/errors.ts";

/** Identifies the caller, at once if it is remembered. @throws UnauthorizedError with the messages of contract section 4.1. */
export type Authenticate = (request: {
  readonly headers: IncomingHttpHeaders;
  /** Undefined for anything but requests of HTTP. */
  readonly method?: string | undefined;
}) => Caller | Promise<Caller>;

/** Open mode: all callers belong to the implicit team, with or without a key. */
export function openAuthentication(callers: Callers, teamId: string): Authenticate {
  return () => callers.ofTeam(teamId);
}

/** Keyed mode: a bearer key of a team is required. */
export function keyedAuthentication(callers: Callers): Authenticate {
  return ({ headers, method }) => {
    if (headers.authorization === undefined) throw new UnauthorizedError("Unauthorized");
    const bearer = /^Bearer +(\S+) *$/i.exec(headers.authorization)?.[1];
    const token = bearer ?? (method === "GET" ? passwordIn(headers.authorization) : undefined);
    if (token === undefined) throw new UnauthorizedError("Unauthorized: Token missing");
    const found = callers.byKey(token);
    return found instanceof Promise
      ? found.then((caller) => requireKnown(caller, token))
      : requireKnown(found, token);
  };
}

function requireKnown(caller: Caller | undefined, token: string): Caller {
  if (caller) return caller;
  const isOAuth = token.startsWith("fco_");
  throw new UnauthorizedError(`Unauthorized: Invalid ${isOAuth ? "or expired OAuth token" : "token"}`);
}

/** Feed readers know nothing but Basic. Only for GET, because browsers add such passwords to requests of other sites, too. */
function passwordIn(authorization: string): string | undefined {
  const encoded = /^Basic +([\w+/]{1,1000}={0,2}) *$/i.exec(authorization)?.[1] ?? "";
  return /:(fc-\S+)$/.exec(Buffer.from(encoded, "base64").toString("utf8"))?.[1];
}
