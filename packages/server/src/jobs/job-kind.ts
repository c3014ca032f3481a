import type { z } from "zod";

import type { Caller } from "../accounts/callers.ts";
import type { Line, Shape } from "../api/operation-shape.ts";
import type { RateClassName } from "../api/rate-classes.ts";
import { isJsonObject } from "@pergamon-dev/kit/json";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { TeamCall } from "../api/call.ts";
import type { Operation } from "../api/operation.ts";
import type { Statements } from "../storage/database/database.ts";
import type { Again } from "./queue/task-queue.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import type { TeamData } from "../storage/team-data.ts";
import type { PlannedScrape } from "../scrape/request/job.ts";
import type { PlannedOptions } from "../scrape/request/planned-options.ts";
import type { JobHandler, ListPart, NextTask, PendingPage, Task } from "./job-handler.ts";
import type { JobTable } from "./kept-jobs.ts";
import { giveUpPage, makePage, type PageServices } from "./make-page.ts";
import { type ListedPage, PageList, type PagePart } from "./page-list.ts";
import type { PageTask } from "./page-rows.ts";
import { exportOperations } from "./job-exports.ts";
import { readJobErrors, jobOperations, type JobRoutes } from "./job-operations.ts";
import type { JobStore, JobStores } from "./job-store.ts";
import type { Job, JobInsert, WebhookSetting } from "./job-rows.ts";
import type { DocumentSource } from "./job-status.ts";
import { SealedOptions, SealedTexts } from "./sealed-options.ts";

/** A request for a job, with its caller. */
export interface JobCall {
  readonly caller: Caller;
  readonly linkBase: string;
  readonly body: unknown;
  /** Called when everything else is valid. @throws ServiceError when the key is not a UUID. */
  readonly idempotencyKey?: () => string | undefined;
  readonly signal: AbortSignal;
  readonly workerGroup?: string;
  /** Writes rows of the caller in the transaction that starts the job. @throws to start no job. */
  readonly within?: (tx: Statements, jobId: string) => Promise<void>;
}

/** A job before it is stored. */
export interface NewJob extends Pick<JobInsert, "id" | "teamId" | "keyId" | "linkBase"> {
  readonly store: JobStore;
}

/** What a kind returns for a request that it accepts. */
export interface AcceptedJob<Options = unknown> {
  /** Stored with the job, encrypted. Default: nothing. */
  readonly options?: Options;
  /** Credits that the team must have left. */
  readonly credits: number;
  /** Plan of one of its pages, which holds for all. Default: the job itself scrapes nothing. */
  readonly page?: PlannedScrape | undefined;
  /** True: nothing is stored, as of a page without retention. */
  readonly isPrivate?: boolean;
  /** Pages that are known at the start. @property options as `Options`; stored with this list, encrypted. */
  readonly list?: { readonly urls: readonly string[]; readonly options?: Options };
  /** Pages admitted at the start. Default: length of the list. */
  readonly total?: number;
  /** Id of a job of this kind that the list is appended to, instead of starting a new one. */
  readonly appendTo?: string | undefined;
  readonly maxConcurrency?: number | undefined;
  readonly webhook?: WebhookSetting | undefined;
  readonly warnings?: readonly string[];
}

export interface StartedJob<Accepted> {
  readonly id: string;
  readonly accepted: Accepted;
}

/** Starts jobs of all kinds, and knows their stores. */
export interface JobStarter {
  readonly stores: JobStores;
  readonly records: DocumentSource;
  readonly scraping: PageServices["scraping"];
  start<Accepted extends AcceptedJob>(kind: JobKind<Accepted>, call: JobCall): Promise<StartedJob<Accepted>>;
  /** The opened kind, with the context of its operations. */
  opened<Accepted extends AcceptedJob>(kind: JobKind<Accepted>): OpenedKind<Accepted>;
}

/** Services that all kinds of jobs use. */
export interface JobContext extends PageServices {
  readonly secrets: Pick<Secrets, "seal" | "open">;
}

