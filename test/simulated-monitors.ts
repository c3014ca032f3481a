import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { insertCheck } from "../packages/server/src/monitor/check-rows.ts";
import { insertMonitor, type MonitorRow } from "../packages/server/src/monitor/rows.ts";
import { MonitorTimer } from "../packages/server/src/monitor/timer.ts";
import { uuidV7 } from "../packages/kit/src/uuid.ts";
import { ManualClock, othersHadTheirTurn } from "../packages/server/src/storage/clock/manual-clock.suite.ts";
import type { Database } from "../packages/server/src/storage/database/database.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { openDatabaseQueue } from "../packages/server/src/jobs/queue/database-queue.ts";
import { MortalProcess, ProcessLeases } from "../packages/server/src/jobs/queue/mortal-process.suite.ts";
import { Random } from "./random.ts";

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** Two of them change their clocks by an hour, one by half an hour, one not at all. */
const ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"];
/** Monitors share so many times, as those of people do. */
const TIMES_OF_DAY = 48;
const MINUTES_OF_HOUR = 4;

export interface Simulation {
  /** From the first moment to the one before the last. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly daily: number;
  readonly weekly: number;
  readonly hourly: number;
  /** Each is followed by a new start at once. */
  readonly kills: number;
  readonly seed: number;
}

export interface SimulationReport {
  readonly checks: number;
  /** Processes that died. */
  readonly killed: number;
  /** Checks that are missing, there too often, or at a time that is not theirs. */
  readonly problems: readonly string[];
}

/** What a monitor is to do: at which times of the clocks in its zone. */
interface Plan {
  readonly id: string;
  readonly zone: string;
  readonly cron: string;
  readonly minute: number;
  readonly hour: number | undefined;
  readonly weekday: number | undefined;
}

