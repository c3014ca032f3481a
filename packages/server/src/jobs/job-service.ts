import type { Caller } from "../accounts/callers.ts";
import { ConflictError, NotFoundError, ServiceError } from "../api/errors.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Statements } from "../storage/database/database.ts";
import type { TeamData } from "../storage/team-data.ts";
import { startJob as startScrape } from "../scrape/request/job.ts";
import type { RunServices } from "../scrape/run.ts";
import { takeIdempotencyKey } from "./idempotency.ts";
import type { JobHandler } from "./job-handler.ts";
import type {
  AcceptedJob,
  JobCall,
  JobContext,
  JobKind,
  JobStarter,
  NewJob,
  OpenedKind,
  StartedJob,
} from "./job-kind.ts";
import type { StoredJob, JobStore, JobStores } from "./job-store.ts";
import { insertTrace } from "./job-rows.ts";
import { type DocumentSource, findJob } from "./job-status.ts";

interface JobServiceParts {
  readonly kinds: readonly JobKind[];
  readonly context: JobContext;
  readonly stores: JobStores;
  /**
   * Lane of jobs whose call names none, which decides the processes that work on them. Default:
   * `SERVICE_GROUP`.
   */
  readonly workerGroup?: string;
}

export class JobService implements JobStarter {
  readonly stores: JobStores;
  readonly records: DocumentSource;
  readonly scraping: RunServices;
  readonly #parts: JobServiceParts;
  readonly #opened: ReadonlyMap<string, OpenedKind>;

  /** @param opened kinds that are open already. */
  constructor(parts: JobServiceParts, opened?: ReadonlyMap<string, OpenedKind>) {
    const { kinds, context, stores } = parts;
    this.#parts = parts;
    this.stores = stores;
    this.scraping = context.scraping;
    this.records = context.scraping.records;
    this.#opened = opened ?? new Map(kinds.map((kind) => [kind.name, kind.open(context as never, this)]));
  }

