import type { Caller } from "../../accounts/callers.ts";
import { ServiceError } from "../../contract/errors.ts";
import { uuidV7 } from "../../kit/uuid.ts";
import type { Statements } from "../../platform/database/database.ts";
import { teamConcurrency } from "../runs/accept-run.ts";
import { insertCheck, reservedOf } from "./check-rows.ts";
import { callerOfCheck, unitsOf } from "./check-work.ts";
import { estimateCheck } from "./estimate.ts";
import { MONITOR, type MonitorPlan } from "./monitor-request.ts";
import { type MonitorRow, noteBegun } from "./monitor-rows.ts";
import type { MonitorServices } from "./monitor-services.ts";
import { newResult } from "./target-results.ts";

/** Nothing of what monitors do can be had without keeping pages. */
export const NO_RETENTION =
  "Monitoring requires retained snapshots and diffs, and is not supported for zero data retention teams.";
const KEY_GONE = "The API key of this monitor is not in use any more. Update the monitor with another key.";

/** A check as it can be started: everything that has to be looked up before the transaction. */
export interface PreparedCheck {
  readonly monitor: MonitorRow;
  readonly plan: MonitorPlan;
  readonly caller: Caller | undefined;
  /** Undefined when it cannot be made at all; then `problem` says why. */
  readonly estimate: number | undefined;
  readonly problem: string | undefined;
  /** Credits that the payer has; undefined when they never run out. */
  readonly left: number | undefined;
  readonly concurrency: number | undefined;
}

/** @throws what may be over the next time. */
export async function prepareCheck(monitor: MonitorRow, services: MonitorServices): Promise<PreparedCheck> {
  const plan = services.plans.open(monitor.id, monitor.plan);
  const owner = { teamId: monitor.teamId, keyId: monitor.keyId ?? undefined };
  const caller = await callerOfCheck(owner, services);
  const none = { monitor, plan, caller, estimate: undefined, left: undefined, concurrency: undefined };
  if (!caller) return { ...none, problem: KEY_GONE };
  if (caller.team.flags.zeroDataRetention === "forced") return { ...none, problem: NO_RETENTION };
  try {
    const order = { monitorId: monitor.id, plan, caller, linkBase: monitor.linkBase };
    const estimate = await estimateCheck(order, services);
    const { scraping } = services;
    const left = await scraping.credits.left(caller.payer);
    const concurrency = await teamConcurrency(caller, scraping);
    return { monitor, plan, caller, estimate, problem: undefined, left, concurrency };
  } catch (failure) {
    if (isTrouble(failure)) throw failure;
    return { ...none, problem: failure instanceof Error ? failure.message : String(failure) };
  }
}

/** When a check was due, and who asked for it. */
export interface CheckOccasion {
  readonly isManual: boolean;
  readonly scheduledAtMs: number;
}

/**
 * Writes a check down and begins it, unless it has to be skipped. To be called in the transaction that makes sure that
 * it happens once. @returns its id.
 */
export async function beginCheck(
  inside: Statements,
  prepared: PreparedCheck,
  occasion: CheckOccasion,
  services: MonitorServices,
): Promise<string> {
  const { monitor, plan, estimate } = prepared;
  const nowMs = services.place.clock.now();
  const id = uuidV7(nowMs);
  const { status, error } = await verdictOn(inside, prepared);
  const billing = status === "queued" ? "reserved" : "not_applicable";
  await insertCheck(inside, {
    id,
    monitorId: monitor.id,
    teamId: monitor.teamId,
    status,
    ...occasion,
    estimatedCredits: estimate ?? null,
    units: plan.targets.reduce((sum, target) => sum + unitsOf(target), 0),
    billing,
    targets: plan.targets.map(newResult),
    error,
    nowMs,
  });
  if (status !== "queued") return id;
  await noteBegun(inside, { id: monitor.id, checkId: id, nowMs });
  if (plan.webhook) {
    const run = { id, teamId: monitor.teamId, family: MONITOR };
    await services.outbox.open(inside, run, plan.webhook);
  }
  await startRun(inside, { id, prepared }, services);
  return id;
}

/** Writes down a check that could not even be prepared. */
export async function noteFailed(
  inside: Statements,
  due: { readonly monitor: MonitorRow; readonly problem: string; readonly scheduledAtMs: number },
  { place }: Pick<MonitorServices, "place">,
): Promise<void> {
  const { monitor, problem: error, scheduledAtMs } = due;
  const nowMs = place.clock.now();
  await insertCheck(inside, {
    id: uuidV7(nowMs),
    monitorId: monitor.id,
    teamId: monitor.teamId,
    status: "failed",
    isManual: false,
    scheduledAtMs,
    estimatedCredits: null,
    units: 0,
    billing: "not_applicable",
    targets: [],
    error,
    nowMs,
  });
}

/** Whether the check begins, or why not. */
async function verdictOn(inside: Statements, { monitor, estimate, problem, left }: PreparedCheck) {
  if (monitor.currentCheckId !== null) return { status: "skipped_overlap", error: null } as const;
  if (problem !== undefined || estimate === undefined)
    return { status: "failed", error: problem ?? "The check could not be planned." } as const;
  if (left === undefined) return { status: "queued", error: null } as const;
  const free = left - (await reservedOf(inside, monitor.teamId));
  if (free >= estimate) return { status: "queued", error: null } as const;
  const error = `The check is estimated at ${estimate} credits, and ${Math.max(0, Math.floor(free))} are left.`;
  return { status: "skipped_no_credits", error } as const;
}

async function startRun(
  inside: Statements,
  { id, prepared }: { readonly id: string; readonly prepared: PreparedCheck },
  { place, plans }: MonitorServices,
): Promise<void> {
  const { monitor, plan, concurrency } = prepared;
  await place.dispatcher.start(inside, {
    id,
    teamId: monitor.teamId,
    keyId: monitor.keyId ?? undefined,
    family: MONITOR,
    options: plans.seal(id, plan),
    linkBase: monitor.linkBase,
    total: plan.targets.reduce((sum, target) => sum + unitsOf(target), 0),
    teamConcurrency: concurrency,
  });
}

function isTrouble(failure: unknown): boolean {
  if (failure instanceof ServiceError) return failure.code === "billing_unavailable";
  return !(failure instanceof Error && ["ForbiddenError", "ZodError"].includes(failure.name));
}
