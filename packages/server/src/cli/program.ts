import type { Readable, Writable } from "node:stream";

import type { Administration } from "../accounts/administration.ts";
import type { Caller } from "../accounts/callers.ts";
import type { Config } from "../config/config.ts";
import type { AgentNews } from "../agent/follow-agent.ts";
import type { SiteMap } from "../map/run-map.ts";
import type { RunNews } from "../jobs/follow-run.ts";
import type { MonitorService } from "../monitor/service.ts";
import type { SearchAnswer } from "../search/data.ts";
import type { WebhookService } from "../jobs/webhooks/service.ts";
import type { Log } from "@pergamon-dev/kit/log/log";
import type { FileContent } from "../storage/blobs/file-content.ts";
import type { MovedTable } from "../storage/database/move-tables.ts";
import type { PartState } from "../storage/part-health.ts";
import type { ToolServices } from "../tools/run-tools.ts";
import type { ScrapeData } from "../scrape/answer/schema.ts";

/** The opened service. */
export interface Service {
  /** Starts to listen. @returns the base URL. */
  listen(): Promise<string>;
  /** Finishes what is under way, then closes everything. */
  close(): Promise<void>;
  readonly log: Log;
  /** Whether another process has started this one, and speaks for it. */
  readonly isWorker: boolean;
  /** The operator's key, when it was made by this start. */
  readonly freshAdminKey: string | undefined;
  /** Makes the token of a login link; undefined when there are no pages to log in to. */
  readonly makeLoginToken: (() => Promise<string>) | undefined;
}

/** What a service has written down that tells how it works. */
export interface Inspection {
  /** With the settings that were made in the dashboard. */
  readonly config: Config;
  readonly partStates: readonly PartState[];
  /** Why nothing could be read. */
  readonly problem?: string;
}

