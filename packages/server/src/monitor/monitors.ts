import type { Caller } from "../accounts/callers.ts";
import { ConflictError, NotFoundError, ServiceError } from "../api/errors.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Statements } from "../storage/database/database.ts";
import { startJob } from "../scrape/request/job.ts";
import { requireCredits } from "../jobs/job-service.ts";
import { checkSchedule } from "../jobs/schedule/schedule.ts";
import { type CheckRow, getCheck } from "./check-rows.ts";
import { crawlBody } from "./crawl-step.ts";
import { estimateCheck } from "./estimate.ts";
import { planTarget } from "./plans.ts";
import {
  checkGoal,
  DEFAULT_RETENTION_DAYS,
  keptTargets,
  type MonitorChange,
  type MonitorPlan,
  type MonitorRequest,
} from "./request.ts";
import { getMonitor, insertMonitor, type MonitorRow, writeMonitor } from "./rows.ts";
import type { MonitorServices } from "./services.ts";
import { MonitorTimer } from "./timer.ts";
import { askRecipients, mailWork } from "./notify.ts";
import { beginningWork, NO_RETENTION, prepareCheck, queueCheck } from "./start-check.ts";
import { isDeepStrictEqual } from "node:util";
import { untold } from "../scrape/request/masked-body.ts";
import { cronOfText } from "../jobs/schedule/text-schedule.ts";
import type { Target } from "./targets.ts";

interface MonitorCall<Request> {
  readonly caller: Caller;
  readonly linkBase: string;
  readonly request: Request;
  /** Body before it was parsed. */
  readonly body: object;
}

export class Monitors {
  readonly services: MonitorServices;
  readonly #timer: MonitorTimer;

