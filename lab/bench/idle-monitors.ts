import { setTimeout as pause } from "node:timers/promises";

import type { App } from "../../src/app/app.ts";
import { insertMonitor } from "../../src/families/monitor/monitor-rows.ts";
import { MonitorTimer } from "../../src/families/monitor/monitor-timer.ts";
import { uuidV7 } from "../../src/kit/uuid.ts";
import type { Figure } from "./report.ts";

const MONITORS = 10_000;
const AT_ONCE = 500;
const WATCHED_MS = 20_000;
/** Until what was begun before is over. */
const SETTLE_MS = 3000;
const MAX_PERCENT = 1;

/** What monitors cost of which none is due: processor time of this process, which does nothing else. */
export async function benchIdleMonitors(app: App): Promise<readonly Figure[]> {
  const withoutPercent = await idlePercent();
  await addMonitors(app);
  const percent = (await idlePercent()) - withoutPercent;
  return [
    {
      name: "10,000 monitors of which none is due, of a core",
      value: `${percent.toFixed(2)} % (${withoutPercent.toFixed(2)} % without them)`,
      limit: `<= ${MAX_PERCENT} %`,
      isMet: percent <= MAX_PERCENT,
    },
  ];
}

async function idlePercent(): Promise<number> {
  await pause(SETTLE_MS);
  const before = process.cpuUsage();
  await pause(WATCHED_MS);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1000 / WATCHED_MS) * 100;
}

/** As the interface makes them, without its requests. */
async function addMonitors(app: App): Promise<void> {
  const { place, jobs } = app.families.monitor.monitors.services;
  const { database, clock } = place;
  const timer = new MonitorTimer({ database, clock, jobs, begin: async () => undefined });
  for (let made = 0; made < MONITORS; made += AT_ONCE) {
    await database.transaction(async (inside) => {
      for (let index = 0; index < AT_ONCE; index += 1) {
        const monitor = monitorOf(clock.now());
        await insertMonitor(inside, monitor);
        await timer.set(inside, monitor);
      }
    });
  }
}

function monitorOf(nowMs: number): Parameters<typeof insertMonitor>[1] {
  const id = uuidV7(nowMs);
  const farAway = new Date(nowMs - 24 * 60 * 60 * 1000);
  return {
    id,
    teamId: "default",
    keyId: null,
    name: "Watch",
    status: "active",
    // Yesterday's date: it is due in a year less a day.
    cron: `0 0 ${farAway.getUTCDate()} ${farAway.getUTCMonth() + 1} *`,
    timezone: "UTC",
    plan: "",
    retentionDays: 30,
    linkBase: "",
    nextRunAtMs: null,
    lastRunAtMs: null,
    currentCheckId: null,
    lastSummary: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  };
}
