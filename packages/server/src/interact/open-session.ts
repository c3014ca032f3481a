import type { Caller } from "../accounts/callers.ts";
import type { Credits } from "../accounts/credits.ts";
import type { HoldOwner } from "../accounts/abandoned-holds.ts";
import { ServiceError } from "../api/errors.ts";
import { startDeadline } from "@pergamon-dev/kit/deadline";
import type { Log } from "@pergamon-dev/kit/log/log";
import { Resources } from "@pergamon-dev/kit/resources";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { BrowserFailure } from "@pergamon-dev/browser/cdp/browser-failure";
import { steadyClock } from "../storage/clock/clock.ts";
import type { Database } from "../storage/database/database.ts";
import { chooseProxy, type Proxy } from "../net/proxies.ts";
import type { ScrapeJob } from "../scrape/request/job.ts";
import type { ScrapeRecord } from "../history/scrape-rows.ts";
import type { BrowserStage } from "../fetch/stages/stage.ts";
import type { Charges } from "../accounts/charges.ts";
import { type SlotServices, takeLastingSlot } from "../accounts/slot.ts";
import { Session } from "./session.ts";
import { SessionMeter } from "./session-meter.ts";
import { openSessionPage } from "./session-page.ts";
import type { OpenedBrowser, OpenRunner, OpenSessionBrowser } from "./session-parts.ts";
import type { SessionPlaces } from "./session-places.ts";
import type { SessionRows } from "./session-rows.ts";
import { settleSession } from "./settle-session.ts";
import { isBlockedByLists } from "../accounts/threat-policy.ts";
import type { ThreatClassifier } from "../fetch/threats/classifier.ts";
import type { BlockedSites } from "../scrape/request/blocked-sites.ts";
import { ThreatGuard } from "../scrape/threats.ts";
import type { HopJudge } from "../fetch/visit.ts";

export interface SessionOrder {
  readonly caller: Caller;
  readonly job: ScrapeJob;
  /** Undefined: the session belongs to no scrape, and its browser stays on an empty page. */
  readonly scrapeId: string | undefined;
  readonly ttlMs: number;
  readonly idleMs: number;
  readonly isPrompted: boolean;
  readonly streams: boolean;
  /** Set when the session is part of other work, which pays for it. */
  readonly payment?: SessionPayment | undefined;
}

interface SessionPayment {
  /** Id of that work. If its process dies, nothing is charged, because the work is done again. */
  readonly workId: string;
  readonly charges: Pick<Charges, "hold" | "charge">;
}

export interface OpenServices extends HopServices, SlotServices {
  readonly database: Database;
  readonly rows: SessionRows;
  readonly credits: Credits;
  readonly charges: Charges<ScrapeRecord>;
  /** Owner of the session rows. */
  readonly owner: Pick<HoldOwner, "name">;
  readonly stages: readonly BrowserStage[];
  readonly proxies: readonly Proxy[];
  readonly openBrowser: OpenSessionBrowser;
  readonly openRunner: OpenRunner;
  readonly places: SessionPlaces;
  /** Tag of this process, where other processes pass requests on to it. */
  readonly nodeTag?: string | undefined;
  readonly log: Log;
}

/** Limit for starting a browser and opening its page. */
const OPEN_LIMIT_MS = 60_000;

/**
 * Opens a session in this order: a place of this process, its row, the payment of its first minute, a place
 * of the team, its browser, its page. A failure undoes the earlier steps.
 * @returns undefined when the scrape has a session already.
 * @throws ServiceError insufficient_credits, billing_unavailable, REPLAY_FAILED, SESSION_NOT_CREATED,
 *   PROFILE_LOCKED, INTERACT_UNAVAILABLE, SESSIONS_FULL; RateLimitError beyond the limit of its team; the
 *   signal's reason.
 */
export async function openSession(
  order: SessionOrder,
  services: OpenServices,
  isGone: AbortSignal,
): Promise<Session | undefined> {
  const giveBack = services.places.take(order.caller.teamId);
  try {
    const session = await openWithin(giveBack, order, services, isGone);
    if (!session) giveBack();
    return session;
  } catch (failure) {
    giveBack();
    throw failure;
  }
}

/** @param giveBack called when the session has ended. */
async function openWithin(
  giveBack: () => void,
  order: SessionOrder,
  services: OpenServices,
  isGone: AbortSignal,
): Promise<Session | undefined> {
  const { rows } = services;
  await services.limits.countRequest(order.caller, "session");
  const id = uuidV7();
  const createdAtMs = Date.now();
  const facts = {
    id,
    scrapeId: order.scrapeId ?? null,
    createdAtMs,
    expiresAtMs: createdAtMs + order.ttlMs,
    streams: order.streams ? 1 : 0,
  };
  const { teamId, keyId = null } = order.caller;
  const paidBy = order.payment?.workId ?? null;
  if (!(await rows.claim({ ...facts, teamId, keyId, paidBy, process: await services.owner.name() })))
    return undefined;
  const undo = new Resources();
  const { signal, clear } = startDeadline(
    OPEN_LIMIT_MS,
    () => new ServiceError("SESSION_NOT_CREATED"),
    isGone,
  );
  try {
    const session = await open({ order, facts, undo, giveBack, signal }, services);
    if (!(await rows.activate(id))) throw new ServiceError("SESSION_NOT_CREATED");
    return session;
  } catch (failure) {
    await undo
      .close()
      .catch((err: unknown) => services.log.error({ err }, "A session could not be cleaned up completely."));
    if (failure instanceof ServiceError && failure.code === "REPLAY_FAILED") await rows.fail(id);
    else await rows.release(id);
    throw failure;
  } finally {
    clear();
  }
}

