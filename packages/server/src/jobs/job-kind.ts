import type { z } from "zod";

import type { Caller } from "../accounts/callers.ts";
import type { Line, Shape } from "../api/operation-shape.ts";
import type { RateClassName } from "../api/rate-classes.ts";
import { isJsonObject } from "@pergamon-dev/kit/json";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { TeamCall } from "../api/call.ts";
import type { Operation } from "../api/operation.ts";
import type { Statements } from "../storage/database/database.ts";
import type { Again } from "./queue/jobs.ts";
import type { Secrets } from "../storage/secrets/secrets.ts";
import type { PlannedScrape } from "../scrape/request/job.ts";
import type { PlannedOptions } from "../scrape/request/planned-options.ts";
import type { JobHandler, ListPart, NextTask, PendingPage, Task } from "./job-handler.ts";
import type { JobTable } from "./kept-jobs.ts";
import { giveUpPage, makePage, type PageServices } from "./make-page.ts";
import { type ListedPage, PageList, type PagePart } from "./page-list.ts";
import type { PageTask } from "./page-rows.ts";
import { readRunErrors, runOperations, type RunRoutes } from "./run-operations.ts";
import type { JobStore, RunPlaces } from "./run-place.ts";
import type { JobRun, NewRun, WebhookSetting } from "./run-rows.ts";
import type { DocumentSource } from "./run-status.ts";
import { SealedOptions, SealedTexts } from "./sealed-options.ts";

/** Who wants a job of what. */
export interface JobCall {
  readonly caller: Caller;
  readonly linkBase: string;
  readonly body: unknown;
  /** Asked for when everything else is known to be right. @throws ServiceError for one that is not a UUID. */
  readonly idempotencyKey?: () => string | undefined;
  readonly signal: AbortSignal;
  readonly lane?: string;
  /** Rows of the caller's, in the transaction that starts the job. @throws to start none. */
  readonly within?: (tx: Statements, jobId: string) => Promise<void>;
}

/** A job before it is written down. */
export interface NewJob extends Pick<NewRun, "id" | "teamId" | "keyId" | "linkBase"> {
  readonly place: JobStore;
}

/** What a kind says of a request that it accepts. */
export interface AcceptedJob<Options = unknown> {
  /** Stored with the job, encrypted. Default: nothing. */
  readonly options?: Options;
  /** Credits that the team has to have left. */
  readonly credits: number;
  /** One of its pages: what holds for it holds for all. Default: nothing is scraped, or by other work. */
  readonly page?: PlannedScrape | undefined;
  /** Pages that are listed at the start. @property options as `Options`; stored with this list, encrypted. */
  readonly list?: { readonly urls: readonly string[]; readonly options?: Options };
  /** Pages admitted at the start. Default: those of the list. */
  readonly total?: number;
  /** A job of this kind to which the list is added, instead of a new one. */
  readonly appendTo?: string | undefined;
  readonly maxConcurrency?: number | undefined;
  readonly webhook?: WebhookSetting | undefined;
  readonly warnings?: readonly string[];
}

export interface StartedJob<Accepted> {
  readonly id: string;
  readonly accepted: Accepted;
}

/** Jobs of all kinds: how they are started, and where they are. */
export interface JobStarter {
  readonly places: RunPlaces;
  readonly records: DocumentSource;
  start<Accepted extends AcceptedJob>(kind: JobKind<Accepted>, call: JobCall): Promise<StartedJob<Accepted>>;
  /** The kind, with what its operations work with. */
  opened<Accepted extends AcceptedJob>(kind: JobKind<Accepted>): OpenedKind<Accepted>;
}

/** What all kinds of jobs work with. */
export interface JobContext extends PageServices {
  readonly secrets: Pick<Secrets, "seal" | "open">;
}

/** The context of a kind, with what the service of jobs adds. */
export type KindContext<Context, Request, Options, Plan> = Context &
  Pick<JobStarter, "places" | "records"> & {
    readonly jobs: JobStarter;
    readonly options: SealedOptions<Options, Plan>;
    /** @throws ZodError for an invalid body. */
    request(body: unknown): Request;
  };

/** The same, where jobs live: in the database of the service, or in memory. */
export type PlacedContext<Context, Request, Options, Plan> = KindContext<Context, Request, Options, Plan> & {
  readonly place: JobStore;
  readonly pages: PageList;
};

/** How a kind is asked for by one version of the interface. */
interface Asked<Accepted> {
  /** `/v2/batch/scrape` */
  readonly path: `/v${1 | 2}/${string}`;
  readonly body: Shape;
  readonly answer: Shape;
  /** What the client learns of a job besides its id. Default: where its state and documents are. */
  reply?(accepted: Accepted, url: string): object;
}

