import { execFile } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { textPage, writePdf } from "../../../test/pdf-writer.ts";
import type { PdfOptions } from "./model/reader.ts";
import type { DocumentError } from "./errors.ts";
import { openProcessPool, type ProcessPool, type ProcessPoolOptions } from "./pool.ts";
import { plainProcesses } from "./reader-processes.ts";

const OPTIONS: PdfOptions = { mode: "fast", maxPages: undefined, pageMarkers: false, languages: [] };
const SMALL = writePdf({ pages: [textPage("A small file with some words.")] });
/** Some seconds of work. */
const LARGE = writePdf({
  pages: Array.from({ length: 3000 }, (_, page) =>
    textPage(...Array.from({ length: 40 }, (__, line) => `Page ${page} has many words in line ${line}.`)),
  ),
});

/** Answers as tesseract does, and always the same. */
const NAMED_PROGRAM = String.raw`#!/bin/sh
case "$*" in
  --version) echo "tesseract 5.3.0" ;;
  --list-langs) printf 'List of available languages (1):\neng\n' ;;
  *) cat > /dev/null; printf 'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n5\t1\t1\t1\t1\t1\t10\t10\t120\t24\t96\tRecognised\n' ;;
esac
`;

const pools: ProcessPool[] = [];
const crashes: Error[] = [];

beforeEach(() => void crashes.splice(0));
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.close();
});

function open(options: Partial<ProcessPoolOptions> = {}): ProcessPool {
  const onCrash = (failure: Error) => void crashes.push(failure);
  const pool = openProcessPool({
    maxProcesses: 1,
    processes: plainProcesses,
    pathVariable: "/usr/bin",
    onCrash,
    ...options,
  });
  pools.push(pool);
  return pool;
}

function read(pool: ProcessPool, bytes: Uint8Array, signal = new AbortController().signal) {
  const order = { bytes, options: OPTIONS, from: 1, maxPages: 10_000, maxMs: 60_000 };
  return pool.run({ work: "readPdf", order }, signal);
}

/** Processes of a pool that this one has started, by what the kernel tells. */
function children(parent = process.pid): readonly number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isReader(pid, parent))
    .map(Number);
}

function isReader(pid: string, parent: number): boolean {
  try {
    const isChild = new RegExp(`^PPid:\t${parent}$`, "m").test(readFileSync(`/proc/${pid}/status`, "latin1"));
    return (
      isChild &&
      readFileSync(`/proc/${pid}/cmdline`, "latin1").match(/process-source|document-process/) !== null
    );
  } catch {
    return false;
  }
}

async function eventually(holds: () => boolean): Promise<void> {
  for (let tries = 0; tries < 200 && !holds(); tries += 1) await sleep(50);
  expect(holds()).toBe(true);
}

