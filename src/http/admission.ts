import { isIP } from "node:net";

import type { FastifyRequest } from "fastify";

import type { Caller } from "../accounts/callers.ts";
import type { Limits, RequestKind } from "../accounts/limits.ts";
import type { Endpoint } from "../accounts/restrictions.ts";
import { ForbiddenError, ServiceError } from "../contract/errors.ts";
import type { Pressure } from "../kit/pressure.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What keys may be restricted to. Default: account. */
    endpoint?: Endpoint;
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
 * Lets a known caller pass, or not (contract, section 4.1: first the rate, then the key's restrictions).
 * @throws RateLimitError and ForbiddenError; ServiceError OVERLOADED when one more would hurt those under way.
 */
export function admit({ caller, ip, routeOptions }: FastifyRequest, { limits, pressure }: Admission): void {
  const { endpoint = "account", counts = "status" } = routeOptions.config;
  limits.countRequest(caller, counts);
  refuseEndpoint(caller, endpoint);
  refuseAddress(caller, ip);
  if (counts === "scrape") refuseOverload(pressure);
}

function refuseEndpoint({ restrictions: { endpoints } }: Caller, endpoint: Endpoint): void {
  if (!endpoints || endpoints.includes(endpoint)) return;
  throw new ForbiddenError(
    `Request blocked: this API key is restricted to the following endpoints: ${endpoints.join(", ")}.`,
  );
}

function refuseAddress({ allowedIps }: Caller, ip: string): void {
  if (!allowedIps) return;
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, "");
  const family = isIP(address) === 6 ? "ipv6" : "ipv4";
  if (allowedIps.check(address, family)) return;
  throw new ForbiddenError(`Request blocked: IP address ${address} is not on this team's allowed IP list.`);
}

function refuseOverload(pressure: Pressure): void {
  if (pressure.reason() === undefined) return;
  throw new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
