import type { Caller } from "../../accounts/callers.ts";
import { effectivePolicy, isBlockedByLists, type ThreatPolicy } from "../../accounts/threat-policy.ts";
import { lazy } from "../../kit/lazy.ts";
import { uuidV7 } from "../../kit/uuid.ts";
import type { BlockedSites } from "./blocked-sites.ts";
import { keptBody } from "./kept-body.ts";
import { refuseNotImplemented } from "./not-implemented.ts";
import { checkPermissions } from "./permissions.ts";
import { type Plan, planScrape } from "./plan.ts";
import { lastingPart, reduceRequest, type Retention, retentionOf } from "./retention.ts";
import type { ScrapeRequest, scrapeRequestSchema } from "./schema.ts";
import { refuseUnsafe } from "./safe-mode.ts";

/** One scrape on its way. */
export interface ScrapeJob {
  readonly id: string;
  readonly startedAtMs: number;
  readonly caller: Caller;
  /** Its body, as far as the operator may see it again, as JSON of a `MaskedBody`. */
  readonly kept?: () => string | undefined;
  readonly request: ScrapeRequest;
  readonly plan: Plan;
  /** What links to this service begin with, such as `https://scrape.test`. */
  readonly linkBase: string;
  /** `none`: nothing about it may be stored or logged, except for what it costs. */
  readonly retention: Retention;
  /** What its URLs are checked against; undefined when they are not. */
  readonly threatPolicy: ThreatPolicy | undefined;
  /** How long it waited for the team's turn; undefined when it did not. */
  readonly queuedMs?: number | undefined;
  /** The scrape that this one repeats. */
  readonly replayOf?: string | undefined;
}

/** A request that may run, and the decisions that follow from it. */
export type PlannedScrape = Pick<ScrapeJob, "request" | "plan" | "kept">;

/** Who wants a scrape. */
type Order = Pick<ScrapeJob, "caller" | "linkBase" | "replayOf"> & Partial<Pick<ScrapeJob, "id">>;

/** Turns bodies into plans. The plan of a body, the very same object, is made once. */
export type Planner = (body: unknown) => PlannedScrape;

/**
 * A planner throws ServiceError UNSUPPORTED_SITE for a site that the operator has blocked, ZodError for a body that is no
 * request, and ServiceError NOT_IMPLEMENTED for one that asks for something that is not built yet.
 */
export function openPlanner(
  schema: ReturnType<typeof scrapeRequestSchema>,
  blockedSites: BlockedSites,
): Planner {
  const plans = new WeakMap<object, PlannedScrape>();
  return (body) => {
    const isObject = typeof body === "object" && body !== null;
    const known = isObject ? plans.get(body) : undefined;
    if (known) return known;
    if (isObject) blockedSites.refuseBody(body);
    const request = schema.parse(body);
    const done = lastingPart(request);
    refuseNotImplemented(done);
    const planned = { request, plan: planScrape(done), kept: lazy(() => keptBody(body)) };
    if (isObject) plans.set(body, planned);
    return planned;
  };
}

/**
 * The request, its plan and an id, a version 7 UUID: everything decided before the network is touched.
 * @throws ForbiddenError, or ServiceError SAFE_MODE_BLOCKED, when the caller may not ask for this.
 */
export function startJob(planned: PlannedScrape, { id = uuidV7(), ...order }: Order): ScrapeJob {
  const { request, kept } = planned;
  const { team } = order.caller;
  refuseUnsafe(request, team);
  const threatPolicy = effectivePolicy(team.threatPolicy, request.threatProtection);
  // A URL that the lists block is answered as blocked by the scrape, even where permissions would refuse it first.
  const isBlocked = threatPolicy !== undefined && isBlockedByLists(threatPolicy, request.url);
  if (!isBlocked) checkPermissions(request, order.caller);
  const retention = retentionOf(request, team);
  const plan = retention === "none" && !isBlocked ? planWithoutTraces(request) : planned.plan;
  return {
    id,
    startedAtMs: Date.now(),
    ...(kept && { kept }),
    request,
    plan,
    retention,
    threatPolicy,
    ...order,
  };
}

function planWithoutTraces(request: ScrapeRequest): Plan {
  const reduced = reduceRequest(request);
  return planScrape(reduced.request, reduced.warnings);
}
