import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { chmod, chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";

import { Client } from "pg";

import { lazy } from "@pergamon-dev/kit/lazy";
import { openDatabase } from "./drivers.ts";

/** Debian keeps the programs of servers out of the search path. */
const DEBIAN_FOLDER = "/usr/lib/postgresql";
const FOLDERS = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];
/** Postgres refuses to run as root: `nobody`. */
export const UNPRIVILEGED = 65_534;
const START_LIMIT_MS = 60_000;

/** A Postgres server of its own, in a folder of its own, out of reach of others. */
export interface PostgresServer {
  /** @param schema a name in lower case: tests with one of their own do not meet. */
  url(schema: string): string;
  /**
   * A database of its own that has been migrated and is empty: a copy, since the migrations take longer than most tests.
   * @param name in lower case.
   */
  migrated(name: string): Promise<string>;
  /** Ends as a crash does. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * The folder of the programs of Postgres: what `POSTGRES_PROGRAMS` names, or the newest version that is installed;
 * undefined where there is none, which is reported.
 */
export function findPostgres(): string | undefined {
  const named = process.env["POSTGRES_PROGRAMS"];
  if (named !== undefined) return named;
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER).toSorted().toReversed() : [];
  const folders = [...versions.map((version) => join(DEBIAN_FOLDER, version, "bin")), ...FOLDERS];
  const found = folders.find((folder) => existsSync(join(folder, "initdb")));
  if (!found) console.warn("Postgres is not installed (Debian: postgresql): what needs it is NOT tested.");
  return found;
}

/** @param more settings, which win over those of tests: there, commits do not wait for the disk. */
export async function startPostgres(programs: string, more: readonly string[] = []): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "postgres-"));
  const isRoot = process.getuid?.() === 0;
  const owner = isRoot ? { uid: UNPRIVILEGED, gid: UNPRIVILEGED } : {};
  if (isRoot) await chown(folder, UNPRIVILEGED, UNPRIVILEGED);
  await chmod(folder, 0o755);
  const data = join(folder, "data");
  const options = ["-D", data, "-U", "pergamon", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  await promisify(execFile)(join(programs, "initdb"), options, { cwd: folder, ...owner });
  // A folder is a name that needs no port.
  const settings = [
    "listen_addresses=",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    "max_connections=200",
    ...more,
  ];
  const urlIn = (name: string, schema: string) =>
    `postgres://pergamon@localhost/${name}?host=${encodeURIComponent(folder)}&schema=${schema}`;
  const copied = lazy(async () => {
    await execute(folder, "CREATE DATABASE copied");
    const database = await openDatabase(urlIn("copied", "public"));
    await database.migrate();
    await database.close();
  });
  /** From version 15 on this has to be asked for. */
  const copyQuickly = lazy(async () => {
    const [row] = await execute(folder, "SHOW server_version_num");
    return Number(row?.["server_version_num"]) >= 150_000 ? "STRATEGY FILE_COPY" : "";
  });
  let child: ChildProcess;
  const server: PostgresServer = {
    url: (schema) => urlIn("postgres", schema),
    async migrated(name) {
      await copied();
      await execute(folder, `CREATE DATABASE ${name} TEMPLATE copied ${await copyQuickly()}`);
      return urlIn(name, "public");
    },
    async start() {
      const parameters = settings.flatMap((setting) => ["-c", setting]);
      child = spawn(join(programs, "postgres"), ["-D", data, ...parameters], {
        cwd: folder,
        stdio: "ignore",
        ...owner,
      });
      await answers({ host: folder });
    },
    crash: () => end(child, "SIGQUIT"),
    async stop() {
      await end(child, "SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

async function execute(host: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ host, user: "pergamon", database: "postgres" });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill(signal);
  await ended;
}

/** Waits for a server that starts. @param place `host` is the folder of its socket. */
export async function answers(place: { readonly host: string; readonly port?: number }): Promise<void> {
  const giveUpAtMs = performance.now() + START_LIMIT_MS;
  for (;;) {
    const client = new Client({ ...place, user: "pergamon", database: "postgres" });
    try {
      await client.connect();
      return await client.end();
    } catch (failure) {
      if (performance.now() > giveUpAtMs) throw failure;
    }
    await pause(20);
  }
}