/** @property bodyOf the body as version 2 has it. */
interface Version1<Accepted> extends Asked<Accepted> {
  bodyOf(body: Readonly<Record<string, unknown>>): unknown;
  /** Names of other kinds that are found there. */
  readonly others?: readonly string[];
}

interface Work<Accepted, At, Placed, Options> {
  /** Checks a request. @throws ZodError, ServiceError, ForbiddenError for what cannot be done. */
  accept(call: JobCall, context: At): Promise<Accepted>;
  /** Writes rows of the kind, in the transaction that starts the job. */
  start?(tx: Statements, job: NewJob, accepted: Accepted, context: At): Promise<void>;
  /** As `JobHandler.next`. Default: the pages of its list. */
  next?(tx: Statements, job: JobRun, count: number, context: Placed): Promise<readonly NextTask[]>;
  /** The page that a task makes; undefined when it was deleted with its job. */
  page?(task: Task, context: Placed): Promise<PageTask | undefined>;
  /** Runs a task. Default: makes its page. */
  run?(task: Task, context: Placed): Promise<Again | undefined>;
  /** Ends a task that failed thrice. Default: its page has failed. */
  fail?(task: Task, reason: string, context: Placed): Promise<void>;
  /** As `JobHandler.pending`. Default: those of its list. */
  pending?(tx: Statements, job: JobRun, part: ListPart, context: Placed): Promise<readonly PendingPage[]>;
  isWaiting?(tx: Statements, job: JobRun, context: Placed): Promise<boolean>;
  ended?(tx: Statements, job: JobRun, context: Placed): Promise<void>;
  /** What webhooks receive with the end of a job, as JSON. */
  result?(tx: Statements, job: JobRun, context: Placed): Promise<string | undefined>;
  /** What the job was asked in words, for the operator. */
  question?(options: Options): string;
}

/** Everything about a kind of job. */
interface Definition<Context, Own, Request, Options, Plan, Accepted>
  extends
    Asked<Accepted>,
    Work<
      Accepted,
      KindContext<Context & Own, Request, Options, Plan>,
      PlacedContext<Context & Own, Request, Options, Plan>,
      Options
    > {
  /** In webhooks and in the database: `batch_scrape`. */
  readonly name: string;
  /** As people read it: `Batch scrape`. */
  readonly title: string;
  /** What keys can be restricted to, and what its pages are charged as. */
  readonly endpoint: string;
  readonly summary: string;
  /** Default: Sites. */
  readonly tag?: string;
  /** What the start counts as. Default: crawl. */
  readonly rate?: RateClassName;
  readonly maxBodyBytes?: number;
  readonly errors: readonly number[];
  /** Rows of the kind. They are deleted with their job, and when a team is erased. */
  readonly tables?: readonly JobTable[];
  /** Whether its webhooks are events of its own. */
  readonly sendsOwnEvents?: true;
  /** False: it brings no list of documents that clients page through and watch. */
  readonly hasDocuments?: false;
  /** The body of version 2. It is built with the first request. */
  request(context: Context): z.ZodType<Request>;
  /** What tasks need of the stored options. It is made once for all tasks of a job. */
  plan(options: Options, context: Context): Plan;
  /** What this process has for the kind, besides what it is given. */
  open?(context: Context): Own;
  /** Other operations, before those that all kinds with documents have. */
  operations?(routes: RunRoutes): readonly Operation<KindContext<Context & Own, Request, Options, Plan>>[];
  /** Called for each request, such as to announce that there is something newer. */
  announce?(call: TeamCall): void;
}

/** The same, where it does not matter which types the kind has. */
type AnyDefinition<Accepted> = Definition<JobContext, unknown, unknown, unknown, unknown, Accepted>;
type AnyPlacedContext = PlacedContext<JobContext, unknown, unknown, unknown>;

/** A kind of job. `open` gives it what it works with. */
export interface JobKind<Accepted extends AcceptedJob = AcceptedJob, Context = never, At = object> {
  readonly name: string;
  readonly title: string;
  readonly endpoint: string;
  readonly tables: readonly JobTable[];
  readonly operations: readonly Operation<JobStarter>[];
  /** Where its jobs are watched; undefined where they bring no documents. */
  readonly routes: RunRoutes | undefined;
  /** The same for clients of version 1. */
  version1(asked: Version1<Accepted>): Pick<JobKind, "operations" | "routes">;
  open(context: Context, jobs: JobStarter): OpenedKind<Accepted>;
  /** What its operations work with. */
  at(jobs: JobStarter): At;
}