  constructor(services: MonitorServices) {
    this.services = services;
    const { store } = services;
    this.#timer = new MonitorTimer({
      database: store.database,
      clock: store.clock,
      queue: store.queue,
      begin: async (tx, { monitor, scheduledAtMs }) => {
        await queueCheck(tx, monitor, { isManual: false, scheduledAtMs }, services);
      },
    });
  }

  /** Starts running due monitors and sending messages. */
  work(): void {
    this.services.store.queue.work(this.#timer.work());
    this.services.store.queue.work(beginningWork(this.services));
    this.services.store.queue.work(mailWork(this.services));
  }

  async create({ caller, linkBase, request, body }: MonitorCall<MonitorRequest>): Promise<MonitorRow> {
    const { store, options } = this.services;
    const nowMs = store.clock.now();
    const id = uuidV7(nowMs);
    const schedule = scheduleOf(request.schedule, { cron: "", timezone: "UTC" }, id);
    checkSchedule(schedule, nowMs);
    const { webhook = null, notification = null, goal = null } = request;
    const targets = keptTargets(request.targets, body);
    const judgeEnabled = request.judgeEnabled ?? goal !== null;
    const plan: MonitorPlan = { targets, webhook, notification, goal, judgeEnabled };
    const estimate = await this.#admit({ id, plan, caller, linkBase });
    await requireCredits(caller, estimate, this.services.scraping);
    const monitor: MonitorRow = {
      id,
      teamId: caller.teamId,
      keyId: caller.keyId ?? null,
      name: request.name,
      status: "active",
      ...schedule,
      plan: options.seal(id, plan),
      retentionDays: request.retentionDays ?? DEFAULT_RETENTION_DAYS,
      linkBase,
      nextRunAtMs: null,
      lastRunAtMs: null,
      currentCheckId: null,
      lastSummary: null,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    };
    return store.database.transaction(async (tx) => {
      await insertMonitor(tx, monitor);
      await askRecipients(tx, { id, teamId: monitor.teamId, plan }, this.services);
      return { ...monitor, nextRunAtMs: await this.#timer.set(tx, monitor) };
    });
  }

  /** Missing fields keep their values. */
  async change(
    id: string,
    { caller, linkBase, request, body }: MonitorCall<MonitorChange>,
  ): Promise<MonitorRow> {
    const { store, options } = this.services;
    const known = await this.find(id, caller.teamId);
    const nowMs = store.clock.now();
    const before = options.open({ id, options: known.plan });
    const plan = changedPlan(before, request, body);
    checkChangedGoal(before, plan, request);
    const schedule = request.schedule ? scheduleOf(request.schedule, known, id) : known;
    if (request.schedule) checkSchedule(schedule, nowMs);
    if (request.targets) await this.#admit({ id, plan, caller, linkBase });
    const changed: MonitorRow = {
      ...known,
      keyId: caller.keyId ?? null,
      name: request.name ?? known.name,
      status: request.status ?? known.status,
      cron: schedule.cron,
      timezone: schedule.timezone,
      plan: options.seal(id, plan),
      retentionDays: request.retentionDays ?? known.retentionDays,
      linkBase,
      updatedAtMs: nowMs,
    };
    return store.database.transaction(async (tx) => {
      await askRecipients(tx, { id, teamId: known.teamId, plan }, this.services);
      return this.#write(tx, changed);
    });
  }

  /** Pauses or resumes a monitor. Its rights stay the same. */
  async setStatus(monitor: MonitorRow, status: "active" | "paused"): Promise<void> {
    const { store } = this.services;
    const changed = { ...monitor, status, updatedAtMs: store.clock.now() };
    await store.database.transaction((tx) => this.#write(tx, changed));
  }

  async remove(id: string, teamId: string): Promise<void> {
    const { store } = this.services;
    await this.find(id, teamId);
    await store.database.transaction(async (tx) => {
      const monitor = await getMonitor(tx, id);
      if (!monitor) return;
      await this.#timer.clear(tx, id);
      await tx.prepared("UPDATE monitors SET status = 'deleted' WHERE id = ?").run(id);
      await this.#cancelChecks(tx, monitor);
    });
  }

  /** @throws ConflictError for a paused monitor, and while a check is active. */
  async run(id: string, caller: Caller): Promise<CheckRow> {
    const { store, scraping } = this.services;
    const monitor = await this.find(id, caller.teamId);
    refuseRun(monitor);
    this.refuseReader(monitor, caller);
    const prepared = await prepareCheck(monitor, this.services);
    if (prepared.estimate !== undefined) await requireCredits(caller, prepared.estimate, scraping);
    const check = await store.database.transaction(async (tx) => {
      const now = await getMonitor(tx, id);
      if (!now) throw new NotFoundError("Monitor not found");
      refuseRun(now);
      const occasion = { isManual: true, scheduledAtMs: store.clock.now() };
      return getCheck(tx, await queueCheck(tx, now, occasion, this.services));
    });
    if (!check) throw new Error("The check that was begun is not there.");
    return check;
  }

  /** @throws NotFoundError */
  async find(id: string, teamId: string): Promise<MonitorRow> {
    const monitor = await getMonitor(this.services.store.database, id.toLowerCase());
    if (monitor?.teamId !== teamId) throw new NotFoundError("Monitor not found");
    return monitor;
  }

  /** @throws ForbiddenError when the caller's key does not allow the formats of the monitor's pages. */
  refuseReader({ id, plan, linkBase }: MonitorRow, caller: Caller): void {
    if (!caller.restrictions.formats) return;
    for (const target of this.services.options.open({ id, options: plan }).targets) {
      const url =
        target.type === "scrape" ? target.urls[0] : target.type === "crawl" ? target.url : undefined;
      if (url === undefined) continue;
      startJob(planTarget(target).pages.for(url), { kind: "monitor", caller, linkBase });
    }
  }

  /** Checks whether the caller may do everything that the monitor does. @returns the estimate of a check. */
  async #admit({ id, plan, caller, linkBase }: Admitted): Promise<number> {
    if (caller.team.flags.zeroDataRetention === "forced")
      throw new ServiceError("BAD_REQUEST", { message: NO_RETENTION });
    const { crawl, jobs } = this.services;
    for (const target of plan.targets) {
      if (target.type !== "crawl") continue;
      const { zeroDataRetention } = crawl.at(jobs).request(crawlBody(target));
      if (zeroDataRetention) throw new ServiceError("BAD_REQUEST", { message: NO_RETENTION });
    }
    return estimateCheck({ monitorId: id, plan, caller, linkBase }, this.services);
  }

  /** The schedule restarts when its times or the monitor's status changed. */
  async #write(tx: Statements, changed: MonitorRow): Promise<MonitorRow> {
    const now = await getMonitor(tx, changed.id);
    if (!now) throw new NotFoundError("Monitor not found");
    const isSame =
      now.status === changed.status && now.cron === changed.cron && now.timezone === changed.timezone;
    await writeMonitor(tx, { ...changed, nextRunAtMs: now.nextRunAtMs });
    if (isSame) return { ...changed, nextRunAtMs: now.nextRunAtMs, currentCheckId: now.currentCheckId };
    if (changed.status === "active") return { ...changed, nextRunAtMs: await this.#timer.set(tx, changed) };
    await this.#timer.clear(tx, changed.id);
    return { ...changed, nextRunAtMs: null };
  }

  async #cancelChecks(tx: Statements, { id, currentCheckId }: MonitorRow): Promise<void> {
    const { dispatcher } = this.services.store;
    if (currentCheckId === null) return;
    const crawls = await tx
      .prepared<{ crawlId: string }>(`SELECT crawl_id AS "crawlId" FROM monitor_crawls WHERE check_id = ?`)
      .all(currentCheckId);
    await tx.prepared("DELETE FROM monitor_crawls WHERE check_id = ?").run(currentCheckId);
    await this.services.store.queue.cancel(tx, currentCheckId);
    await dispatcher.cancel(tx, currentCheckId);
    for (const { crawlId } of crawls) await dispatcher.cancel(tx, crawlId);
    await this.services.store.queue.cancel(tx, `monitor ${id}`);
  }
}