/** Context of a kind, with the parts that the job service adds. */
export type KindContext<Context, Request, Options, Plan> = Context &
  Pick<JobStarter, "stores" | "records"> & {
    readonly jobs: JobStarter;
    readonly options: SealedOptions<Options, Plan>;
    /** @throws ZodError for an invalid body. */
    request(body: unknown): Request;
  };

/** `KindContext` with the store of the job: the database of the service, or memory. */
export type PlacedContext<Context, Request, Options, Plan> = KindContext<Context, Request, Options, Plan> & {
  readonly store: JobStore;
  readonly pages: PageList;
};

/** The request of a kind in one version of the interface. */
interface Asked<Accepted> {
  /** `/v2/batch/scrape` */
  readonly path: `/v${1 | 2}/${string}`;
  readonly body: Shape;
  readonly answer: Shape;
  /** Properties of the answer besides the job's id. Default: the URL of its status. */
  reply?(accepted: Accepted, url: string): object;
}

/** @property bodyOf converts a body of version 1 to version 2. */
interface Version1<Accepted> extends Asked<Accepted> {
  bodyOf(body: Readonly<Record<string, unknown>>): unknown;
  /** Names of other kinds whose jobs are found under the same path. */
  readonly others?: readonly string[];
}

/** A kind that clients start. */
interface Started<Accepted, At> extends Asked<Accepted> {
  readonly summary: string;
  readonly errors: readonly number[];
  /** Checks a request. @throws ZodError, ServiceError or ForbiddenError when it cannot be done. */
  accept(call: JobCall, context: At): Promise<Accepted>;
}

interface Work<Accepted, At, Placed, Options> {
  /** Writes rows of the kind, in the transaction that starts the job. */
  start?(tx: Statements, job: NewJob, accepted: Accepted, context: At): Promise<void>;
  /** Like `JobHandler.maxBlock`. */
  readonly maxBlock?: number;
  /** Like `JobHandler.next`. Default: the pages of the list. */
  next?(tx: Statements, job: Job, count: number, context: Placed): Promise<readonly NextTask[]>;
  /** The page that a task makes. Undefined when it was deleted with its job. */
  page?(task: Task, context: Placed): Promise<PageTask | undefined>;
  /** Runs a task. Default: makes its page. */
  run?(task: Task, context: Placed): Promise<Again | undefined>;
  /** Ends a task that failed three times. Default: marks its page as failed. */
  fail?(task: Task, reason: string, context: Placed): Promise<void>;
  /** Like `JobHandler.pending`. Default: the pending pages of the list. */
  pending?(tx: Statements, job: Job, part: ListPart, context: Placed): Promise<readonly PendingPage[]>;
  /** Like `JobHandler.outcomes`. Default: none. */
  outcomes?: JobHandler["outcomes"];
  isWaiting?(tx: Statements, job: Job, context: Placed): Promise<boolean>;
  ended?(tx: Statements, job: Job, context: Placed): Promise<void>;
  /** Like `JobHandler.otherEnded`. */
  otherEnded?(tx: Statements, job: Job, context: Placed): Promise<void>;
  /** JSON that webhooks receive with the end of a job. */
  result?(tx: Statements, job: Job, context: Placed): Promise<string | undefined>;
  /** Prompt or name of the job, for the operator. */
  question?(options: Options): string | undefined;
}

/** @property path undefined: the feature starts its jobs itself, by `Dispatcher.start`. */
type Definition<Context, Own, Request, Options, Plan, Accepted> = Common<
  Context,
  Own,
  Request,
  Options,
  Plan,
  Accepted
> &
  (Started<Accepted, KindContext<Context & Own, Request, Options, Plan>> | { readonly path?: undefined });

interface Common<Context, Own, Request, Options, Plan, Accepted> extends Work<
  Accepted,
  KindContext<Context & Own, Request, Options, Plan>,
  PlacedContext<Context & Own, Request, Options, Plan>,
  Options
