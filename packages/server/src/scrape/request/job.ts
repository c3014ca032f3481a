import { effectivePolicy, isBlockedByLists } from "../../accounts/threat-policy.ts";
import type { ThreatPolicy } from "../../api/threat-policy.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import { Stages } from "@pergamon-dev/kit/stages";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { BlockedSites } from "./blocked-sites.ts";
import { keptBody } from "./kept-body.ts";
import { checkPermissions } from "./permissions.ts";
import { type Plan, planScrape } from "./plan.ts";
import { lastingPart, reduceRequest, type Retention, retentionOf } from "./retention.ts";
import type { ScrapeRequest, scrapeRequestSchema } from "./schema.ts";
import type { PaidWork, WorkClass } from "../../accounts/work.ts";
import type { Source } from "./source.ts";
import { ServiceError } from "../../api/errors.ts";
import type { Team } from "../../accounts/teams.ts";
import { isCredential, userinfoOf } from "../../net/credentials.ts";
import { actionNamed } from "../../fetch/actions/requested-action.ts";

/** The job that a scrape is a part of. */
interface ParentWork {
  readonly id: string;
  /** Pages of the class `job` yield to single requests. Their answers are stored before they are settled. */
  readonly class: WorkClass;
}

/** A planned scrape with its id and caller. */
export interface ScrapeJob extends PaidWork {
  /** Undefined for a scrape of its own. */
  readonly parent?: ParentWork | undefined;
  /** Returns the body without secrets, for the operator, as JSON of a `MaskedBody`. */
  readonly kept?: () => string | undefined;
  readonly request: ScrapeRequest;
  readonly plan: Plan;
  /** Undefined: the page comes from the cache or the web, as planned. */
  readonly source?: Source | undefined;
  /** Start of links to this service, such as `https://scrape.test`. */
  readonly linkBase: string;
  /** `none`: nothing about it may be stored or logged, except its cost. */
  readonly retention: Retention;
  /** Policy that its URLs are checked against. Undefined when they are not checked. */
  readonly threatPolicy: ThreatPolicy | undefined;
  /** Milliseconds that the scrape waited for the team's turn. Undefined when it did not wait. */
  readonly queuedMs?: number | undefined;
  readonly stages: Stages;
  /** Id of the scrape that this one repeats. */
  readonly replayOf?: string | undefined;
}

/** A request that may run, and the decisions that follow from it. */
export interface PlannedScrape extends Pick<ScrapeJob, "request" | "plan" | "kept"> {
  /** Returns the plan for zero data retention, when it already exists. @throws as `reduceRequest`. */
  readonly planWithoutTraces?: () => Plan;
}

type Order = Pick<ScrapeJob, "caller" | "linkBase" | "replayOf" | "parent" | "source"> &
  Partial<Pick<ScrapeJob, "id" | "kind" | "startedAtMs">>;

/** Turns bodies into plans. The same body object is planned only once. */
export type Planner = (body: unknown) => PlannedScrape;

/**
 * Opens a planner. It throws ServiceError UNSUPPORTED_SITE for a site that the operator has blocked, and
 * ZodError for an invalid body.
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
    const planned = { request, plan: planScrape(lastingPart(request)), kept: lazy(() => keptBody(body)) };
    if (isObject) plans.set(body, planned);
    return planned;
  };
}

/**
 * Creates the request, its plan and an id, a version 7 UUID. Makes every decision that needs no network.
 * @throws ForbiddenError, or ServiceError SAFE_MODE_BLOCKED, when the caller may not ask for this.
 */
export function startJob(
  planned: PlannedScrape,
  { id = uuidV7(), kind = "scrape", ...order }: Order,
): ScrapeJob {
  const { request, kept } = planned;
  const { team } = order.caller;
  refuseUnsafe(request, team);
  const threatPolicy = effectivePolicy(team.threatPolicy, request.threatProtection);
  // A URL on a blocklist must fail as blocked during the scrape, even if permissions would refuse it first.
  const isBlocked = threatPolicy !== undefined && isBlockedByLists(threatPolicy, request.url);
  if (!isBlocked) checkPermissions(request, order.caller);
  const retention = retentionOf(request, team);
  const plan = retention === "none" && !isBlocked ? planWithoutTraces(planned) : planned.plan;
  return {
    id,
    kind,
    startedAtMs: Date.now(),
    stages: new Stages(),
    ...(kept && { kept }),
    request,
    plan,
    retention,
    threatPolicy,
    ...order,
  };
}

function planWithoutTraces({ request, planWithoutTraces: planned }: PlannedScrape): Plan {
  if (planned) return planned();
  const reduced = reduceRequest(request);
  return planScrape(reduced.request, reduced.warnings);
}

/** Messages for requests that safe mode refuses (contract, section 3.28). */
const refusals: readonly ((request: ScrapeRequest) => string | undefined)[] = [
  ({ proxy }) => (proxy === "enhanced" ? "the enhanced proxy" : undefined),
  ({ profile }) => profile && "profile",
  ({ actions }) => suffixed(actions.find(({ type }) => actionNamed(type).intervenes)?.type, " actions"),
  ({ headers }) => suffixed(Object.keys(headers).find(isCredential), " headers"),
  ({ url }) => (userinfoOf(new URL(url)) ? "user name and password in the URL" : undefined),
];

/**
 * @throws ServiceError SAFE_MODE_BLOCKED when the team may not use safe mode, or safe mode refuses a part of
 * the request.
 */
export function refuseUnsafe(request: ScrapeRequest, { flags }: Team): void {
  if (request.safeMode !== true) return;
  if (flags.safeMode === false) {
    throw blocked("Safe mode is not enabled for your team. The operator of this service can enable it.");
  }
  const [refused] = refusals.flatMap((refusal) => refusal(request) ?? []);
  if (refused !== undefined) throw blocked(`Safe mode does not allow ${refused}. Leave it out.`);
}

function blocked(message: string): ServiceError {
  return new ServiceError("SAFE_MODE_BLOCKED", { message });
}

function suffixed(text: string | undefined, suffix: string): string | undefined {
  return text === undefined ? undefined : text + suffix;
}
