import type { Caller } from "../accounts/callers.ts";
import { ServiceError, toldOf } from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Statements } from "../storage/database/database.ts";
import { teamConcurrency } from "../jobs/job-service.ts";
import { changeCheck, type CheckStatus, reservedOf } from "./check-rows.ts";
import { unitsOf } from "./check-work.ts";
import { estimateCheck } from "./estimate.ts";
import { MONITOR, type MonitorPlan } from "./request.ts";
import type { MonitorRow } from "./rows.ts";
import type { MonitorServices } from "./services.ts";
import { newResult } from "./target-results.ts";

/** Monitors cannot work without stored pages. */
export const NO_RETENTION =
  "Monitoring requires retained snapshots and diffs, and is not supported for zero data retention teams.";
const KEY_GONE = "The API key of this monitor is not in use any more. Update the monitor with another key.";

/** A check with everything that must be looked up before the transaction. */
interface PreparedCheck {
  readonly monitor: MonitorRow;
  readonly plan: MonitorPlan;
  readonly caller: Caller | undefined;
  /** Undefined when the check is not possible. `problem` then has the reason. */
  readonly estimate: number | undefined;
  readonly problem: string | undefined;
  /** Credits of the payer. Undefined when they are unlimited. */
  readonly left: number | undefined;
  readonly concurrency: number | undefined;
}

/** @throws failures that may pass with the next attempt. */
export async function prepareCheck(monitor: MonitorRow, services: MonitorServices): Promise<PreparedCheck> {
  const plan = services.options.open({ id: monitor.id, options: monitor.plan });
  const caller = await services.callers.ofWork(monitor);
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
    return { ...none, problem: toldOf(failure) };
  }
}

/**
 * Begins a queued check, unless it must be skipped. Call this in the transaction that makes it happen once.
 */
export async function beginCheck(
  tx: Statements,
  checkId: string,
  prepared: PreparedCheck,
  services: MonitorServices,
): Promise<void> {
  const { monitor, plan, estimate } = prepared;
  const { status, error } = await verdictOn(tx, prepared);
  if (status !== "queued") return endUnbegun(tx, { checkId, monitor, status, error }, services);
  await changeCheck(tx, checkId, {
    estimatedCredits: estimate ?? null,
    reservedCredits: estimate ?? null,
    units: unitsIn(plan),
    billing: "reserved",
    targets: JSON.stringify(plan.targets.map(newResult)),
    updatedAtMs: services.store.clock.now(),
  });
  if (plan.webhook) {
    const run = { id: checkId, teamId: monitor.teamId, family: MONITOR };
    await services.store.outbox.open(tx, run, plan.webhook);
  }
  await startRun(tx, { id: checkId, prepared }, services);
}

/** Ends a check that does not begin, and lets the next one run. */
export async function endUnbegun(
  tx: Statements,
  { checkId, monitor, status, error }: UnbegunCheck,
  { store }: Pick<MonitorServices, "store">,
): Promise<void> {
  const nowMs = store.clock.now();
  const ended = { status, error, stage: "over", finishedAtMs: nowMs, updatedAtMs: nowMs };
  await changeCheck(tx, checkId, { ...ended, billing: "not_applicable" });
  await tx
    .prepared("UPDATE monitors SET current_check_id = NULL WHERE id = ? AND current_check_id = ?")
    .run(monitor.id, checkId);
}

interface UnbegunCheck {
  readonly checkId: string;
  readonly monitor: Pick<MonitorRow, "id">;
  readonly status: CheckStatus;
  readonly error: string;
}

/** Decides whether the check begins, or why not. */
async function verdictOn(tx: Statements, { monitor, estimate, problem, left }: PreparedCheck) {
  if (problem !== undefined || estimate === undefined)
    return { status: "failed", error: problem ?? "The check could not be planned." } as const;
  if (left === undefined) return { status: "queued", error: "" } as const;
  const free = left - (await reservedOf(tx, monitor.teamId));
  if (free >= estimate) return { status: "queued", error: "" } as const;
  const error = `The check is estimated at ${estimate} credits, and ${Math.max(0, Math.floor(free))} are left.`;
  return { status: "skipped_no_credits", error } as const;
}

async function startRun(
  tx: Statements,
  { id, prepared }: { readonly id: string; readonly prepared: PreparedCheck },
  { store, options }: MonitorServices,
): Promise<void> {
  const { monitor, plan, concurrency } = prepared;
  await store.dispatcher.start(tx, {
    id,
    teamId: monitor.teamId,
    keyId: monitor.keyId ?? undefined,
    family: MONITOR,
    options: options.seal(id, plan),
    linkBase: monitor.linkBase,
    total: unitsIn(plan),
    teamConcurrency: concurrency,
  });
}

function unitsIn({ targets }: MonitorPlan): number {
  return targets.reduce((sum, target) => sum + unitsOf(target), 0);
}

function isTrouble(failure: unknown): boolean {
  if (ownFailure(failure)) return true;
  if (failure instanceof ServiceError) return failure.code === "billing_unavailable";
  return !(failure instanceof Error && ["ForbiddenError", "ZodError"].includes(failure.name));
}