interface Admitted {
  readonly id: string;
  readonly plan: MonitorPlan;
  readonly caller: Caller;
  readonly linkBase: string;
}

function refuseRun({ currentCheckId, status }: MonitorRow): void {
  if (currentCheckId !== null)
    throw new ConflictError("Monitor check is already running.", { checkId: currentCheckId });
  if (status === "paused") throw new ConflictError("Monitor is paused. Resume it before running a check.");
}

interface ScheduleRequest {
  readonly cron?: string | undefined;
  readonly text?: string | undefined;
  readonly timezone?: string | undefined;
}

/** Missing fields keep their values. @param seed spreads schedules in words that name no minute. */
function scheduleOf(
  { cron, text, timezone }: ScheduleRequest,
  known: Pick<MonitorRow, "cron" | "timezone">,
  seed: string,
): Pick<MonitorRow, "cron" | "timezone"> {
  const ofText = text === undefined ? undefined : cronOfText(text, seed);
  return {
    cron: ofText ?? cron?.trim().replaceAll(/\s+/g, " ") ?? known.cron,
    timezone: timezone ?? known.timezone,
  };
}

function changedPlan(before: MonitorPlan, request: MonitorChange, body: object): MonitorPlan {
  const { webhook, notification, goal } = request;
  const targets = request.targets
    ? keptTargets(request.targets, body).map((target) => untold(target, before.targets.find(isLike(target))))
    : before.targets;
  const nextGoal = goal === undefined ? before.goal : goal;
  return {
    targets,
    webhook:
      webhook === undefined
        ? before.webhook
        : untold(webhook, webhook?.url === before.webhook?.url ? before.webhook : null),
    notification: notification === undefined ? before.notification : notification,
    goal: nextGoal,
    judgeEnabled: request.judgeEnabled ?? (goal === undefined ? before.judgeEnabled : nextGoal !== null),
  };
}

/** Whether the secrets of the other target may be sent to the addresses of this one. */
function isLike(target: Target): (other: Target) => boolean {
  return (other) => other.id === target.id && isDeepStrictEqual(addressesOf(other), addressesOf(target));
}

function addressesOf(target: Target): readonly string[] {
  if (target.type === "scrape") return target.urls;
  return target.type === "crawl" ? [target.url] : [];
}

/**
 * Search targets that were accepted without a goal may stay so. @throws ServiceError BAD_REQUEST for others.
 */
function checkChangedGoal(
  before: MonitorPlan,
  plan: MonitorPlan,
  request: Pick<MonitorChange, "judgeEnabled">,
): void {
  const hadSearch = before.targets.some(({ type }) => type === "search");
  const judgeEnabled = request.judgeEnabled ?? (hadSearch ? before.judgeEnabled : undefined);
  checkGoal({ ...plan, judgeEnabled });
}
