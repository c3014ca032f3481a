import { chmod, mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

import { tellOfChange } from "../../accounts/audit-actor.ts";
import type { AuditLog } from "../../accounts/audit.ts";
import type { BackupsAnswer } from "../backups.ts";
import type { Config } from "../../config/config.ts";
import { ConflictError, NotFoundError, ServiceError } from "../../api/errors.ts";
import { programFile } from "@pergamon-dev/kit/process/program-file";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import type { Database } from "../../storage/database/database.ts";
import { nextOfSequence } from "../../storage/database/sequences.ts";
import type { BackupNews, BackupTask } from "./backup-worker.ts";
import { databaseFile } from "../../storage/data-files.ts";

const PROGRAM = { bundle: "backup-worker.js", loader: "backup-source.mjs" };

/**
 * A running backup reports that it is alive at this interval. The next limit decides when it counts as dead.
 */
const SIGN_MS = 1000;
const DEAD_AFTER_MS = 30_000;
const MAX_LISTED = 100;

interface BackupRow {
  readonly id: string;
  readonly file: string;
  readonly withFiles: number;
  readonly startedAtMs: number;
  readonly seenAtMs: number;
  readonly endedAtMs: number | null;
  readonly step: string;
  readonly sizeBytes: number | null;
  readonly problem: string | null;
}

type Backup = BackupsAnswer["data"]["backups"][number];

interface BackupServiceParts {
  readonly config: Config;
  readonly database: Database;
  readonly audit: Pick<AuditLog, "write">;
}

/**
 * Runs the backups that the dashboard starts. Their state is in the database, so any process can report it.
 */
export class BackupService {
  readonly #parts: BackupServiceParts;
  readonly #running = new Set<Promise<void>>();

  constructor(parts: BackupServiceParts) {
    this.#parts = parts;
  }

  async list(): Promise<BackupsAnswer["data"]> {
    const { config, database } = this.#parts;
    const rows = await database.prepared<BackupRow>(LIST).all(MAX_LISTED);
    const backups = await Promise.all(rows.map((row) => this.#show(row)));
    return { folder: config.stores.backupDir, whyNot: whyNot(config) ?? null, backups };
  }

  async begin(withFiles: boolean): Promise<Backup> {
    const { config, database, audit } = this.#parts;
    const reason = whyNot(config);
    if (reason !== undefined) throw new ServiceError("BAD_REQUEST", { message: reason });
    await makeFolder(config.stores.backupDir);
    const nowMs = Date.now();
    const id = uuidV7(nowMs);
    const file = `pergamon-${new Date(nowMs).toISOString().slice(0, 19).replaceAll(":", "-")}Z-${id.slice(-4)}.tar`;
    await database.transaction(async (tx) => {
      // The row of the sequence serialises these transactions.
      await nextOfSequence(tx, "backups", 1);
      const other = await tx.prepared<{ id: string }>(RUNNING).get(nowMs - DEAD_AFTER_MS);
      if (other) throw new ConflictError("A backup is being made. Wait until it is done.");
      await tx.prepared(BEGIN).run(id, file, withFiles ? 1 : 0, nowMs, nowMs, "Beginning");
    });
    await audit.write({ kind: "backup.begun", details: { file, withFiles } });
    const work = this.#make(id, file, withFiles).finally(() => this.#running.delete(work));
    this.#running.add(work);
    const row = await database.prepared<BackupRow>(`${COLUMNS} WHERE id = ?`).get(id);
    if (!row) throw new Error("The backup is not written down.");
    return this.#show(row);
  }

  /** @throws NotFoundError unless the backup is complete and its file is there. */
  async read(id: string) {
    const { file, path } = await this.#fileOf(id);
    const handle = await open(path).catch(() => undefined);
    if (!handle) throw new NotFoundError("Backup not found.");
    return { file, content: handle.createReadStream() };
  }

  /** Deletes a backup that is not being made, with its file. @throws NotFoundError when there is none. */
  async remove(id: string): Promise<void> {
    const { path } = await this.#fileOf(id);
    await rm(path, { force: true });
    await this.#parts.database.prepared("DELETE FROM backups WHERE id = ?").run(id);
  }

  async #fileOf(id: string) {
    const { config, database } = this.#parts;
    const row = await database.prepared<BackupRow>(`${COLUMNS} WHERE id = ?`).get(id);
    if (!row) throw new NotFoundError("Backup not found.");
    if ((await this.#stateOf(row)) === "running")
      throw new ConflictError("The backup is being made. Wait until it is done.");
    tellOfChange({ name: row.file });
    return { file: row.file, path: join(config.stores.backupDir, row.file) };
  }

  /** Waits for a running backup, because half of one is useless. */
  async close(): Promise<void> {
    await Promise.all(this.#running);
  }

  async #make(id: string, file: string, withFiles: boolean): Promise<void> {
    const { config, database } = this.#parts;
    let step = "Beginning";
    const sign = () =>
      database.prepared("UPDATE backups SET seen_at = ?, step = ? WHERE id = ?").run(Date.now(), step, id);
    const signing = setInterval(() => void sign().catch(() => undefined), SIGN_MS);
    const { stores, accounts } = config;
    const task = { config: { stores, accounts }, file: join(stores.backupDir, file), withFiles };
    const end = await backUpInThread(task, (now) => {
      step = now;
    });
    clearInterval(signing);
    await database
      .prepared("UPDATE backups SET ended_at = ?, size_bytes = ?, problem = ? WHERE id = ?")
      .run(Date.now(), end.sizeBytes, end.problem, id)
      .catch(() => undefined);
  }

  async #show(row: BackupRow): Promise<Backup> {
    const { id, file, step, sizeBytes, startedAtMs, endedAtMs } = row;
    const state = await this.#stateOf(row);
    const isDead = endedAtMs === null && state === "failed";
    return {
      id,
      file,
      state,
      step,
      withFiles: row.withFiles === 1,
      sizeBytes,
      problem: isDead ? "The process that made it ended before it was done." : row.problem,
      startedAt: new Date(startedAtMs).toISOString(),
      endedAt: endedAtMs === null ? null : new Date(endedAtMs).toISOString(),
    };
  }

  async #stateOf({ endedAtMs, seenAtMs, sizeBytes, file }: BackupRow): Promise<Backup["state"]> {
    if (endedAtMs === null) return seenAtMs > Date.now() - DEAD_AFTER_MS ? "running" : "failed";
    if (sizeBytes === null) return "failed";
    const found = await stat(join(this.#parts.config.stores.backupDir, file)).catch(() => undefined);
    return found ? "done" : "missing";
  }
}

const COLUMNS = `SELECT id, file, with_files AS "withFiles", started_at AS "startedAtMs", seen_at AS "seenAtMs",
  ended_at AS "endedAtMs", step, size_bytes AS "sizeBytes", problem FROM backups`;
const LIST = `${COLUMNS} ORDER BY id DESC LIMIT ?`;
const RUNNING = "SELECT id FROM backups WHERE ended_at IS NULL AND seen_at > ? LIMIT 1";
const BEGIN =
  "INSERT INTO backups (id, file, with_files, started_at, seen_at, step) VALUES (?, ?, ?, ?, ?, ?)";

function whyNot(config: Config): string | undefined {
  if (databaseFile(config) !== undefined) return undefined;
  return "Only the embedded database can be backed up here. Back up Postgres with pg_dump, BLOBS_URL with the tools of its store, and keep SECRET_KEY: docs/scaling.md#backups";
}

/** Backups contain keys, so no other user may read the folder, not even an existing one. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    await chmod(path, 0o700);
  } catch (failure) {
    throw new ServiceError("BAD_REQUEST", { message: `BACKUP_DIR: ${messageOf(failure)}`, cause: failure });
  }
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

type BackupEnd = Extract<BackupNews, { readonly problem: unknown }>;

/** Makes a backup in a thread, because checking a copy of a large database would block all other work. */
function backUpInThread(task: BackupTask, onStep: (step: string) => void): Promise<BackupEnd> {
  const worker = new Worker(programFile(import.meta.url, PROGRAM).path, { workerData: task });
  return new Promise<BackupEnd>((resolve) => {
    worker.on("message", (news: BackupNews) => ("step" in news ? onStep(news.step) : resolve(news)));
    worker.on("error", (failure: Error) => resolve({ sizeBytes: null, problem: failure.message }));
    worker.on("exit", () => resolve({ sizeBytes: null, problem: "The thread of the backup ended." }));
  });
}
