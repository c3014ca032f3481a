import cluster from "node:cluster";

import { Drain } from "@pergamon-dev/kit/drain";
import { watchPauses } from "@pergamon-dev/kit/loop/loop-pauses";
import { type Pressure, watchPressure } from "@pergamon-dev/kit/pressure";
import type { Context } from "../../config/context.ts";
import type { Fetching } from "../../fetch/open.ts";
import { countDueTasks } from "../../jobs/queue/task-rows.ts";
import type { Storage } from "../../storage/open.ts";
import { type Metrics, openMetrics } from "./metrics.ts";

export interface Health {
  readonly metrics: Metrics;
  readonly pressure: Pressure;
  readonly drain: Drain;
}

export function openHealth(context: Context & Storage & Fetching): Health {
  const { config, log, resources, gate, health, database } = context;
  const metrics = openMetrics({
    fetching: () => gate.running,
    waiting: () => gate.waiting,
    limit: () => config.scraping.concurrency,
    dueJobs: () => countDueTasks(database, database.nowMs?.() ?? Date.now()),
    parts: () => health.own(),
    worker: cluster.worker?.id,
  });
  resources.add(watchPauses(metrics.observePause), (watching) => watching.stop());
  const onBlocked = (blockedMs: number) =>
    log.warn({ blockedMs: Math.round(blockedMs) }, "The service was blocked.");
  const pressure = resources.add(watchPressure({ onBlocked }), (watching) => watching.stop());
  return { metrics, pressure, drain: new Drain() };
}