> {
  /** Name in webhooks and in the database: `batch_scrape`. */
  readonly name: string;
  /** Name for people: `Batch scrape`. */
  readonly title: string;
  /** Endpoint that keys can be restricted to, and that its pages are charged as. */
  readonly endpoint: string;
  /** Default: Sites. */
  readonly tag?: string;
  /** Rate class of the start. Default: crawl. */
  readonly rate?: RateClassName;
  readonly maxBodyBytes?: number;
  /** Tables of the kind. Their rows are deleted with their job, and when a team is erased. */
  readonly tables?: readonly JobTable[];
  /** True: the webhooks carry only the kind's own events. */
  readonly sendsOwnEvents?: true;
  /** False: the kind has no list of documents that clients page through and watch. */
  readonly hasDocuments?: false;
  /** Schema of the body in version 2. It is built with the first request. */
  request(context: Context): z.ZodType<Request>;
  /** Converts the stored options to the form that tasks need. Called once for all tasks of a job. */
  plan(options: Options, context: Context): Plan;
  /** Opens services of the kind that this process needs besides the given ones. */
  open?(context: KindContext<Context, Request, Options, Plan>): Own;
  /** Data of the kind that is not in `tables`. */
  teamData?(context: KindContext<Context & Own, Request, Options, Plan>): TeamData;
  /** Begins work besides that of jobs, in a process that works on jobs. */
  work?(context: KindContext<Context & Own, Request, Options, Plan>): void;
  /** Further operations, listed before those that all kinds with documents have. */
  operations?(routes: JobRoutes): readonly Operation<KindContext<Context & Own, Request, Options, Plan>>[];
  /** Called for each request, for example to announce a newer endpoint. */
  announce?(call: TeamCall): void;
}

/** `Definition` without the types of one kind. */
type AnyDefinition<Accepted> = Common<JobContext, unknown, unknown, unknown, unknown, Accepted> &
  Partial<AnyStarted<Accepted>>;
type AnyStarted<Accepted> = Started<Accepted, KindContext<JobContext, unknown, unknown, unknown>>;
type AnyPlacedContext = PlacedContext<JobContext, unknown, unknown, unknown>;

export interface JobKind<Accepted extends AcceptedJob = AcceptedJob, Context = never, At = object> {
  readonly name: string;
  readonly title: string;
  readonly endpoint: string;
  readonly tables: readonly JobTable[];
  /** False: its feature starts its jobs, without requests of clients. */
  readonly isRequested: boolean;
  readonly operations: readonly Operation<JobStarter>[];
  /** Routes that watch its jobs. Undefined for kinds without documents. */
  readonly routes: JobRoutes | undefined;
  /** The same kind for clients of version 1. */
  version1(asked: Version1<Accepted>): Pick<JobKind, "operations" | "routes">;
  open(context: Context, jobs: JobStarter): OpenedKind<Accepted>;
  /** Context of its operations. */
  at(jobs: JobStarter): At;
}

export interface OpenedKind<Accepted extends AcceptedJob = AcceptedJob> {
  /** Context of its operations. */
  readonly context: object;
  accept(call: JobCall): Promise<Accepted>;
  pagesIn(store: JobStore): PageList;
  writeList(job: NewJob, accepted: Accepted): Promise<PagePart | undefined>;
  begin(tx: Statements, job: NewJob, accepted: Accepted): Promise<void>;
  sealed(id: string, accepted: Accepted): string;
  handlerIn(store: JobStore): JobHandler;
  readonly teamData: TeamData | undefined;
  work(): void;
}

/**
 * Defines a kind of job: its request, its stored options, its tasks and its results. Acceptance, storage,
 * retries, charges, webhooks, operations, deletion and the operator's screen follow from that.
 */
export function defineJobKind<
  Context extends JobContext,
  Request,
  Options,
  Plan,
  Accepted extends AcceptedJob<Options>,
  Own = unknown,
