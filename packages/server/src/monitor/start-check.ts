import type { Caller } from "../accounts/callers.ts";
import { ServiceError, toldOf } from "../api/errors.ts";
import { ownFailure } from "@pergamon-dev/kit/process/own-failure";
import type { Statements } from "../storage/database/database.ts";
import { teamConcurrency } from "../jobs/job-service.ts";
import { changeCheck, type CheckStatus, getCheck, insertCheck, reservedOf } from "./check-rows.ts";
import { unitsOf } from "./check-work.ts";
import { estimateCheck } from "./estimate.ts";
import { MONITOR, type MonitorPlan } from "./request.ts";
import { getMonitor, type MonitorRow, noteBegun } from "./rows.ts";
import type { MonitorServices } from "./services.ts";
import { newResult } from "./target-results.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { QueuedTask, Work } from "../jobs/queue/task-queue.ts";

const BEGINNING = "monitor-check";
/** Checks that start at the same time. Each mostly waits for the database. */
const SLOTS = 4;
const ATTEMPTS = 5;

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
    options: options.seal(id, { ...plan, name: monitor.name }),
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

interface CheckOccasion {
  readonly isManual: boolean;
  readonly scheduledAtMs: number;
}

type QueueServices = Pick<MonitorServices, "store" | "turns">;

/**
 * Inserts a check in the transaction that makes it unique, and queues its start. This is fast, so that many
 * monitors can be due at once. @returns the check's id.
 */
export async function queueCheck(
  tx: Statements,
  monitor: MonitorRow,
  occasion: CheckOccasion,
  { store, turns }: QueueServices,
): Promise<string> {
  const nowMs = store.clock.now();
  const id = uuidV7(nowMs);
  const isFree = monitor.currentCheckId === null;
  await insertCheck(tx, {
    id,
    monitorId: monitor.id,
    teamId: monitor.teamId,
    status: isFree ? "queued" : "skipped_overlap",
    ...occasion,
    nowMs,
  });
  if (!isFree) return id;
  await noteBegun(tx, { id: monitor.id, checkId: id, nowMs });
  const runAtMs = turns.next(monitor.teamId, id, nowMs);
  await store.queue.add(tx, [{ kind: BEGINNING, group: id, payload: id, runAtMs }]);
  return id;
}

export function beginningWork(services: MonitorServices): Work {
  const { database } = services.store;

  async function finish(task: QueuedTask, write: (tx: Statements, monitor: MonitorRow) => Promise<void>) {
    await database.transaction(async (tx) => {
      if (!(await task.end(tx))) return;
      const check = await getCheck(tx, task.payload);
      const monitor = check && (await getMonitor(tx, check.monitorId));
      if (monitor && check.status === "queued") await write(tx, monitor);
    });
  }

  return {
    kind: BEGINNING,
    slots: SLOTS,
    attempts: ATTEMPTS,
    async run(task) {
      services.turns.begun(task.payload);
      const check = await getCheck(database, task.payload);
      const monitor = check && (await getMonitor(database, check.monitorId));
      const prepared = monitor && (await prepareCheck(monitor, services));
      if (prepared) await finish(task, (tx) => beginCheck(tx, task.payload, prepared, services));
      return undefined;
    },
    giveUp: (task, error) =>
      finish(task, (tx, monitor) =>
        endUnbegun(tx, { checkId: task.payload, monitor, status: "failed", error }, services),
      ),
  };
}
