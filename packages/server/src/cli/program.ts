import type { Readable, Writable } from "node:stream";

import type { Administration } from "../accounts/administration.ts";
import type { Caller } from "../accounts/callers.ts";
import type { Config } from "../config/config.ts";
import type { AgentNews } from "../agent/follow-agent.ts";
import type { SiteMap } from "../map/run-map.ts";
import type { RunErrors } from "../jobs/errors.ts";
import type { AcceptedJob, JobKind, StartedJob } from "../jobs/job-kind.ts";
import type { ExportOrder } from "../jobs/job-exports.ts";
import type { JobNews } from "../jobs/follow-job.ts";
import type { MonitorService } from "../monitor/service.ts";
import type { SearchAnswer } from "../search/data.ts";
import type { WebhookService } from "../jobs/webhooks/service.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { FileContent } from "../storage/blobs/file-content.ts";
import type { MovedTable } from "../storage/database/move-tables.ts";
import type { PartState } from "../storage/part-health.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";

export interface Service {
  /** Starts to listen. @returns the base URL. */
  listen(): Promise<string>;
  /** Finishes running work, then closes everything. */
  close(): Promise<void>;
  readonly log: Log;
  /** True when another process has started this one, and announces the service. */
  readonly isWorker: boolean;
  /** The operator's key, when this start created it. */
  readonly freshAdminKey: string | undefined;
  /** Creates the token of a login link; undefined when there are no pages to log in to. */
  readonly makeLoginToken: (() => Promise<string>) | undefined;
}

/** Stored state of a service that shows how it works. */
export interface Inspection {
  /** Includes settings from the dashboard. */
  readonly config: Config;
  readonly partStates: readonly PartState[];
  /** Reason why nothing could be read. */
  readonly problem?: string;
}