interface Opening {
  readonly order: SessionOrder;
  readonly facts: Session["facts"];
  /** Undoes the completed steps, newest first. */
  readonly undo: Resources;
  readonly giveBack: () => void;
  readonly signal: AbortSignal;
}

async function open(
  { order, facts, undo, giveBack, signal: isGone }: Opening,
  services: OpenServices,
): Promise<Session> {
  const { log, rows } = services;
  const { caller, isPrompted, payment } = order;
  const { charges } = payment ?? services;
  const onError = (err: unknown) => log.error({ err, sessionId: facts.id }, "A session did not end cleanly.");
  let session: Session | undefined;
  const meter = await SessionMeter.start({
    id: facts.id,
    payer: caller.payer,
    charges,
    isPrompted,
    onShort: () => session?.endLater("credits"),
  });
  undo.add(meter, (started) => started.release());
  const slot = undo.add(await takeLastingSlot(caller, services, isGone), (taken) => taken.end());
  const signal = AbortSignal.any([isGone, slot.revoked]);
  const browser = undo.add(await startBrowser(order, services, signal), (started) => started.close());
  const page = await openPageOf(order, browser, services, signal);
  undo.add(page, (opened) => opened.leave({ isLost: true, signal }));
  session = new Session({
    ...services,
    facts,
    caller,
    idleMs: order.idleMs,
    clock: steadyClock,
    refusesInjection: order.job.plan.refusesInjection,
    browser,
    page,
    meter,
    slot: { revoked: slot.revoked, end: () => (slot.end(), giveBack()) },
    rows,
    settleRest: (row, reason) => settleSession(row, reason, services),
    onError,
  });
  return session;
}

async function startBrowser(
  { job }: SessionOrder,
  { openBrowser, proxies, log, ...rules }: OpenServices,
  signal: AbortSignal,
): Promise<OpenedBrowser> {
  const { visit } = job.plan;
  const tier = visit.proxy === "enhanced" ? "enhanced" : "basic";
  const proxy = chooseProxy(proxies, tier, visit.proxyCountry);
  if (proxy === "none-for-country") throw new ServiceError("REPLAY_FAILED");
  try {
    const { skipTlsVerification } = visit;
    return await openBrowser({ proxy, skipTlsVerification, refusesHost: hostRefusal(job, rules) }, signal);
  } catch (failure) {
    signal.throwIfAborted();
    if (failure instanceof ServiceError) throw failure;
    const isMissing = failure instanceof BrowserFailure && failure.kind === "unavailable";
    if (isMissing) throw new ServiceError("INTERACT_UNAVAILABLE", { message: NO_BROWSER, cause: failure });
    log.error({ err: failure }, "The browser of a session did not start.");
    throw new ServiceError("SESSION_NOT_CREATED", { cause: failure });
  }
}

const NO_BROWSER =
  "This machine has no browser for sessions. The operator can check it with: pergamon doctor";

function openPageOf(
  { job, scrapeId, caller }: SessionOrder,
  { tab }: OpenedBrowser,
  services: OpenServices,
  signal: AbortSignal,
) {
  const { plan } = job;
  const hops = sessionHops(job, services);
  const attempt = {
    visit: { ...plan.visit, teamId: caller.teamId, hops },
    tier: plan.visit.proxy === "enhanced" ? ("enhanced" as const) : ("basic" as const),
    proxy: undefined,
  };
  return openSessionPage(tab, { attempt, isOpened: scrapeId !== undefined }, services.stages, signal);
}

interface HopServices {
  readonly blockedSites: BlockedSites;
  /** Undefined when the operator configured none. */
  readonly threatClassifier: ThreatClassifier | undefined;
}

/** Limit for a classifier's judgement of a URL that the page navigates to. */
const JUDGE_LIMIT_MS = 10_000;

/**
 * Checks each navigation of a session's page as long as the session lasts. The first URL is checked again,
 * because rules may have changed since the scrape. Undefined when nothing restricts navigation.
 */
function sessionHops(
  { threatPolicy: policy }: ScrapeJob,
  { blockedSites, threatClassifier: classifier }: HopServices,
): HopJudge | undefined {
  if (!policy && blockedSites.isEmpty) return undefined;
  return {
    startUrl: "",
    rules: "",
    // The given signal aborts with the first refusal.
    async judge(url) {
      blockedSites.refuse(url);
      const guard = new ThreatGuard({ policy, classifier, mayAskOthers: true });
      await guard.check(url, AbortSignal.timeout(JUDGE_LIMIT_MS));
    },
  };
}

/**
 * Checks whether any page of the session may contact a host, by the lists of the operator and the team.
 * Undefined when every host is allowed.
 */
function hostRefusal(
  { threatPolicy: policy }: ScrapeJob,
  { blockedSites }: Pick<HopServices, "blockedSites">,
): ((url: URL) => boolean) | undefined {
  if (!policy && blockedSites.isEmpty) return undefined;
  return ({ href }) => blockedSites.has(href) || (policy !== undefined && isBlockedByLists(policy, href));
}
