import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

/** A server in a process of its own, so that its processor time is measured apart from that of the load. */
export interface ServerProcess {
  readonly url: string;
  readonly pid: number;
  /** Processor time so far, of all its threads, in milliseconds. */
  cpuMs(): number;
  residentMegabytes(): number;
  stop(): Promise<void>;
}

/** How often, and how many times, a program that does not announce itself is asked whether it is there. */
const ATTEMPT_EVERY_MS = 100;
const ATTEMPTS = 200;

/** Clock ticks per second of /proc/<pid>/stat; fixed at 100 on Linux. */
const TICKS_PER_SECOND = 100;

/** Starts the built service with its own empty data folder. Loopback targets are open to it. */
export async function startService(
  changes: Readonly<Record<string, string>> = {},
  command: readonly string[] = ["dist/main.js"],
): Promise<ServerProcess> {
  const dataDir = await mkdtemp(join(tmpdir(), "pergamon-bench-"));
  const settings = {
    DATA_DIR: dataDir,
    PORT: "0",
    EGRESS_ALLOW: "127.0.0.1",
    LOG_FORMAT: "json",
    ...changes,
  };
  const server = await startProcess(command, settings, /listening on (http:\S+)/);
  return {
    ...server,
    async stop() {
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Starts a TypeScript file of this folder that prints `listening on <url>`. */
export function startBenchServer(
  file: string,
  settings: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  return startProcess(
    ["--conditions=pergamon-source", "--import", "tsx", join(import.meta.dirname, file)],
    settings,
    /listening on (http:\S+)/,
  );
}

/** Starts a program that is not ours, and waits until it answers at `url`. */
export async function startAnswering(
  program: string,
  settings: Readonly<Record<string, string>>,
  url: string,
): Promise<ServerProcess> {
  const child = spawn(program, {
    env: { ...process.env, ...settings },
    stdio: ["ignore", "ignore", "inherit"],
  });
  endWithBench(child);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (child.exitCode !== null) break;
    const isThere = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isThere) return serverOf(child, url);
    await sleep(ATTEMPT_EVERY_MS);
  }
  child.kill();
  throw new Error(`${program} does not answer at ${url}.`);
}

async function startProcess(
  command: readonly string[],
  settings: Readonly<Record<string, string>>,
  announcement: RegExp,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, command, {
    env: { ...process.env, NODE_ENV: "production", ...settings },
    stdio: ["ignore", "pipe", "pipe"],
  });
  endWithBench(child);
  tellTroubles(child);
  return serverOf(child, await announcedUrl(child, announcement));
}

/** Prints what the log of a server says but what it says of each request. */
function tellTroubles({ stderr }: ChildProcess): void {
  if (stderr) createInterface(stderr).on("line", (line) => line.startsWith('{"level":30') || console.warn(line));
}

/** A benchmark that fails does not come to stop it. */
function endWithBench(child: ChildProcess): void {
  const end = () => child.kill();
  process.once("exit", end);
  child.once("exit", () => process.off("exit", end));
}

function serverOf(child: ChildProcess, url: string): ServerProcess {
  return {
    url,
    pid: child.pid ?? 0,
    cpuMs: () => cpuMs(child.pid ?? 0),
    residentMegabytes: () => residentMegabytes(child.pid ?? 0),
    async stop() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    },
  };
}

async function announcedUrl(child: ChildProcess, announcement: RegExp): Promise<string> {
  let output = "";
  for await (const chunk of child.stdout ?? []) {
    output += String(chunk);
    const url = announcement.exec(output)?.[1];
    if (url) {
      child.stdout?.resume();
      return url;
    }
  }
  throw new Error(`The server ended before it listened. It printed: ${output}`);
}

function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name is in brackets and may hold spaces; user and system time are fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
