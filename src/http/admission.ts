import { isIP } from "node:net";

import type { FastifyRequest } from "fastify";

import type { Caller } from "../accounts/callers.ts";
import type { Limits, RequestKind } from "../accounts/limits.ts";
import type { Endpoint } from "../accounts/restrictions.ts";
import { ForbiddenError, ServiceError } from "../contract/errors.ts";
import type { Pressure } from "../kit/pressure.ts";
import { unmapAddress } from "../platform/net/addresses.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What keys may be restricted to. Default: account. `decided-later`: the handler asks `admitWork`. */
    endpoint?: Endpoint | "decided-later";
    /** What the request counts as. Default: status. */
    counts?: RequestKind;
  }
}

export interface Admission {
  readonly limits: Limits;
  readonly pressure: Pressure;
}

const RETRY_AFTER_SECONDS = 2;

/**
 * Lets a known caller pass, or not (contract, section 4.1: first the rate, then bans, then the key's restrictions).
 * @throws RateLimitError and ForbiddenError; ServiceError OVERLOADED when one more would hurt those under way.
 */
export async function admit(
  { caller, ip, routeOptions }: FastifyRequest,
  { limits, pressure }: Admission,
): Promise<void> {
  const { endpoint = "account", counts = "status" } = routeOptions.config;
  await limits.countRequest(caller, counts);
  refuseBanned(caller);
  if (endpoint !== "decided-later") refuseEndpoint(caller, endpoint);
  refuseAddress(caller, ip);
  if (counts === "scrape") refuseOverload(pressure);
}

/** One piece of work that a request turned out to ask for. */
interface RequestedWork {
  readonly endpoint: Endpoint;
  /** Whether it counts as a scrape. */
  readonly isWork: boolean;
}

/** Lets a request that has passed go on to a piece of work, or not. @throws as `admit`. */
export async function admitWork(
  caller: Caller,
  { endpoint, isWork }: RequestedWork,
  { limits, pressure }: Admission,
): Promise<void> {
  if (isWork) await limits.countRequest(caller, "scrape");
  refuseEndpoint(caller, endpoint);
  if (isWork) refuseOverload(pressure);
}

function refuseBanned({ team, restrictions }: Caller): void {
  if (!team.flags.banned && !restrictions.banned) return;
  const whom = team.flags.banned ? "team" : "API key";
  throw new ForbiddenError(`Forbidden: this ${whom} has been banned by the operator of this service.`);
}

function refuseEndpoint({ restrictions: { endpoints } }: Caller, endpoint: Endpoint): void {
  if (!endpoints || endpoints.includes(endpoint)) return;
  throw new ForbiddenError(
    `Request blocked: this API key is restricted to the following endpoints: ${endpoints.join(", ")}.`,
  );
}

function refuseAddress({ allowedIps }: Caller, ip: string): void {
  if (!allowedIps) return;
  // A reverse proxy may say anything.
  const address = unmapAddress(ip.replace(/%.*$/, ""));
  const family = isIP(address);
  if (family !== 0 && allowedIps.check(address, family === 6 ? "ipv6" : "ipv4")) return;
  throw new ForbiddenError(`Request blocked: IP address ${address} is not on this team's allowed IP list.`);
}

function refuseOverload(pressure: Pressure): void {
  if (pressure.reason() === undefined) return;
  throw new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