  /** A copy of this service that starts its jobs in another worker group. */
  inWorkerGroup(workerGroup: string): JobService {
    return new JobService({ ...this.#parts, workerGroup }, this.#opened);
  }

  /** The opened kind, with the context of its operations. */
  opened<Accepted extends AcceptedJob>({ name }: JobKind<Accepted>): OpenedKind<Accepted> {
    const opened = this.#opened.get(name);
    if (!opened) throw new Error(`There is no kind of job ${name}.`);
    return opened as OpenedKind<Accepted>;
  }

  handlersIn(store: JobStore): readonly JobHandler[] {
    return [...this.#opened.values()].map((kind) => kind.handlerIn(store));
  }

  /** Data of the kinds that is not in their tables. */
  teamData(): readonly TeamData[] {
    return [...this.#opened.values()].flatMap(({ teamData }) => teamData ?? []);
  }

  /** Begins work of the kinds besides that of jobs. */
  work(): void {
    for (const kind of this.#opened.values()) kind.work();
  }

  /**
   * Starts a job, or appends to one. When it resolves, the job is stored and nothing has been fetched yet.
   * @throws ZodError for an invalid body; ServiceError, ForbiddenError, NotFoundError and ConflictError in
   *   the order of the contract of the families, section 1.12.
   */
  async start<Accepted extends AcceptedJob>(
    kind: JobKind<Accepted>,
    call: JobCall,
  ): Promise<StartedJob<Accepted>> {
    const { caller, linkBase } = call;
    const opened = this.opened(kind);
    const accepted = await opened.accept(call);
    const { page, appendTo, credits, isPrivate } = accepted;
    const scrape = page && startScrape(page, { kind: kind.endpoint, caller, linkBase });
    const idempotencyKey = call.idempotencyKey?.();
    const isStored = isPrivate !== true && scrape?.retention !== "none";
    const store = isStored ? this.stores.persistent : await this.stores.fleeting();
    const appended =
      appendTo === undefined ? undefined : await this.#findAppended(appendTo, { kind, caller, store });
    await requireCredits(caller, credits, this.#parts.context.scraping);
    const id = appended?.job.id ?? uuidV7();
    const job = { id, teamId: caller.teamId, keyId: caller.keyId, linkBase, store };
    const write = await this.#writerOf(job, { kind, call, accepted, isAppended: appended !== undefined });
    await this.#commit(job, { kind, idempotencyKey, write });
    return { id, accepted };
  }

  /**
   * Writes the list in slices, which count only after the transaction at the end. @returns what that
   * transaction runs.
   */
  async #writerOf(job: NewJob, order: Order): Promise<(tx: Statements) => Promise<void>> {
    const { kind, call, accepted, isAppended } = order;
    const { id, store } = job;
    const opened = this.opened(kind);
    const part = await opened.writeList(job, accepted);
    const concurrency = await teamConcurrency(call.caller, this.#parts.context.scraping);
    const { list, total = list?.urls.length ?? 0, maxConcurrency, webhook, warnings = [] } = accepted;
    return async (tx) => {
      await call.within?.(tx, id);
      await opened.begin(tx, job, accepted);
      if (part) await opened.pagesIn(store).join(tx, part);
      if (isAppended) {
        const more = { pages: total, maxConcurrency, webhook };
        // The job was cancelled since the check.
        if (!(await store.dispatcher.append(tx, id, more))) refuseEnded(kind.title, "cancelled");
        return;
      }
      await store.dispatcher.start(tx, {
        ...job,
        family: kind.name,
        // Only this process can work on jobs in its memory.
        workerGroup: store.isPersistent ? (call.workerGroup ?? this.#parts.workerGroup) : undefined,
        options: opened.sealed(id, accepted),
        total,
        maxConcurrency,
        teamConcurrency: concurrency,
        webhook,
      });
      for (const warning of warnings) await store.dispatcher.warn(tx, id, warning);
    };
  }

  /** Takes the key of the request and stores the whole job, or neither. @throws ConflictError */
  async #commit({ id, teamId, store }: NewJob, { kind, idempotencyKey: key, write }: Commit): Promise<void> {
    const nowMs = store.clock.now();
    const process = store.isPersistent ? undefined : await this.stores.processName();
    await this.stores.persistent.database.transaction(async (tx) => {
      if (key !== undefined && !(await takeIdempotencyKey(tx, { teamId, key, nowMs })))
        throw new ConflictError("Idempotency key already used");
      if (!store.isPersistent) await insertTrace(tx, { id, teamId, family: kind.name, process }, nowMs);
      await store.within(tx, write);
    });
  }

  async #findAppended(id: string, { kind, caller, store }: Appending): Promise<StoredJob> {
    const { name, title } = kind;
    const found = await findJob(this.stores, { id, teamId: caller.teamId, families: [name] }).catch(
      (failure: unknown) => {
        throw failure instanceof NotFoundError ? new NotFoundError("Job not found") : failure;
      },
    );
    refuseEnded(title, found.job.state);
    if (found.store === store) return found;
    throw new ServiceError("BAD_REQUEST", {
      message: "The batch of appendToId and this request differ in zero data retention. Start a new batch.",
    });
  }
}

interface Order {
  readonly kind: JobKind;
  readonly call: JobCall;
  readonly accepted: AcceptedJob;
  readonly isAppended: boolean;
}

interface Commit extends Pick<Order, "kind"> {
  readonly idempotencyKey: string | undefined;
  readonly write: (tx: Statements) => Promise<void>;
}

interface Appending extends Pick<Order, "kind"> {
  readonly caller: Caller;
  readonly store: JobStore;
}

function refuseEnded(title: string, state: string): void {
  if (state !== "cancelled" && state !== "failed") return;
  throw new ConflictError(`${title} ${state === "failed" ? "has failed" : "was cancelled"}`);
}

/** @throws ServiceError insufficient_credits when the team or the key has less left. */
export async function requireCredits(
  { payer }: Caller,
  amount: number,
  { credits }: Pick<RunServices, "credits">,
): Promise<void> {
  const startedAtMs = Date.now();
  const hold = await credits.hold({ id: uuidV7(startedAtMs), startedAtMs, payer, amount });
  await hold.release();
}

/** Maximum number of the team's tasks that the queue has at once. Undefined: no limit. */
export async function teamConcurrency(
  { team }: Caller,
  { limits }: Pick<RunServices, "limits">,
): Promise<number | undefined> {
  return (await limits.load(team)).limit;
}
