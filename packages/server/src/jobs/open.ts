import { readVersion } from "../api/version.ts";
import { Dispatcher } from "./dispatcher.ts";
import { DocumentExport } from "./export-documents.ts";
import type { JobContext } from "./job-kind.ts";
import { JobService } from "./job-service.ts";
import { HostPoliteness } from "./host-politeness.ts";
import { PROGRAM_GROUP } from "./job-rows.ts";
import { KeptJobs } from "./kept-jobs.ts";
import { type JobStore, JobStores } from "./job-store.ts";
import { JobPolling, JobWatch } from "./job-watch.ts";
import { Delivery } from "./webhooks/delivery.ts";
import { Outbox } from "./webhooks/outbox.ts";
import { WebhookSecrets } from "./webhooks/signature.ts";
import { WebhookService } from "./webhooks/service.ts";
import type { Pressure } from "@pergamon-dev/kit/pressure";
import { repeat } from "@pergamon-dev/kit/repeat";
import { type Clock, systemClock } from "../storage/clock/clock.ts";
import { Leader } from "../storage/coordination/leader.ts";
import { openMemoryCoordinator } from "../storage/coordination/memory.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openDatabaseQueue } from "./queue/database-queue.ts";
import type { TaskQueue } from "./queue/task-queue.ts";
import { post } from "../net/post.ts";
import type { Accounts } from "../accounts/open.ts";
import { type Context, reporter } from "../config/context.ts";
import type { History } from "../history/open.ts";
import type { NodeContext } from "../http/nodes/open.ts";
import type { Net } from "../net/open.ts";
import type { Storage } from "../storage/open.ts";
import { PAGE_LIST_TABLE } from "./page-list.ts";

type JobsNeeds = Context &
  Storage &
  Net &
  Accounts &
  NodeContext &
  History & {
    readonly pressure: Pick<Pressure, "reason">;
    readonly jobContext: JobContext;
  };

/** The jobs of all families, their stores and their worker. */
export interface OpenedJobs {
  readonly service: JobService;
  readonly webhooks: WebhookService;
  /** Starts work on waiting jobs and on webhooks. */
  work(): void;
}

/** Tasks that run at once in this process. Most of them only wait for their host or their team. */
const STEPS_AT_ONCE = 5000;
const EXPORT_INTERVAL_MS = 5000;
const EXPORT_LEAD_TTL_MS = 30_000;
/** Retention of jobs that must not be stored. */
const MEMORY_RETENTION_MS = 60 * 60 * 1000;
const PRUNE_INTERVAL_MS = 60_000;

export function openJobs(context: JobsNeeds): OpenedJobs {
  const { config, resources, database, coordinator, secrets, audit, nodes, pressure } = context;
  const onError = reporter(context.log, "Jobs could not be read or written.");
  const onFailure = reporter(context.log, "A step of a job failed unexpectedly.");
  const lacking = () => (pressure.reason() === "memory" ? "memory" : undefined);
  const clock = clockOf(database);
  const queue = openDatabaseQueue({ database, coordinator, onError, onFailure, lacking, clock });
  resources.add(queue, (opened) => opened.close());
  const { webhooks } = config.jobs;
  const retentionMs = () => config.jobs.retentionMs;
  const watch = new JobWatch();
  const signing = new WebhookSecrets(database, secrets, webhooks.secret);
  const shared = { watch, signing };
  const persistent = openStore(context, { ...shared, database, queue, isPersistent: true, retentionMs });
  const openInMemory = async () => {
    const memory = await openMemory(context);
    const store = openStore(context, { ...shared, ...memory, ...IN_MEMORY });
    register(store);
    store.work();
    return store;
  };
  const stores = new JobStores(persistent, openInMemory, {
    watch,
    processName: async () => nodes?.processName(),
  });
  const service = new JobService({ kinds: context.kinds, context: context.jobContext, stores });
  const register = (store: JobStore) => {
    for (const handler of service.handlersIn(store)) store.dispatcher.register(handler);
  };
  register(persistent);
  const exported = context.teamData.add(
    new DocumentExport({ ...context, pages: context.jobContext.scraping, order: config.jobs.exported }),
  );
  for (const data of [...service.teamData(), new KeptJobs({ ...keptOf(context), database })])
    context.teamData.add(data);
  return {
    service,
    webhooks: new WebhookService({
      database,
      outbox: persistent.outbox,
      signing,
      audit,
      documentOf: (scrapeId) => context.records.answerBytes(scrapeId),
    }),
    work() {
      persistent.work();
      service.work();
      if (config.jobs.exported) exportTogether(context, exported);
    },
  };
}

