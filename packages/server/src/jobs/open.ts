import { readVersion } from "../api/version.ts";
import { Dispatcher } from "./dispatcher.ts";
import type { JobContext } from "./job-kind.ts";
import { JobService } from "./job-service.ts";
import { HostPoliteness } from "./host-politeness.ts";
import { PROGRAM_LANE } from "./run-rows.ts";
import { KeptJobs } from "./kept-jobs.ts";
import { type JobStore, RunPlaces } from "./run-place.ts";
import { RunLooks, RunWatch } from "./run-watch.ts";
import { Delivery } from "./webhooks/delivery.ts";
import { Outbox } from "./webhooks/outbox.ts";
import { WebhookSecrets } from "./webhooks/signature.ts";
import { WebhookService } from "./webhooks/service.ts";
import type { Pressure } from "@pergamon-dev/kit/pressure";
import { repeat } from "@pergamon-dev/kit/repeat";
import { type Clock, systemClock } from "../storage/clock/clock.ts";
import { openMemoryCoordinator } from "../storage/coordination/memory.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openDatabaseJobs } from "./queue/database-jobs.ts";
import type { Jobs } from "./queue/jobs.ts";
import { post } from "../net/post.ts";
import type { Accounts } from "../accounts/open.ts";
import { type Context, reporter } from "../config/context.ts";
import type { History } from "../history/open.ts";
import type { NodeContext } from "../http/nodes/open.ts";
import type { Net } from "../net/open.ts";
import type { Storage } from "../storage/open.ts";
import { PAGE_LIST_TABLE } from "./page-list.ts";

type RunNeeds = Context &
  Storage &
  Net &
  Accounts &
  NodeContext &
  History & {
    readonly pressure: Pick<Pressure, "reason">;
    readonly jobContext: JobContext;
  };

/** The runs of all families, their stores and their worker. */
export interface Runs {
  readonly service: JobService;
  readonly webhooks: WebhookService;
  /** Starts work on waiting runs and on webhooks. */
  work(): void;
}

/** Steps that run at once in this process. Most of them only wait for their host or their team. */
const STEPS_AT_ONCE = 5000;
/** Retention of runs that must not be stored. */
const FLEETING_RETENTION_MS = 60 * 60 * 1000;
const PRUNE_INTERVAL_MS = 60_000;

export function openRuns(context: RunNeeds): Runs {
  const { config, resources, database, coordinator, secrets, audit, nodes, pressure } = context;
  const onError = reporter(context.log, "Jobs could not be read or written.");
  const onFailure = reporter(context.log, "A step of a job failed unexpectedly.");
  const lacking = () => (pressure.reason() === "memory" ? "memory" : undefined);
  const clock = clockOf(database);
  const jobs = openDatabaseJobs({ database, coordinator, onError, onFailure, lacking, clock });
  resources.add(jobs, (opened) => opened.close());
  const { webhooks } = config.jobs;
  const retentionMs = () => config.jobs.retentionMs;
  const watch = new RunWatch();
  const signing = new WebhookSecrets(database, secrets, webhooks.secret);
  const shared = { watch, signing };
  const lasting = openPlace(context, { ...shared, database, jobs, isLasting: true, retentionMs });
  const openFleeting = async () => {
    const memory = await openMemory(context);
    const place = openPlace(context, { ...shared, ...memory, ...FLEETING });
    register(place);
    place.work();
    return place;
  };
  const places = new RunPlaces(lasting, openFleeting, {
    watch,
    processName: async () => nodes?.processName(),
  });
  const service = new JobService({ kinds: context.kinds, context: context.jobContext, places });
  const register = (place: JobStore) => {
    for (const handler of service.handlersIn(place)) place.dispatcher.register(handler);
  };
  register(lasting);
  for (const data of [...service.teamData(), new KeptJobs({ ...keptOf(context), database })])
    context.teamData.add(data);
  return {
    service,
    webhooks: new WebhookService({ database, outbox: lasting.outbox, signing, audit }),
    work() {
      lasting.work();
      service.work();
    },
  };
}

/** Prefers the database's clock, so that all machines agree on when a job is due. */
function clockOf({ nowMs }: Pick<Database, "nowMs">): Clock {
  return nowMs ? { ...systemClock, now: nowMs } : systemClock;
}

/** All stores share it. */
export function openHosts({ config }: Context): HostPoliteness {
  return new HostPoliteness({ clock: systemClock, maxAtOnce: config.jobs.hostConcurrency });
}

const FLEETING = { isLasting: false, retentionMs: () => FLEETING_RETENTION_MS } as const;

/** A database and an engine that end with the process. */
async function openMemory(context: Context) {
  const { log, resources } = context;
  const database = resources.add(await openDatabase("sqlite::memory:"), (opened) => opened.close());
  await database.migrate();
  const onError = reporter(log, "Jobs in memory failed.");
  const jobs = openDatabaseJobs({ database, coordinator: openMemoryCoordinator(), onError });
  resources.add(jobs, (opened) => opened.close());
  const kept = new KeptJobs({ ...keptOf(context), database, retentionMs: () => FLEETING_RETENTION_MS });
  const pruning = repeat(PRUNE_INTERVAL_MS, () => kept.prune(), onError);
  resources.add(pruning, (repeated) => repeated.stop());
  return { database, jobs };
}

interface PlaceParts {
  readonly watch: RunWatch;
  readonly signing: WebhookSecrets;
  readonly database: Database;
  readonly jobs: Jobs;
  readonly isLasting: boolean;
  readonly retentionMs: () => number;
}

function openPlace(context: RunNeeds, parts: PlaceParts) {
  const { database, jobs, isLasting, retentionMs, watch } = parts;
  const clock = clockOf(database);
  const outbox = new Outbox({ jobs, clock, secrets: context.secrets });
  const events = Object.assign(outbox, { changed: (runId: string) => watch.changed(runId) });
  const dispatcher = new Dispatcher({ database, jobs, clock, events, slots: STEPS_AT_ONCE });
  const onError = reporter(context.log, "Runs that are watched could not be read.");
  const looks = new RunLooks({ database, watch, onError });
  const place: JobStore & { work(): void } = {
    database,
    outbox,
    dispatcher,
    jobs,
    clock,
    isLasting,
    bodies: context.bodies,
    get retentionMs() {
      return retentionMs();
    },
    within: (tx, work) => (isLasting ? work(tx) : database.transaction(work)),
    watch: (runId, listener) => looks.watch(runId, listener),
    work() {
      dispatcher.work();
      dispatcher.work(PROGRAM_LANE);
      openDelivery(context, { ...parts, outbox }).work();
    },
  };
  return place;
}

function openDelivery(
  { config, guard, records }: RunNeeds,
  { database, jobs, signing, outbox }: PlaceParts & { readonly outbox: Outbox },
): Delivery {
  const { signatureHeader, retryMs } = config.jobs.webhooks;
  return new Delivery({
    database,
    jobs,
    outbox,
    clock: clockOf(database),
    send: (letter, signal) => post(letter, guard, signal),
    secretOf: (teamId) => signing.of(teamId),
    documentOf: (scrapeId) => records.answerBytes(scrapeId),
    signatureHeader,
    userAgent: `Pergamon/${readVersion()}`,
    retryMs,
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
