import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:fs";
import { mkdtemp, open } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import { afterEach, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { build, builtProgram } from "./built.ts";
import { openSite, type Site } from "./site.ts";

/** Twice what the log of a full disk once survived. */
const REQUESTS = 40;
/** What is under way at the end is short here. */
const STOP_LIMIT_MS = 10_000;
const START_LIMIT_MS = 30_000;

const folder = testFolder();
let site: Site;
const children: ChildProcess[] = [];

beforeAll(async () => {
  await build();
  site = await openSite();
  site.page("/page", "<h1>Page</h1>");
}, 120_000);

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

interface Started {
  readonly child: ChildProcess;
  readonly url: string;
}

/** @param redirection of the shell, such as `2> /dev/full`. @param before what the shell does first. */
async function start(
  redirection: string,
  settings: Readonly<Record<string, string>> = {},
  before = "",
): Promise<Started> {
  const port = await freePort();
  const script = `${before} exec "$0" "$@" ${redirection}`;
  const child = spawn("bash", ["-c", script, process.execPath, ...builtProgram], {
    env: {
      ...process.env,
      DATA_DIR: await mkdtemp(join(folder, "data-")),
      PORT: String(port),
      EGRESS_ALLOW: "127.0.0.1",
      LOG_LEVEL: "trace",
      LOG_FORMAT: "json",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return { child, url: `http://127.0.0.1:${port}` };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

async function listening({ child, url }: Started): Promise<void> {
  const giveUpAtMs = performance.now() + START_LIMIT_MS;
  while (performance.now() < giveUpAtMs) {
    if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}.`);
    const answer = await fetch(`${url}/healthz`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("It does not listen.");
}

async function scrapeOften({ url }: Started, requests = REQUESTS): Promise<readonly number[]> {
  const statuses: number[] = [];
  for (let count = 0; count < requests; count += 1) {
    const response = await fetch(`${url}/v2/scrape`, {
      method: "POST",
      body: JSON.stringify({ url: site.url("/page"), ...(count % 5 === 0 && { maxAge: 0 }) }),
      signal: AbortSignal.timeout(10_000),
    });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
}

async function stop({ child }: Started, signal: NodeJS.Signals = "SIGTERM"): Promise<number | string> {
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  child.kill(signal);
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error("It does not end.")), STOP_LIMIT_MS).unref();
  });
  const [code, killedBy] = await Promise.race([ended, late]);
  return code ?? killedBy ?? "";
}

function all(status: number, count = REQUESTS): readonly number[] {
  return Array.from({ length: count }, () => status);
}

describe("R1b a log on a full disk", () => {
  test.each([
    ["> /dev/full", "json"],
    ["2> /dev/full", "pretty"],
    ["> /dev/full 2>&1", "json"],
    ["> /dev/full 2>&1", "pretty"],
  ])(
    "with %s and format %s the service starts, answers and ends",
    async (redirection, format) => {
      const service = await start(redirection, { LOG_FORMAT: format });
      await listening(service);
      expect(await scrapeOften(service)).toEqual(all(200));
      expect(await stop(service)).toBe(0);
    },
    90_000,
  );

  test("that is full from some byte on loses only lines", async () => {
    const inMemory = { DATABASE_URL: "sqlite::memory:", BLOBS_URL: "memory:" };
    const full = await start(`> ${join(folder, "small.log")} 2>&1`, inMemory, "ulimit -f 8;");
    await listening(full);
    expect(await scrapeOften(full)).toEqual(all(200));
    expect(await stop(full)).toBe(0);
  }, 90_000);
});

describe("R1b a log that nobody reads any more", () => {
  test.each(["json", "pretty"])(
    "with closed pipes (format %s) the service answers and ends",
    async (format) => {
      const service = await start("", { LOG_FORMAT: format });
      await listening(service);
      service.child.stdout?.destroy();
      service.child.stderr?.destroy();
      expect(await scrapeOften(service)).toEqual(all(200));
      expect(await stop(service)).toBe(0);
    },
    90_000,
  );

  test("behind `| head -1` the service answers and ends", async () => {
    const service = await start("2>&1 > >(head -1)");
    await listening(service);
    expect(await scrapeOften(service)).toEqual(all(200));
    expect(await stop(service)).toBe(0);
  }, 90_000);

  test("with a reader that has stopped reading the service answers and ends", async () => {
    const pipe = join(folder, "stuck");
    await promisify(execFile)("mkfifo", [pipe]);
    const reader = await open(pipe, "r+");
    const service = await start(`2> ${pipe}`);
    await listening(service);
    // Longer addresses fill the pipe sooner.
    const long = `${service.url}/${"x".repeat(4000)}`;
    for (let count = 0; count < 400; count += 1) await (await fetch(long)).arrayBuffer();
    expect(await scrapeOften(service)).toEqual(all(200));
    expect(await stop(service)).toBe(0);
    await reader.close();
  }, 90_000);

  test("a reader that comes back is told how many lines are missing", async () => {
    const pipe = join(folder, "coming-back");
    await promisify(execFile)("mkfifo", [pipe]);
    const first = await open(pipe, "r+");
    const service = await start(`2> ${pipe}`);
    await listening(service);
    await scrapeOften(service, 2);
    await first.close();
    await untilNobodyReads(pipe);
    expect(await scrapeOften(service, 5)).toEqual(all(200, 5));
    const second = spawn("cat", [pipe], { stdio: ["ignore", "pipe", "ignore"] });
    children.push(second);
    let read = "";
    second.stdout?.on("data", (chunk) => {
      read += String(chunk);
    });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await scrapeOften(service, 2);
    expect(await stop(service)).toBe(0);
    expect(read).toMatch(/"dropped":\d+,"reason":"EPIPE","msg":"Lines of the log could not be written\."/);
    expect(read.match(/could not be written/g)).toHaveLength(1);
  }, 90_000);
});

/** A program that is just being started holds open, for a moment, whatever was open in the one that starts it. */
async function untilNobodyReads(pipe: string): Promise<void> {
  for (;;) {
    const writer = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK).catch((failure: unknown) => {
      if ((failure as NodeJS.ErrnoException).code === "ENXIO") return undefined;
      throw failure;
    });
    if (!writer) return;
    await writer.close();
    await sleep(20);
  }
}

describe("R1b commands", () => {
  const cli = ["dist/cli.js"];

  async function run(redirection: string, ...args: readonly string[]) {
    const script = `"$0" "$@" ${redirection}`;
    const env = { ...process.env, DATA_DIR: await mkdtemp(join(folder, "data-")) };
    try {
      const { stdout, stderr } = await promisify(execFile)(
        "bash",
        ["-c", script, process.execPath, ...cli, ...args],
        { env, timeout: 60_000 },
      );
      return { code: 0, stdout, stderr };
    } catch (failure) {
      const { code, stdout, stderr } = failure as { code: number; stdout: string; stderr: string };
      return { code, stdout, stderr };
    }
  }

  test("what a full disk swallowed is told, and is a failure", async () => {
    const { code, stderr } = await run("> /dev/full", "keys", "create");
    expect(code).toBe(1);
    expect(stderr).toContain("The output could not be written: ENOSPC");
  }, 60_000);

  test("with standard error on a full disk the result is printed", async () => {
    const { code, stdout } = await run("2> /dev/full", "keys", "create");
    expect(code).toBe(0);
    expect(stdout).toMatch(/^fc-/);
  }, 60_000);

  test("a reader that wants no more is no failure", async () => {
    const { code, stderr } = await run("| true; exit ${PIPESTATUS[0]}", "keys", "list");
    expect({ code, stderr: stderr.replace(/^There are no keys yet.*\n/, "") }).toEqual({
      code: 0,
      stderr: "",
    });
  }, 60_000);
});

test("R14 a closed terminal lets what is under way end, as SIGTERM does", async () => {
  const slow = site.page("/slow", (_request, response) => {
    setTimeout(() => response.end("<h1>Slow</h1>"), 1000);
  });
  const service = await start("");
  await listening(service);
  const answer = fetch(`${service.url}/v2/scrape`, {
    method: "POST",
    body: JSON.stringify({ url: slow, maxAge: 0, fastMode: true }),
  });
  while (site.hits("/slow").length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  service.child.kill("SIGHUP");
  expect(await stop(service, "SIGHUP")).toBe(0);
  expect((await answer).status).toBe(200);
}, 60_000);
