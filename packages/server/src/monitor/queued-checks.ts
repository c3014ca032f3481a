import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Statements } from "../storage/database/database.ts";
import type { QueuedTask, Work } from "../jobs/queue/task-queue.ts";
import { getCheck, insertCheck } from "./check-rows.ts";
import { getMonitor, type MonitorRow, noteBegun } from "./rows.ts";
import type { MonitorServices } from "./services.ts";
import { beginCheck, endUnbegun, prepareCheck } from "./start-check.ts";

const BEGINNING = "monitor-check";
/** Checks that start at the same time. Each mostly waits for the database. */
const SLOTS = 4;
const ATTEMPTS = 5;

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