/** A kind of job in a process. */
export interface OpenedKind<Accepted extends AcceptedJob = AcceptedJob> {
  /** What its operations work with. */
  readonly context: object;
  accept(call: JobCall): Promise<Accepted>;
  pagesIn(place: JobStore): PageList;
  writeList(job: NewJob, accepted: Accepted): Promise<PagePart | undefined>;
  begin(tx: Statements, job: NewJob, accepted: Accepted): Promise<void>;
  sealed(id: string, accepted: Accepted): string;
  handlerIn(place: JobStore): JobHandler;
}

/**
 * Defines a kind of job: its request, what is stored of it, its tasks, and what it brings. From that follow acceptance,
 * storage, retries, charges, webhooks, the operations of its jobs, their deletion, and the operator's screen.
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
  // Its types are known to its methods alone.
  const definition = own as unknown as AnyDefinition<Accepted>;
  const { name, title, endpoint, tables = [] } = definition;
  const kind: ReturnType<typeof defineJobKind<Context, Request, Options, Plan, Accepted, Own>> = {
    name,
    title,
    endpoint,
    tables,
    ...versionOf(definition, { ...definition, bodyOf: (body) => body }, () => kind),
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
  // Lists of all kinds share their tables.
  const texts = new SealedTexts(shared.secrets, "batch");
  const context = {
    ...shared,
    ...(definition.open?.(shared) as object),
    places: jobs.places,
    records: jobs.records,
    jobs,
    options,
    request: (body: unknown) => schema().parse(body),
  };
  const pagesIn = ({ database, clock }: JobStore) => new PageList({ database, clock, texts });
  return {
    context,
    accept: (call) => definition.accept(call, context),
    pagesIn,
    async writeList({ id: jobId, teamId, place }, { list }) {
      if (!list) return undefined;
      const { urls, options: own } = list;
      const sealing = own !== undefined && { options: (partId: string) => options.seal(partId, own) };
      return pagesIn(place).write({ jobId, teamId, urls, ...sealing });
    },
    async begin(tx, job, accepted) {
      await definition.start?.(tx, job, accepted, context);
    },
    sealed: (id, accepted) => (accepted.options === undefined ? "" : options.seal(id, accepted.options)),
    handlerIn: (place) => handlerOf(definition, { ...context, place, pages: pagesIn(place) }),
  };
}

function handlerOf<Accepted extends AcceptedJob>(
  definition: AnyDefinition<Accepted>,
  context: AnyPlacedContext,
): JobHandler {
  const { name, title, sendsOwnEvents } = definition;
  const { pages, options } = context;
  return {
    name,
    title,
    sendsOwnEvents,
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
    isWaiting: async (tx, job) => definition.isWaiting?.(tx, job, context) ?? false,
    ended: async (tx, job) => definition.ended?.(tx, job, context),
    result: async (tx, job) => definition.result?.(tx, job, context),
    question: (job) => definition.question?.(options.open(job)),
  };
}

/** The page of a task of a list. It leaves the list when it has ended. */
export async function listedPage(
  task: Task,
  { pages, place }: { readonly pages: PageList; readonly place: JobStore },
  pageOf: (listed: ListedPage) => { readonly kind: string; readonly options: PlannedOptions },
): Promise<PageTask | undefined> {
  const listed = await pages.get(task.payload);
  if (!listed) return undefined;
  const { url } = listed;
  return { task, place, url, ...pageOf(listed), write: (tx) => pages.remove(tx, task.payload) };
}

type OperationsOf = Pick<JobKind, "operations" | "routes">;

function versionOf<Accepted extends AcceptedJob>(
  definition: AnyDefinition<Accepted>,
  version: Version1<Accepted> & { readonly tag?: string },
  kindOf: () => JobKind<Accepted>,
): OperationsOf {
  const { name, title, endpoint, hasDocuments = true } = definition;
  const { path, tag = "Sites", others = [] } = version;
  const routes: RunRoutes = { families: [name, ...others], title, path, endpoint, tag };
  const own = (definition.operations?.(routes) ?? []).map(
    ({ permit: _permit, handle, ...description }): Operation<JobStarter> => ({
      ...description,
      handle: (call, jobs) => handle(call, jobs.opened(kindOf()).context as never),
    }),
  );
  return {
    operations: [
      startOperation(definition, { ...version, tag }, kindOf),
      ...own,
      ...(hasDocuments ? runOperations(routes) : []),
      // Clients of version 1 ask for them by DELETE, too.
      ...(hasDocuments && path.startsWith("/v1/") ? [readRunErrors(routes, "DELETE")] : []),
    ],
    routes: hasDocuments ? routes : undefined,
  };
}

function startOperation<Accepted extends AcceptedJob>(
  definition: AnyDefinition<Accepted>,
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

/** Failures of such requests quote nothing of them. */
function isPrivate(body: unknown): boolean {
  return isJsonObject(body) && (body["zeroDataRetention"] === true || body["lockdown"] === true);
}
