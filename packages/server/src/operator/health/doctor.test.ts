import { chmod, mkdir, mkdtemp, open, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { isRoot } from "@pergamon-dev/browser/launch/account";
import { openDatabase } from "../../storage/database/drivers.ts";
import { checkNode, checks } from "./checks.ts";
import { type Check, type DoctorResult, type DoctorSettings, runDoctor } from "./check.ts";
import { fontsIn } from "./fonts.ts";
import { checkPort } from "./network.ts";
import { checkDataFolder, checkDatabaseFile, checkFreeSpace, checkPrivacy } from "./storage.ts";

let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "doctor-"));
});

afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

async function program(name: string, output: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\necho '${output}'\n`);
  await chmod(path, 0o755);
  return path;
}

function settings(more: Partial<DoctorSettings> = {}): DoctorSettings {
  const bare = { dataDir: join(folder, "data"), host: "127.0.0.1", port: 0, pathVariable: folder };
  return {
    ...bare,
    interactCode: "wasm",
    models: [],
    nameServers: [],
    proxies: [],
    isIntranet: false,
    ...more,
  };
}

async function find(name: string, more: Partial<DoctorSettings> = {}): Promise<DoctorResult | undefined> {
  return (await runDoctor(settings(more), checks)).find((result) => result.name === name);
}

describe("runDoctor", () => {
  test("finds what every installation has", async () => {
    const results = await runDoctor(settings(), checks);
    const found = results.filter(({ status }) => status === "found").map(({ name }) => name);
    expect(found).toEqual(expect.arrayContaining(["HTTP client", "Database", "Data folder", "Port"]));
  });

  test("says what a missing program costs and how to get it", async () => {
    const results = await runDoctor(settings(), checks);
    for (const name of ["tesseract", "ffmpeg", "yt-dlp", "Language model"]) {
      const result = results.find((one) => one.name === name);
      expect(result).toMatchObject({
        status: "missing",
        cost: expect.any(String),
        remedy: expect.any(String),
      });
    }
  });

  test("finds programs on PATH", async () => {
    const path = await program("ffmpeg", "ffmpeg version 5.1.6-0+deb12u1 Copyright");
    expect(await find("ffmpeg")).toEqual({ name: "ffmpeg", status: "found", detail: `5.1.6, ${path}` });
  });

  test("prefers the configured program, and reports it when it does not start", async () => {
    await program("tesseract", "tesseract 5.3.0");
    const tesseractPath = join(folder, "elsewhere");
    expect(await find("tesseract", { tesseractPath })).toMatchObject({
      status: "problem",
      detail: expect.stringMatching(`^${tesseractPath}: not there; tesseract.js`),
    });
  });

  test.runIf(isRoot())("R4 tells that the browser would run as root", async () => {
    const browserPath = await program("my-browser", "Chromium 156.0.7204.49");
    expect(await find("Browser", { browserPath })).toMatchObject({
      status: "problem",
      detail: expect.stringContaining("Runs as root and without its sandbox"),
    });
    await chmod(folder, 0o755);
    expect(await find("Browser", { browserPath })).toMatchObject({
      status: "found",
      detail: expect.stringContaining("Runs as the user nobody"),
    });
  });

  test("finds the configured browser", async () => {
    await chmod(folder, 0o755);
    const browserPath = await program("my-browser", "Chromium 156.0.7204.49 built on test");
    expect(await find("Browser", { browserPath })).toMatchObject({
      status: "found",
      detail: expect.stringContaining(`Chromium 156.0.7204.49, ${browserPath}`),
    });
  });

  test("turns a check that throws into a problem of that check", async () => {
    const two: readonly Check[] = [
      { name: "broken", check: () => Promise.reject(new Error("no luck")) },
      { name: "good", check: async () => ({ status: "found", detail: "yes" }) },
    ];
    expect(await runDoctor(settings(), two)).toEqual([
      { name: "broken", status: "problem", detail: "no luck" },
      { name: "good", status: "found", detail: "yes" },
    ]);
  });
});

describe("checks", () => {
  test.each([
    ["18.20.4", "problem"],
    ["20.18.3", "problem"],
    ["20.19.0", "missing"],
    ["22.0.0", "found"],
    ["24.11.1", "found"],
  ])("Node %s is a %s", (version, status) => {
    expect(checkNode(version).status).toBe(status);
  });

  test("a data folder that does not exist yet is created by the first start", async () => {
    const dataDir = join(folder, "a", "b");
    expect(await checkDataFolder(dataDir)).toEqual({
      status: "found",
      detail: `${dataDir}, will be created at the first start`,
    });
  });

  test("a data folder below a file is a problem", async () => {
    await writeFile(join(folder, "file"), "");
    expect(await checkDataFolder(join(folder, "file", "data"))).toMatchObject({ status: "problem" });
  });

  test("R8 a data folder that others can look into is told, with the way to close it", async () => {
    const dataDir = join(folder, "data");
    await mkdir(dataDir, { mode: 0o700 });
    await writeFile(join(dataDir, "secret.key"), "", { mode: 0o600 });
    expect(await checkPrivacy(dataDir)).toMatchObject({ status: "found" });
    await chmod(join(dataDir, "secret.key"), 0o640);
    expect(await checkPrivacy(dataDir)).toMatchObject({
      status: "missing",
      detail: `other users of this machine can read ${join(dataDir, "secret.key")}`,
      remedy: `chmod -R go= ${dataDir}`,
    });
    await chmod(dataDir, 0o755);
    expect((await checkPrivacy(dataDir)).detail).toContain(`${dataDir}, ${join(dataDir, "secret.key")}`);
    expect(await checkPrivacy(join(folder, "none"))).toMatchObject({ status: "found" });
  });

  test("R10 a damaged database is a problem", async () => {
    const path = join(folder, "test.db");
    expect(checkDatabaseFile(path)).toMatchObject({ status: "found", detail: "none yet" });
    const database = await openDatabase(`sqlite:${path}`);
    await database.migrate();
    expect(checkDatabaseFile(path)).toMatchObject({
      status: "found",
      detail: expect.stringMatching(/test\.db, \d+\.\d MB, version \d+, not damaged/),
    });
    await database.close();
    const handle = await open(path, "r+");
    await handle.write(Buffer.alloc(4096), 0, 4096, 5 * 4096);
    await handle.close();
    expect(checkDatabaseFile(path)).toMatchObject({
      status: "problem",
      detail: expect.stringContaining("is damaged"),
      remedy: expect.stringContaining("pergamon restore"),
    });
  });

  test("too little disk space is a problem", async () => {
    expect(await checkFreeSpace(folder, Number.MAX_SAFE_INTEGER)).toMatchObject({ status: "problem" });
    expect(await checkFreeSpace(folder, 1)).toMatchObject({ status: "found" });
  });

  test("a port in use is a problem", async () => {
    const server = createServer((visitor) => visitor.destroy());
    await new Promise<void>((resolve) => {
      server.listen(0, "127.0.0.1", resolve);
    });
    const { port } = server.address() as AddressInfo;
    expect(await checkPort("127.0.0.1", port)).toMatchObject({ status: "problem" });
    await new Promise((resolve) => {
      server.close(resolve);
    });
    expect(await checkPort("127.0.0.1", port)).toMatchObject({ status: "found" });
  });

  test("an address of another machine is a problem", async () => {
    expect(await checkPort("192.0.2.1", 0)).toMatchObject({ status: "problem" });
  });

  test("fonts are looked for in subfolders, and judged by what they can write", async () => {
    expect(await fontsIn([folder, join(folder, "absent")])).toMatchObject({ detail: "no font files" });
    await mkdir(join(folder, "more"));
    await writeFile(join(folder, "more/broken.ttf"), "");
    await writeFile(join(folder, "asia.otf"), fontFile([49, 50, 56, 59], []));
    const { status, detail } = await fontsIn([folder]);
    expect(status).toBe("missing");
    expect(detail).toBe("2 font files, none for Arabic, Hebrew, Devanagari, Thai, emoji");
    await writeFile(join(folder, "others.ttc"), fontFile([11, 13, 15, 24], ["CBDT"], "ttcf"));
    expect(await fontsIn([folder])).toEqual({ status: "found", detail: "3 font files" });
  });
});

/** The parts of a font file that tell what it can write: bits of the table OS/2, and names of further tables. */
function fontFile(bits: readonly number[], tables: readonly string[], kind = "OTTO"): Buffer {
  const start = kind === "ttcf" ? 16 : 0;
  const names = ["OS/2", ...tables];
  const file = Buffer.alloc(400);
  file.write(kind, 0, "latin1");
  if (start > 0) file.writeUInt32BE(start, 12);
  file.writeUInt16BE(names.length, start + 4);
  names.forEach((name, index) => {
    file.write(name, start + 12 + index * 16, "latin1");
    file.writeUInt32BE(200, start + 12 + index * 16 + 8);
  });
  for (const bit of bits) {
    const at = 200 + 42 + Math.floor(bit / 32) * 4;
    file.writeUInt32BE((file.readUInt32BE(at) | (1 << (bit % 32))) >>> 0, at);
  }
  return file;
}
