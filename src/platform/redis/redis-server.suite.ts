import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { RedisConnection } from "./redis-connection.ts";
import { parseRedisUrl } from "./redis-url.ts";

const FOLDERS = ["/usr/local/bin", "/usr/bin", "/opt/homebrew/bin"];
const NAMES = ["redis-server", "valkey-server"];
const START_LIMIT_MS = 60_000;

/** A server of its own, on a port of this machine. */
export interface RedisTestServer {
  readonly url: string;
  /** For the operator's commands. */
  command(...words: readonly string[]): Promise<unknown>;
  /** As a machine that stands still, until it is continued. */
  stand(): void;
  goOn(): void;
  /** Ends as a crash does. */
  crash(): Promise<void>;
  /** On the same port. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Where the program of a server is; undefined where none is installed, which is reported. */
export function findRedis(): string | undefined {
  const paths = FOLDERS.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = paths.find((path) => existsSync(path));
  if (!found) console.warn("Redis is not installed (Debian: redis-server): what needs it is NOT tested.");
  return found;
}

/** @param settings as on the command line of the server. */
export async function startRedis(
  program: string,
  settings: readonly string[] = [],
): Promise<RedisTestServer> {
  const folder = await mkdtemp(join(tmpdir(), "redis-"));
  const port = await freePort();
  const url = `redis://127.0.0.1:${port}`;
  const options = ["--bind", "127.0.0.1", "--port", String(port), "--dir", folder, "--save", ""];
  let child: ChildProcess;
  const server: RedisTestServer = {
    url,
    async command(...words) {
      const connection = await RedisConnection.open(parseRedisUrl(url));
      try {
        return await connection.send(...words);
      } finally {
        connection.close();
      }
    },
    stand: () => void child.kill("SIGSTOP"),
    goOn: () => void child.kill("SIGCONT"),
    async crash() {
      await end(child);
    },
    async start() {
      child = spawn(program, [...options, ...settings], { stdio: "ignore" });
      await answers(url);
    },
    async stop() {
      await end(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** The program of Valkey; undefined where there is none, which is told. */
export function findValkey(): string | undefined {
  const paths = FOLDERS.map((folder) => join(folder, "valkey-server"));
  const found = process.env["VALKEY_PROGRAM"] ?? paths.find((path) => existsSync(path));
  if (found === undefined) console.warn("Valkey is not installed (VALKEY_PROGRAM): it is NOT tested.");
  return found;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

async function answers(url: string): Promise<void> {
  const giveUpAtMs = performance.now() + START_LIMIT_MS;
  for (;;) {
    try {
      const connection = await RedisConnection.open(parseRedisUrl(url));
      return connection.close();
    } catch (failure) {
      if (performance.now() > giveUpAtMs) throw failure;
    }
    await pause(20);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