/** Runs monitors through a time, in two processes of which one is killed again and again, and looks at each check. */
export async function simulateMonitors(simulation: Simulation): Promise<SimulationReport> {
  const folder = await mkdtemp(join(tmpdir(), "monitors-"));
  const path = `sqlite:${join(folder, "test.db")}`;
  const database = await openDatabase(path);
  await database.migrate();
  const plans = plansOf(simulation);
  const world = new TimerWorld(path, database, simulation);
  try {
    await world.run(plans);
    return { ...(await compare(database, plans, simulation)), killed: world.killed };
  } finally {
    await world.close();
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class TimerWorld {
  readonly #path: string;
  readonly #database: Database;
  readonly #simulation: Simulation;
  readonly #clock: ManualClock;
  readonly #leases: ProcessLeases;
  #processes: MortalProcess[] = [];
  killed = 0;

  constructor(path: string, database: Database, simulation: Simulation) {
    this.#path = path;
    this.#database = database;
    this.#simulation = simulation;
    this.#clock = new ManualClock(simulation.fromMs);
    this.#leases = new ProcessLeases(this.#clock);
  }

  async run(plans: readonly Plan[]): Promise<void> {
    const { fromMs, toMs, kills, seed } = this.#simulation;
    const random = new Random(seed);
    const [first] = [await this.#open(), await this.#open()];
    await first.process.database.transaction(async (tx) => {
      for (const plan of plans) {
        const monitor = rowOf(plan, fromMs);
        await insertMonitor(tx, monitor);
        await first.timer.set(tx, monitor);
      }
    });
    const killTimes = Array.from({ length: kills }, () => fromMs + random.share() * (toMs - fromMs)).toSorted(
      (one, other) => one - other,
    );
    for (let dueMs = await this.#nextDue(); dueMs < toMs; dueMs = await this.#nextDue()) {
      this.#clock.set(Math.max(dueMs, this.#clock.now()));
      if (dueMs >= (killTimes[0] ?? Infinity)) {
        killTimes.shift();
        this.#processes[random.below(2)]?.killAfter(random.below(40));
      }
      await this.#workUntil(dueMs);
    }
  }

  async close(): Promise<void> {
    for (const process of this.#processes) await process.end();
  }

  /** Until nothing is due at that time any more. Who died is followed by somebody else. */
  async #workUntil(dueMs: number): Promise<void> {
    do {
      await this.#clock.advance(1);
      await othersHadTheirTurn(5);
      if (this.#clock.now() - dueMs > 200) await this.#clock.advance(500);
      for (const dead of this.#processes.filter(({ isKilled }) => isKilled)) {
        this.#processes = this.#processes.filter((process) => process !== dead);
        await dead.end();
        this.killed += 1;
        await this.#open();
      }
    } while ((await this.#nextDue()) <= dueMs);
  }

  async #nextDue(): Promise<number> {
    const row = await this.#database
      .prepared<{ atMs: number | null }>('SELECT min(next_run_at) AS "atMs" FROM monitors')
      .get();
    return row?.atMs ?? Infinity;
  }

  async #open() {
    this.#leases.releaseDead();
    const process = new MortalProcess(
      await openDatabase(this.#path),
      this.#leases,
      this.#clock,
      openDatabaseQueue,
    );
    this.#processes.push(process);
    const { database, queue } = process;
    const timer = new MonitorTimer({
      database,
      clock: this.#clock,
      queue,
      begin: (tx, { monitor, scheduledAtMs }) =>
        insertCheck(tx, {
          id: uuidV7(),
          monitorId: monitor.id,
          teamId: monitor.teamId,
          status: "completed",
          isManual: false,
          scheduledAtMs,
          nowMs: this.#clock.now(),
        }),
    });
    queue.work(timer.work());
    return { process, timer };
  }
}

function plansOf({ daily, weekly, hourly, seed }: Simulation): readonly Plan[] {
  const random = new Random(seed + 1);
  const below = (count: number) => random.below(count);
  return Array.from({ length: daily + weekly + hourly }, (_, index): Plan => {
    const zone = ZONES[index % ZONES.length] ?? "UTC";
    const id = `monitor-${index}`;
    if (index >= daily + weekly) {
      const minute = below(MINUTES_OF_HOUR) * 15;
      return { id, zone, cron: `${minute} * * * *`, minute, hour: undefined, weekday: undefined };
    }
    // Every second one runs while clocks are changed.
    const time = index % 2 === 0 ? below(8) : below(TIMES_OF_DAY);
    const [hour, minute] = [Math.floor(time / 2), (time % 2) * 30];
    const weekday = index >= daily ? (index % 3 === 0 ? 0 : below(7)) : undefined;
    return { id, zone, cron: `${minute} ${hour} * * ${weekday ?? "*"}`, minute, hour, weekday };
  });
}

function rowOf({ id, zone, cron }: Plan, nowMs: number): MonitorRow {
  return {
    id,
    teamId: "team",
    keyId: null,
    name: id,
    status: "active",
    cron,
    timezone: zone,
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

async function compare(
  database: Database,
  plans: readonly Plan[],
  { fromMs, toMs }: Simulation,
): Promise<Omit<SimulationReport, "killed">> {
  const clocks = new Map(ZONES.map((zone) => [zone, minutesOf(zone, fromMs, toMs)]));
  const problems: string[] = [];
  let checks = 0;
  const statement = database.prepared<{ atMs: number }>(
    `SELECT scheduled_at AS "atMs" FROM monitor_checks WHERE monitor_id = ? AND scheduled_at < ? ORDER BY scheduled_at`,
  );
  for (const plan of plans) {
    const found = (await statement.all(plan.id, toMs)).map(({ atMs }) => atMs);
    const wanted = timesOf(plan, clocks.get(plan.zone) ?? []).filter((atMs) => atMs > fromMs && atMs < toMs);
    checks += found.length;
    const [have, want] = [new Set(found), new Set(wanted)];
    const about = `${plan.cron} ${plan.zone}`;
    problems.push(
      ...wanted.filter((atMs) => !have.has(atMs)).map((atMs) => `${about}: none at ${iso(atMs)}`),
      ...found.filter((atMs) => !want.has(atMs)).map((atMs) => `${about}: one at ${iso(atMs)}`),
      ...(have.size < found.length ? [`${about}: some are there twice`] : []),
    );
  }
  return { checks, problems };
}

/** A minute of the world, and what clocks show then. */
interface Minute {
  readonly atMs: number;
  readonly clockMs: number;
}

/** Asked minute by minute, and not by a calendar: slow, and plain. */
function minutesOf(zone: string, fromMs: number, toMs: number): readonly Minute[] {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: zone,
    dateStyle: "short",
    timeStyle: "medium",
  });
  const minutes: Minute[] = [];
  for (let atMs = fromMs - DAY_MS; atMs < toMs + DAY_MS; atMs += MINUTE_MS)
    minutes.push({ atMs, clockMs: Date.parse(`${format.format(atMs).replace(" ", "T")}Z`) });
  return minutes;
}

/** When a plan is to run: the first minute that shows a time of it, or the first after one that is skipped. */
function timesOf({ minute, hour, weekday }: Plan, minutes: readonly Minute[]): readonly number[] {
  const isTime = (clockMs: number) => {
    const clock = new Date(clockMs);
    return (
      clock.getUTCMinutes() === minute &&
      (hour === undefined || clock.getUTCHours() === hour) &&
      (weekday === undefined || clock.getUTCDay() === weekday)
    );
  };
  const times = new Set<number>();
  let shownMs = Number.NEGATIVE_INFINITY;
  for (const { atMs, clockMs } of minutes) {
    const first = Number.isFinite(shownMs) ? shownMs + MINUTE_MS : clockMs;
    // More than one minute where clocks skip some; none where they show some again.
    for (let ms = first; ms <= clockMs; ms += MINUTE_MS) if (isTime(ms)) times.add(atMs);
    shownMs = Math.max(shownMs, clockMs);
  }
  return [...times];
}

function iso(atMs: number): string {
  return new Date(atMs).toISOString();
}