describe.runIf(existsSync("/proc/self/status"))("processes that read documents", () => {
  test("are started when there is work, used again, and ended with the pool", async () => {
    const pool = open();
    const before = children();
    const { document } = await read(pool, SMALL);
    expect(document?.markdown).toContain("A small file with some words.");
    const started = children().filter((pid) => !before.includes(pid));
    expect(started).toHaveLength(1);
    await read(pool, SMALL);
    expect(children().filter((pid) => !before.includes(pid))).toEqual(started);
    const folder = readlinkSync(`/proc/${started[0]}/cwd`);
    expect(existsSync(folder)).toBe(true);
    await pool.close();
    expect(existsSync(folder)).toBe(false);
    await eventually(() => !children().includes(started[0] as number));
  });

  test("see nothing of the service's environment, and an empty folder", async () => {
    process.env["POOL_TEST_SECRET"] = "sesame";
    const pool = open();
    const before = children();
    await read(pool, SMALL);
    delete process.env["POOL_TEST_SECRET"];
    const pid = children().find((one) => !before.includes(one));
    const environment = readFileSync(`/proc/${pid}/environ`, "latin1");
    expect(environment).not.toContain("sesame");
    expect(environment.split("\0").map((line) => line.split("=")[0])).toEqual(
      expect.arrayContaining(["PATH", "HOME"]),
    );
    expect(readdirSync(`/proc/${pid}/cwd`)).toEqual([]);
  });

  test("recognise text with the program that is named, whatever its name", async () => {
    const folder = await mkdtemp(join(tmpdir(), "named-program-"));
    await chmod(folder, 0o755);
    const tesseractPath = join(folder, "reads-pictures");
    await writeFile(tesseractPath, NAMED_PROGRAM, { mode: 0o755 });
    try {
      const body = await sharp({ create: { width: 200, height: 60, channels: 3, background: "white" } })
        .png()
        .toBuffer();
      const order = { body, mimeType: "image/png", languages: [] };
      const pool = open({ tesseractPath });
      const { markdown } = await pool.run({ work: "readPicture", order }, new AbortController().signal);
      expect(markdown.trim()).toBe("Recognised");
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test("are killed when their work is not wanted any more, and others do not notice", async () => {
    const pool = open({ maxProcesses: 2 });
    const before = children();
    const deadline = new AbortController();
    const hopeless = read(pool, LARGE, deadline.signal);
    const neighbour = await read(pool, SMALL);
    expect(neighbour.document?.markdown).toContain("small file");
    deadline.abort(new Error("The deadline has passed."));
    await expect(hopeless).rejects.toThrow("The deadline has passed.");
    await eventually(() => children().filter((pid) => !before.includes(pid)).length === 1);
    expect((await read(pool, SMALL)).document?.markdown).toContain("small file");
    expect(crashes).toEqual([]);
  });

  test("are killed when they take too much memory; that file cannot be read", async () => {
    const pool = open({ maxRssBytes: 1024 * 1024 });
    const failure = (await read(pool, LARGE).catch((cause: unknown) => cause)) as DocumentError;
    expect(failure.code).toBe("reader-exhausted");
    expect(crashes[0]?.message).toMatch(/took \d+ bytes of memory/);
  });

  test.each([
    ["fills its heap", "const kept = []; for (;;) kept.push(Array(1e5).fill({}))", "reader-exhausted"],
    ["overruns its stack", "const f = () => f(); try { f() } catch (e) { fail(e) }", "reader-exhausted"],
    ["ends of itself", "process.exit(3)", "reader-failed"],
  ])("say whether a file is too much for them: one that %s", async (_name, work, code) => {
    const program = `const fail = (e) => process.send({ kind: "failed", message: e.stack, rssBytes: 0 });
      process.on("message", () => { ${work} }); process.send({ kind: "ready" });`;
    const start: typeof plainProcesses.start = (one) =>
      plainProcesses.start({ ...one, args: ["--max-old-space-size=32", "--eval", program] });
    await expect(read(open({ processes: { ...plainProcesses, start } }), SMALL)).rejects.toMatchObject({
      code,
    });
  });

  test("refuse what cannot be read, and live on", async () => {
    const pool = open();
    await expect(read(pool, Buffer.from("no file"))).rejects.toMatchObject({
      code: "unreadable-file",
      message: expect.stringContaining("damaged") as string,
    });
    expect((await read(pool, SMALL)).document?.totalPages).toBe(1);
    expect(crashes).toEqual([]);
  });

  test("leave nothing behind when one of them is killed", async () => {
    const pool = open();
    const before = children();
    await read(pool, SMALL);
    const pid = children().find((one) => !before.includes(one));
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    const deadline = new AbortController();
    const hopeless = read(pool, LARGE, deadline.signal);
    await sleep(100);
    deadline.abort(new Error("The deadline has passed."));
    await expect(hopeless).rejects.toThrow("The deadline has passed.");
    expect(existsSync(folder)).toBe(false);
  });

  test("end with the service, even when they are busy and it is killed", async () => {
    const program = new URL("./process-source.mjs", import.meta.url);
    const folder = await mkdtemp(join(tmpdir(), "pool-test-"));
    const keeper = execFile(process.execPath, [
      "-e",
      `const { fork } = require("node:child_process");
       const child = fork(${JSON.stringify(program.pathname)}, [${JSON.stringify(folder)}], { execArgv: ["--conditions=pergamon-source"], serialization: "advanced", stdio: "ignore", detached: true });
       child.on("message", () => {
         const order = { bytes: require("node:fs").readFileSync(0), options: ${JSON.stringify(OPTIONS)}, from: 1, maxPages: 1e9, maxMs: 1e9 };
         child.send({ work: "readPdf", order }, () => process.kill(process.pid, "SIGKILL"));
       });`,
    ]);
    keeper.stdin?.end(LARGE);
    const pid = keeper.pid as number;
    await eventually(() => children(pid).length === 1);
    const [orphan] = children(pid);
    expect(orphan).toBeDefined();
    await new Promise((resolve) => keeper.on("exit", resolve));
    await eventually(() => !existsSync(`/proc/${orphan}`));
    expect(existsSync(folder)).toBe(false);
  });
});