/** Scrapes in this process. */
export interface Scraper {
  /** The body is that of `POST /v2/scrape`. */
  scrape(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ScrapeData>;
  /** Reads a file of this machine. The options are those of `POST /v2/parse`. */
  parse(path: string, options: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<ScrapeData>;
  /** Opens what a link in an answer of this scraper names. */
  openFile(link: string): Promise<FileContent>;
  close(): Promise<void>;
}

/** Lists the pages of sites in this process. */
export interface Mapper {
  /** The body is that of `POST /v2/map`. */
  map(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SiteMap>;
  close(): Promise<void>;
}

/** @property invalidUrls undefined where none could be left out. */
interface StartedBatch {
  readonly id: string;
  readonly invalidUrls: readonly string[] | undefined;
}

/** Makes many pages in this process, in runs that outlive it. */
export interface Runner {
  /** The body is that of `POST /v2/batch/scrape`. */
  startBatch(body: Readonly<Record<string, unknown>>): Promise<StartedBatch>;
  /** The body is that of `POST /v2/crawl`. */
  startCrawl(body: Readonly<Record<string, unknown>>): Promise<{ readonly id: string }>;
  /**
   * Works on a run of the command line until it has ended, or the signal aborts. Each document is reported once.
   * @throws NotFoundError when there is no such run; Error when it is the service's.
   */
  follow(id: string, signal: AbortSignal): AsyncIterable<RunNews>;
  /** @throws NotFoundError when there is no such run; Error when it has ended. */
  cancel(id: string): Promise<void>;
  /** Opens what a link in a document of this runner names. */
  openFile(link: string): Promise<FileContent>;
  close(): Promise<void>;
}

/** Finds things out in this process. */
export interface AgentBench {
  /** The body is that of `POST /v2/agent`. */
  start(body: Readonly<Record<string, unknown>>): Promise<{ readonly id: string; readonly threadId: string }>;
  /** Works on a run until it has ended, or the signal aborts. Each step is reported once. */
  follow(id: string, signal: AbortSignal): AsyncIterable<AgentNews>;
  cancel(id: string): Promise<void>;
  close(): Promise<void>;
}

/** Looks for pages in this process. */
export interface Searcher {
  /** The body is that of `POST /v2/search`. */
  search(body: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<SearchAnswer>;
  close(): Promise<void>;
}

/** Webhooks in this process. What is sent again is sent by the service that runs, or that starts next. */
export interface WebhookBench {
  readonly webhooks: Pick<WebhookService, "secretOf" | "rotateSecret" | "resend" | "resendDead">;
  /** The team where none is named. */
  readonly defaultTeamId: string;
  close(): Promise<void>;
}

/** Monitors in this process. What they check is checked by the service that runs, or that starts next. */
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

/** Provider tools in this process. */
export interface ToolBench {
  readonly services: ToolServices;
  /** In whose name tools are tried. */
  readonly caller: Caller;
  close(): Promise<void>;
}

/** What commands can do. Composed above; commands know only this. */
export interface Program {
  readonly config: Config;
  /** Reads what the service has written down, and changes nothing. */
  inspect(): Promise<Inspection>;
  open(): Promise<Service>;
  /** Opens what it takes to scrape in this process, without a server. */
  openScraper(): Promise<Scraper>;
  /** Opens what it takes to map sites in this process, without a server. */
  openMapper(): Promise<Mapper>;
  /** Opens what it takes to make many pages in this process, without a server. */
  openRunner(): Promise<Runner>;
  /** Opens what it takes to find things out in this process, without a server. */
  openAgents(): Promise<AgentBench>;
  /** Opens what it takes to look for pages in this process, without a server. */
  openSearcher(): Promise<Searcher>;
  /** Opens what it takes to call provider tools in this process, without a server. */
  openTools(): Promise<ToolBench>;
  /** Opens what it takes to look after monitors, whether a server runs or not. */
  openMonitors(): Promise<MonitorBench>;
  /** Opens what it takes to look after webhooks, whether a server runs or not. */
  openWebhooks(): Promise<WebhookBench>;
  /**
   * Speaks the Model Context Protocol, one message per line, until the input ends: for itself, or for the service that
   * the settings name.
   */
  serveMcp(lines: { readonly input: Readable; readonly output: Writable }): Promise<void>;
  migrate(): Promise<void>;
  /** Moves a database of SQLite into an empty one of Postgres. @throws when that has rows, or differs in the end. */
  moveDatabase(order: MoveOrder): Promise<readonly MovedTable[]>;
  /** Works on teams and keys, with the id of the team that keys belong to by default. */
  administer<T>(work: (administration: Administration, defaultTeamId: string) => Promise<T>): Promise<T>;
  /** Makes a link that logs the operator in once, within ten minutes. */
  makeLoginLink(): Promise<string>;
  /** Makes a new operator key. It is shown only now. */
  makeAdminKey(): Promise<string>;
  /** Writes what is needed to restore into one new file, while a service may run. */
  backup(order: BackupOrder): Promise<BackupReport>;
  /** Puts a backup in place. @throws when a service runs, or data is there that may not be replaced. */
  restore(order: RestoreOrder): Promise<RestoreReport>;
}

export interface MoveOrder {
  readonly from: string;
  readonly to: string;
  /** Called for each table once it is moved. */
  readonly onTable: (table: MovedTable) => void;
}

export interface BackupOrder {
  /** Is made, and must not exist. */
  readonly file: string;
  /** Whether what can be fetched again, or is kept for a day only, is backed up too. */
  readonly withFiles: boolean;
  /** Called with a few words on what is being done. */
  readonly onProgress: (step: string) => void;
}

export interface BackupReport {
  readonly sizeBytes: number;
  /** Names of the files, in the order of their importance. */
  readonly files: readonly string[];
  readonly blobs: number;
  /** What is known to be missing from the database, in sentences. */
  readonly warnings: readonly string[];
}

export interface RestoreOrder {
  readonly file: string;
  /** Whether data that is there is put aside; otherwise it stops the restore. */
  readonly replace: boolean;
  /** Whether a backup of an older program, which does not say what is in it, is taken. */
  readonly unverified: boolean;
  /** Called with a few words on what is being done. */
  readonly onProgress: (step: string) => void;
}

export interface RestoreReport {
  /** When the backup was made, as ISO 8601. */
  readonly madeAt: string;
  readonly blobs: number;
  /** Whether every part was compared with what had been backed up. */
  readonly isVerified: boolean;
  /** Folder of what was there before; undefined when nothing was. */
  readonly putAside: string | undefined;
}
