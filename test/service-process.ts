import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

import { sharedStores } from "./shared-stores/shared-stores.ts";

const ADMIN_KEY = "operator-key-of-the-soak";

/** A start that takes longer is none. */
const START_LIMIT_MS = 60_000;
/** The service gives requests 15 seconds to end. */
const STOP_LIMIT_MS = 20_000;
const LAST_WORDS_CHARACTERS = 4000;

/** A service in a process of its own, that can be killed. */
export interface SoakService {
  readonly url: string;
  /** What it has printed so far. */
  output(): string;
  readonly pid: number;
  /** Asks it to end, and waits. @throws Error unless it ends in time and with code 0. */
  stop(): Promise<void>;
  /**
   * Ends it without a warning, as a crash does, unless that or a stop was asked before.
   * @throws Error with its last words, when it has ended by itself.
   */
  kill(): Promise<void>;
}

export interface ServiceOptions {
  /** What to run with Node: the built program, or the sources. */
  readonly command: readonly string[];
  readonly dataDir: string;
  /** Starts Node, where that is not done directly. */
  readonly launcher?: readonly string[];
  readonly settings?: Readonly<Record<string, string>>;
}

/** @throws Error with what it printed, when it ends before it listens. */
export async function startSoakService(options: ServiceOptions): Promise<SoakService> {
  const { command, dataDir, launcher = [], settings } = options;
  const [program = process.execPath, ...parameters] = [...launcher, process.execPath, ...command];
  const child = spawn(program, parameters, {
    env: {
      ...process.env,
      ...sharedStores(dataDir),
      AUTH: "keys",
      ADMIN_KEY,
      RATE_LIMIT: "off",
      DATA_DIR: dataDir,
      PORT: "0",
      EGRESS_ALLOW: "127.0.0.1",
      LOG_LEVEL: "error",
      LOG_FORMAT: "json",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  let isAskedToEnd = false;
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return {
    url: await announcedUrl(child),
    output: () => output,
    pid: child.pid ?? 0,
    stop() {
      isAskedToEnd = true;
      return stop(child);
    },
    async kill() {
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, "exit");
        child.kill("SIGKILL");
        await ended;
        isAskedToEnd ||= child.signalCode === "SIGKILL";
      }
      if (!isAskedToEnd) throw new Error(`The service ended by itself. Its last words: ${lastOf(output)}`);
    },
  };
}

function lastOf(output: string): string {
  return output.trim().slice(-LAST_WORDS_CHARACTERS) || "none";
}

async function stop(child: ChildProcess): Promise<void> {
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  child.kill("SIGTERM");
  const [code, signal] = await ended;
  clearTimeout(late);
  if (code !== 0) throw new Error(`The service did not stop as it should: it ended with ${code ?? signal}.`);
}

async function announcedUrl(child: ChildProcess): Promise<string> {
  let output = "";
  return new Promise((resolve, reject) => {
    const tooLate = setTimeout(() => {
      reject(new Error(`The service did not start in time. It printed: ${output}`));
      child.kill("SIGKILL");
    }, START_LIMIT_MS).unref();
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const url = /listening on (http:\S+)/.exec(output)?.[1];
      if (!url) return;
      clearTimeout(tooLate);
      resolve(url);
    };
    child.stdout?.on("data", read);
    child.stderr?.on("data", read);
    child.once("exit", () => reject(new Error(`The service did not start. It printed: ${output}`)));
  });
}

/** A team as the operator has made it. */
export interface SoakTeam {
  readonly teamId: string;
  readonly apiKey: string;
}

export async function makeTeam(url: string, team: object): Promise<SoakTeam> {
  return (await operate(url, "teams", team)) as SoakTeam;
}

/** Asks the operator's interface: with a body something is made, without one it is read, unless `method` says more. */
export async function operate(
  url: string,
  path: string,
  body?: object,
  method = body ? "POST" : "GET",
): Promise<unknown> {
  const response = await fetch(`${url}/admin/api/${path}`, {
    method,
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  return response.json();
}