/** Of all processes that share the bucket, one exports. */
function exportTogether({ log, resources, coordinator }: JobsNeeds, exported: DocumentExport): void {
  const leader = new Leader({ coordinator, name: "export", ttlMs: EXPORT_LEAD_TTL_MS });
  resources.add(leader, (leading) => leading.stop());
  const write = () => leader.lead((signal) => exported.write(signal));
  const onError = reporter(log, "Documents could not be exported.");
  resources.add(repeat(EXPORT_INTERVAL_MS, write, onError), (repeated) => repeated.stop());
}

/** Prefers the database's clock, so that all machines agree on when a job is due. */
function clockOf({ nowMs }: Pick<Database, "nowMs">): Clock {
  return nowMs ? { ...systemClock, now: nowMs } : systemClock;
}

/** All stores share it. */
export function openHosts({ config, database, coordinator, log }: Context & Storage): HostPoliteness {
  return new HostPoliteness({
    clock: clockOf(database),
    maxAtOnce: config.jobs.hostConcurrency,
    coordinator,
    database,
    onError: reporter(log, "Pauses of hosts could not be shared."),
  });
}

const IN_MEMORY = { isPersistent: false, retentionMs: () => MEMORY_RETENTION_MS } as const;

/** A database and an engine that end with the process. */
async function openMemory(context: Context) {
  const { log, resources } = context;
  const database = resources.add(await openDatabase("sqlite::memory:"), (opened) => opened.close());
  await database.migrate();
  const onError = reporter(log, "Jobs in memory failed.");
  const queue = openDatabaseQueue({ database, coordinator: openMemoryCoordinator(), onError });
  resources.add(queue, (opened) => opened.close());
  const kept = new KeptJobs({ ...keptOf(context), database, retentionMs: () => MEMORY_RETENTION_MS });
  const pruning = repeat(PRUNE_INTERVAL_MS, () => kept.prune(), onError);
  resources.add(pruning, (repeated) => repeated.stop());
  return { database, queue };
}

interface StoreParts {
  readonly watch: JobWatch;
  readonly signing: WebhookSecrets;
  readonly database: Database;
  readonly queue: TaskQueue;
  readonly isPersistent: boolean;
  readonly retentionMs: () => number;
}

function openStore(context: JobsNeeds, parts: StoreParts) {
  const { database, queue, isPersistent, retentionMs, watch } = parts;
  const clock = clockOf(database);
  const outbox = new Outbox({ queue, clock, secrets: context.secrets });
  const events = Object.assign(outbox, { changed: (jobId: string) => watch.changed(jobId) });
  const dispatcher = new Dispatcher({ database, queue, clock, events, slots: STEPS_AT_ONCE });
  const onError = reporter(context.log, "Runs that are watched could not be read.");
  const looks = new JobPolling({ database, watch, onError });
  const store: JobStore & { work(): void } = {
    database,
    outbox,
    dispatcher,
    queue,
    clock,
    isPersistent,
    bodies: context.bodies,
    get retentionMs() {
      return retentionMs();
    },
    within: (tx, work) => (isPersistent ? work(tx) : database.transaction(work)),
    watch: (jobId, listener) => looks.watch(jobId, listener),
    work() {
      dispatcher.work();
      dispatcher.work(PROGRAM_GROUP);
      openDelivery(context, { ...parts, outbox }).work();
    },
  };
  return store;
}

function openDelivery(
  { config, guard, records }: JobsNeeds,
  { database, queue, signing, outbox, isPersistent }: StoreParts & { readonly outbox: Outbox },
): Delivery {
  const { signatureHeader, retryMs } = config.jobs.webhooks;
  return new Delivery({
    database,
    queue,
    outbox,
    clock: clockOf(database),
    send: (letter, signal) => post(letter, guard, signal),
    secretOf: (teamId) => signing.of(teamId),
    documentOf: (scrapeId) => records.answerBytes(scrapeId),
    signatureHeader,
    userAgent: `Pergamon/${readVersion()}`,
    retryMs,
    keepsAnswers: isPersistent,
  });
}

/** What jobs of all kinds keep, and for how long. */
function keptOf({ config, kinds }: Context) {
  return {
    clock: systemClock,
    tables: [PAGE_LIST_TABLE, ...kinds.flatMap(({ tables }) => tables)],
    retentionMs: () => config.jobs.retentionMs,
  };
}
