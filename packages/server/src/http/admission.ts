import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

import type { FastifyContextConfig } from "fastify";

import type { Caller } from "../accounts/callers.ts";
import type { Credits } from "../accounts/credits.ts";
import type { Limits } from "../accounts/limits.ts";
import { bannedError } from "../accounts/revocations.ts";
import { mayRead } from "../api/key-restrictions.ts";
import { ForbiddenError, ServiceError } from "../api/errors.ts";
import { rateClasses, type RateClassName } from "../api/rate-classes.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import type { Pressure } from "@pergamon-dev/kit/pressure";
import { DEFAULT_ENDPOINT } from "../api/endpoints.ts";
import { unmapAddress } from "../net/guard/addresses.ts";
import { isPassedOn } from "./passing.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Endpoint for key restrictions. Default: account. */
    endpoint?: string | undefined;
    /** Rate class of the request. Default: status. */
    rate?: RateClassName | undefined;
    /** True when the team must have credits. */
    isPaid?: boolean | undefined;
    /** The handler calls `admitWork`, once it knows the endpoint. */
    isDecidedLater?: boolean;
  }
}

export interface Admission {
  readonly limits: Limits;
  readonly pressure: Pressure;
  readonly credits: Pick<Credits, "requireAny">;
}

const RETRY_AFTER_SECONDS = 2;
const DEFAULT_RATE = "status";

/**
 * Endpoints that show page texts outside any format. A key that names formats cannot use them by default.
 * With `format`, keys that may read this format can use the endpoint.
 */
const ENDPOINTS_BESIDE_FORMATS: Readonly<Record<string, { readonly why: string; readonly format?: string }>> =
  {
    interact: { why: "a live page shows all of them" },
    agent: { why: "an agent answers in json", format: "json" },
  };

/** The properties of a request that decide about its admission. */
interface Comer {
  readonly caller: Caller;
  readonly ip: string;
  readonly raw: IncomingMessage;
  readonly routeOptions: { readonly config: FastifyContextConfig };
}

/**
 * Admits a known caller (contract, section 4.1: first the rate, then bans, the key's restrictions, and
 * credits).
 * @returns a promise only when something has to be waited for.
 * @throws RateLimitError and ForbiddenError; ServiceError OVERLOADED when one more request would hurt running
 * ones, and insufficient_credits when no credits are left.
 */
export function admit(comer: Comer, admission: Admission): Promise<void> | undefined {
  const { caller, raw, routeOptions } = comer;
  const counting = isPassedOn(raw)
    ? undefined
    : admission.limits.countRequest(caller, routeOptions.config.rate ?? DEFAULT_RATE);
  return counting ? counting.then(() => admitCounted(comer, admission)) : admitCounted(comer, admission);
}

function admitCounted(
  { caller, ip, routeOptions: { config } }: Comer,
  { pressure, credits }: Admission,
): Promise<void> | undefined {
  const { endpoint = DEFAULT_ENDPOINT, rate = DEFAULT_RATE, isPaid, isDecidedLater } = config;
  refuseBanned(caller);
  if (!isDecidedLater) refuseEndpoint(caller, endpoint);
  refuseAddress(caller, ip);
  if (rateClasses[rate].isWork) refuseOverload(pressure);
  return isPaid ? credits.requireAny(caller.payer) : undefined;
}

/** Work that a request turned out to start. */
interface RequestedWork {
  readonly endpoint: string;
  /** Rate class of the work. Work needs credits. */
  readonly rate: RateClassName;
  /** True when another process has counted it. */
  readonly isCounted?: boolean;
}

/** Admits an accepted request to a piece of work. @throws as `admit`. */
export async function admitWork(
  caller: Caller,
  { endpoint, rate, isCounted = false }: RequestedWork,
  { limits, pressure, credits }: Admission,
): Promise<void> {
  const { isWork } = rateClasses[rate];
  if (isWork && !isCounted) await limits.countRequest(caller, rate);
  refuseEndpoint(caller, endpoint);
  if (!isWork) return;
  refuseOverload(pressure);
  await credits.requireAny(caller.payer);
}

function refuseBanned({ team, restrictions }: Caller): void {
  if (!team.flags.banned && !restrictions.banned) return;
  throw bannedError(team.flags.banned ? "team" : "API key");
}

function refuseEndpoint({ restrictions }: Caller, endpoint: string): void {
  const { endpoints } = restrictions;
  const beside = ownProperty(ENDPOINTS_BESIDE_FORMATS, endpoint);
  if (!endpoints && beside && !mayRead(restrictions, beside.format)) {
    throw new ForbiddenError(
      `Request blocked: this API key is restricted to formats, and ${beside.why}. To allow ${endpoint}, add it to the endpoints of the key.`,
    );
  }
  if (!endpoints || endpoints.includes(endpoint)) return;
  throw new ForbiddenError(
    `Request blocked: this API key is restricted to the following endpoints: ${endpoints.join(", ")}.`,
  );
}

function refuseAddress({ allowedIps }: Caller, ip: string): void {
  if (!allowedIps) return;
  // A reverse proxy may send any text.
  const address = unmapAddress(ip.replace(/%.*$/, ""));
  const family = isIP(address);
  if (family !== 0 && allowedIps.check(address, family === 6 ? "ipv6" : "ipv4")) return;
  throw new ForbiddenError(`Request blocked: IP address ${address} is not on this team's allowed IP list.`);
}

function refuseOverload(pressure: Pressure): void {
  if (pressure.reason() === undefined) return;
  throw new ServiceError("OVERLOADED", { retryAfterSeconds: RETRY_AFTER_SECONDS });
}