>(
  own: Definition<Context, Own, Request, Options, Plan, Accepted>,
): JobKind<Accepted, Context, KindContext<Context & Own, Request, Options, Plan>> {
  // The type parameters matter only inside the definition's own methods.
  const definition = own as unknown as AnyDefinition<Accepted>;
  const { name, title, endpoint, tables = [] } = definition;
  const kind: ReturnType<typeof defineJobKind<Context, Request, Options, Plan, Accepted, Own>> = {
    name,
    title,
    endpoint,
    tables,
    isRequested: isStarted(definition),
    ...versionOf(
      definition,
      isStarted(definition) ? { ...definition, bodyOf: (body) => body } : undefined,
      () => kind,
    ),
    version1: (asked) => versionOf(definition, { tag: "Version 1", ...asked }, () => kind),
    open: (context, jobs) => openKind(definition, context, jobs),
    at: (jobs) => jobs.opened(kind).context as KindContext<Context & Own, Request, Options, Plan>,
  };
  return kind;
}

function openKind<Accepted extends AcceptedJob>(
  definition: AnyDefinition<Accepted>,
  shared: JobContext,
  jobs: JobStarter,
): OpenedKind<Accepted> {
  const { endpoint } = definition;
  const schema = lazy(() => definition.request(shared));
  const options = new SealedOptions(shared.secrets, endpoint, (stored: unknown) =>
    definition.plan(stored, shared),
  );
  // Lists of all kinds share their tables, so they share the purpose of the key.
  const texts = new SealedTexts(shared.secrets, "batch");
  const given = {
    ...shared,
    stores: jobs.stores,
    records: jobs.records,
    jobs,
    options,
    request: (body: unknown) => schema().parse(body),
  };
  const context = { ...given, ...(definition.open?.(given) as object) };
  const pagesIn = ({ database, clock }: JobStore) => new PageList({ database, clock, texts });
  return {
    context,
    async accept(call) {
      if (!isStarted(definition)) throw new Error(`${definition.title} is started by its feature.`);
      return definition.accept(call, context);
    },
    teamData: definition.teamData?.(context),
    work: () => definition.work?.(context),
    pagesIn,
    async writeList({ id: jobId, teamId, store }, { list }) {
      if (!list) return undefined;
      const { urls, options: own } = list;
      const sealing = own !== undefined && { options: (partId: string) => options.seal(partId, own) };
      return pagesIn(store).write({ jobId, teamId, urls, ...sealing });
    },
    async begin(tx, job, accepted) {
      await definition.start?.(tx, job, accepted, context);
    },
    sealed: (id, accepted) => (accepted.options === undefined ? "" : options.seal(id, accepted.options)),
    handlerIn: (store) => handlerOf(definition, { ...context, store, pages: pagesIn(store) }),
  };
}

function handlerOf<Accepted>(definition: AnyDefinition<Accepted>, context: AnyPlacedContext): JobHandler {
  const { name, title, sendsOwnEvents, maxBlock } = definition;
  const { pages, options } = context;
  return {
    name,
    title,
    sendsOwnEvents,
    maxBlock,
    async next(tx, job, count) {
      return definition.next ? definition.next(tx, job, count, context) : pages.next(tx, job.id, count);
    },
    async run(task) {
      if (definition.run) return definition.run(task, context);
      const page = await definition.page?.(task, context);
      return page && makePage(page, context);
    },
    async fail(task, reason) {
      if (definition.fail) return definition.fail(task, reason, context);
      const page = await definition.page?.(task, context);
      if (page) await giveUpPage(page, reason);
    },
    async pending(tx, job, part) {
      return definition.pending?.(tx, job, part, context) ?? pages.pending(tx, job.id, part);
    },
    outcomes: async (statements, job) => definition.outcomes?.(statements, job),
    isWaiting: async (tx, job) => definition.isWaiting?.(tx, job, context) ?? false,
    ended: async (tx, job) => definition.ended?.(tx, job, context),
    otherEnded: async (tx, job) => definition.otherEnded?.(tx, job, context),
    result: async (tx, job) => definition.result?.(tx, job, context),
    async request(statements, job) {
      const stored = job.options === "" ? await pages.firstPart(statements, job.id) : job;
      return stored?.options ? options.open(stored) : undefined;
    },
    question: (job) => definition.question?.(options.open(job)),
  };
}