export interface Scraper {
  /** The body is that of `POST /v2/scrape`. */
  scrape(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ScrapeData>;
  /** Reads a file of this machine. The options are those of `POST /v2/parse`. */
  parse(path: string, options: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ScrapeData>;
  /** Opens the file behind a link in a response of this scraper. */
  openFile(link: string): Promise<FileContent>;
  close(): Promise<void>;
}

export interface Mapper {
  /** The body is that of `POST /v2/map`. */
  map(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteMap>;
  close(): Promise<void>;
}

/** Runs jobs over many pages in this process. The runs outlive it. */
export interface Runner {
  /** The body is that of the request that starts such a job. */
  readonly start: <Accepted extends AcceptedJob>(
    kind: JobKind<Accepted>,
    body: Readonly<Record<string, unknown>>,
  ) => Promise<StartedJob<Accepted>>;
  /**
   * Works on a command line run until it has ended, or the signal aborts. Each document is reported once.
   * @throws NotFoundError when the run does not exist; Error when it belongs to the service.
   */
  follow(id: string, signal: AbortSignal): AsyncIterable<JobNews>;
  /** Failures of a job from a position on, and the pages that robots.txt forbids. */
  errors(id: string, skip: number): Promise<RunErrors>;
  /** @throws NotFoundError when the run does not exist; Error when it has ended. */
  cancel(id: string): Promise<void>;
  /** The documents of a job, also one of the service, as a file. @throws NotFoundError when it does not exist. */
  export(id: string, order: ExportOrder, signal: AbortSignal): Promise<Readable>;
  /** Opens the file behind a link in a document of this runner. */
  openFile(link: string): Promise<FileContent>;
  close(): Promise<void>;
}

export interface AgentBench {
  /** The body is that of `POST /v2/agent`. */
  start(body: Readonly<Record<string, unknown>>): Promise<{ readonly id: string; readonly threadId: string }>;
  /** Works on a run until it has ended, or the signal aborts. Each step is reported once. */
  follow(id: string, signal: AbortSignal): AsyncIterable<AgentNews>;
  cancel(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface Searcher {
  /** The body is that of `POST /v2/search`. */
  search(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SearchAnswer>;
  close(): Promise<void>;
}

/** Webhooks in this process. The running service, or the next one to start, performs repeated deliveries. */
export interface WebhookBench {
  readonly webhooks: Pick<WebhookService, "secretOf" | "rotateSecret" | "resend" | "resendDead">;
  /** Used where no team is named. */
  readonly defaultTeamId: string;
  close(): Promise<void>;
}

/** Monitors in this process. The running service, or the next one to start, performs the checks. */
export interface MonitorBench {
  /** The body is that of `POST /v2/monitor`. */
  create(body: object): ReturnType<MonitorService["create"]>;
  list(limit: number): ReturnType<MonitorService["list"]>;
  /** The body is that of `PATCH /v2/monitor/{id}`. @throws NotFoundError, as the others. */
  change(id: string, body: object): ReturnType<MonitorService["change"]>;
  run(id: string): ReturnType<MonitorService["run"]>;
  checks(id: string, limit: number): ReturnType<MonitorService["checks"]>;
  check(id: string, checkId: string): ReturnType<MonitorService["check"]>;
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

export interface ToolBench {
  readonly services: ToolServices;
  /** Caller for tests of tools. */
  readonly caller: Caller;
  close(): Promise<void>;
}

/** Capabilities of the program. Commands know only this interface; `program.ts` composes it. */
export interface Program {
  readonly config: Config;
  /** Reads the stored state of the service, and changes nothing. */
  inspect(): Promise<Inspection>;
  open(): Promise<Service>;
  /** Opens a scraper in this process, without a server. @param changed settings that take the place of the program's. */
  openScraper(changed?: Readonly<Record<string, string>>): Promise<Scraper>;
  /** Opens a site mapper in this process, without a server. */
  openMapper(): Promise<Mapper>;
  /** Opens a runner of jobs over many pages in this process, without a server. */
  openRunner(): Promise<Runner>;
  /** Opens agents in this process, without a server. */
  openAgents(): Promise<AgentBench>;
  /** Opens a search in this process, without a server. */
  openSearcher(): Promise<Searcher>;
  /** Opens provider tools in this process, without a server. */
  openTools(): Promise<ToolBench>;
  /** Opens the management of monitors, whether a server runs or not. */
  openMonitors(): Promise<MonitorBench>;
  /** Opens the management of webhooks, whether a server runs or not. */
  openWebhooks(): Promise<WebhookBench>;
  /**
   * Speaks the Model Context Protocol, one message per line, until the input ends. It answers by itself, or
   * forwards to the service that the settings name.
   */
  serveMcp(lines: { readonly input: Readable; readonly output: Writable }): Promise<void>;
  migrate(): Promise<void>;
  /**
   * Moves an SQLite database into an empty Postgres database. @throws when the target has rows, or differs in
   * the end.
   */
  moveDatabase(order: MoveOrder): Promise<readonly MovedTable[]>;
  /** Manages teams and keys. `work` also gets the id of the team that keys belong to by default. */
  administer<T>(work: (administration: Administration, defaultTeamId: string) => Promise<T>): Promise<T>;
  /** Creates a link that logs the operator in once, within ten minutes. */
  makeLoginLink(): Promise<string>;
  /** Creates a new operator key. It is shown only now. */
  makeAdminKey(): Promise<string>;
  /** Writes everything that a restore needs into one new file, while a service may run. */
  backup(order: BackupOrder): Promise<BackupReport>;
  /** Restores a backup. @throws when a service runs, or existing data may not be replaced. */
  restore(order: RestoreOrder): Promise<RestoreReport>;
}

export interface MoveOrder {
  readonly from: string;
  readonly to: string;
  /** Called after each table has moved. */
  readonly onTable: (table: MovedTable) => void;
}

export interface BackupOrder {
  /** Path of the new file, which must not exist. */
  readonly file: string;
  /** Includes files that can be fetched again, or that are kept for a day only. */
  readonly withFiles: boolean;
  /** Called with a short description of the current step. */
  readonly onProgress: (step: string) => void;
}

export interface BackupReport {
  readonly sizeBytes: number;
  /** Names of the files, most important first. */
  readonly files: readonly string[];
  readonly blobs: number;
  /** Sentences about data known to be missing from the database. */
  readonly warnings: readonly string[];
}

export interface RestoreOrder {
  readonly file: string;
  /** Moves existing data aside. Otherwise existing data stops the restore. */
  readonly replace: boolean;
  /** Accepts a backup of an older program, which does not list its contents. */
  readonly unverified: boolean;
  /** Called with a short description of the current step. */
  readonly onProgress: (step: string) => void;
}

export interface RestoreReport {
  /** Time of the backup, as ISO 8601. */
  readonly madeAt: string;
  readonly blobs: number;
  /** True when every part was compared with the list of the backup. */
  readonly isVerified: boolean;
  /** Folder of the previous data; undefined when there was none. */
  readonly putAside: string | undefined;
}