/** The page that a task of a list makes. Its row is deleted when it has ended. */
export async function listedPage(
  task: Task,
  { pages, store }: { readonly pages: PageList; readonly store: JobStore },
  pageOf: (listed: ListedPage) => { readonly kind: string; readonly options: PlannedOptions },
): Promise<PageTask | undefined> {
  const listed = await pages.get(task.payload);
  if (!listed) return undefined;
  const { url, scrapeId } = listed;
  return { task, store, url, scrapeId, ...pageOf(listed), write: (tx) => pages.remove(tx, task.payload) };
}

function isStarted<Accepted extends AcceptedJob>(
  definition: AnyDefinition<Accepted>,
): definition is AnyDefinition<Accepted> & AnyStarted<Accepted> {
  return definition.path !== undefined;
}

type OperationsOf = Pick<JobKind, "operations" | "routes">;

function versionOf<Accepted extends AcceptedJob>(
  definition: AnyDefinition<Accepted>,
  version: (Version1<Accepted> & { readonly tag?: string }) | undefined,
  kindOf: () => JobKind<Accepted>,
): OperationsOf {
  const { name, title, endpoint, hasDocuments = true } = definition;
  const { path = `/v2/${endpoint}` as const, tag = "Sites", others = [] } = version ?? {};
  const routes: JobRoutes = { families: [name, ...others], title, path, endpoint, tag };
  const own = (definition.operations?.(routes) ?? []).map(
    ({ permit: _permit, handle, ...description }): Operation<JobStarter> => ({
      ...description,
      handle: (call, jobs) => handle(call, jobs.opened(kindOf()).context as never),
    }),
  );
  return {
    operations: [
      ...(version && isStarted(definition) ? [startOperation(definition, { ...version, tag }, kindOf)] : []),
      ...own,
      ...(hasDocuments ? jobOperations(routes) : []),
      ...(hasDocuments && path.startsWith("/v2/") ? exportOperations(routes) : []),
      // Clients of version 1 also read errors by DELETE.
      ...(hasDocuments && path.startsWith("/v1/") ? [readJobErrors(routes, "DELETE")] : []),
    ],
    routes: hasDocuments ? routes : undefined,
  };
}

function startOperation<Accepted extends AcceptedJob>(
  definition: AnyDefinition<Accepted> & AnyStarted<Accepted>,
  { path, tag, body, answer, bodyOf, reply }: Version1<Accepted> & { readonly tag: string },
  kindOf: () => JobKind<Accepted>,
): Operation<JobStarter> {
  const { endpoint, summary, rate = "crawl", maxBodyBytes, errors, announce } = definition;
  const line: Line = `POST ${path}`;
  return {
    line,
    access: "caller",
    tag,
    summary,
    endpoint,
    rate,
    isPaid: true,
    takesIdempotencyKey: true,
    body,
    ...(maxBodyBytes !== undefined && { maxBodyBytes }),
    answer,
    errors,
    async handle(anyCall, jobs) {
      const call = anyCall as TeamCall;
      const { caller, linkBase, signal } = call;
      announce?.(call);
      if (isPrivate(call.body)) call.keepPrivate();
      const idempotencyKey = () => call.idempotencyKey;
      const order = { caller, linkBase, body: bodyOf(call.body as never), idempotencyKey, signal };
      const { id, accepted } = await jobs.start(kindOf(), order);
      call.note({ [`${endpoint}Id`]: id });
      const url = `${linkBase}${path}/${id}`;
      return { success: true, id, ...(reply ? reply(accepted, url) : { url }) };
    },
  };
}

/** Error reports must not quote such requests. */
function isPrivate(body: unknown): boolean {
  return isJsonObject(body) && (body["zeroDataRetention"] === true || body["lockdown"] === true);
}
