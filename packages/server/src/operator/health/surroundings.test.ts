import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { checks } from "./checks.ts";
import { isRoot } from "@pergamon-dev/browser/launch/account";
import { checkTemporaryFolder } from "./storage.ts";
import { type DoctorSettings, runDoctor } from "./check.ts";

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "surroundings-"));
});

afterEach(async () => {
  await chmod(folder, 0o700);
  await rm(folder, { recursive: true, force: true });
});

async function script(name: string, lines: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return path;
}

/** What one check finds with these settings over those of an empty machine. */
async function findingOf(name: string, more: Partial<DoctorSettings> = {}, signal?: AbortSignal) {
  const bare = {
    dataDir: folder,
    host: "127.0.0.1",
    port: 0,
    pathVariable: folder,
    interactCode: "wasm" as const,
    models: [],
    nameServers: [],
    proxies: [],
    isIntranet: false,
  };
  const chosen = checks.filter((check) => check.name === name);
  const [result] = await runDoctor({ ...bare, ...more }, chosen, signal);
  return result;
}

describe("an optional program", () => {
  const SETTINGS = { tesseract: "tesseractPath", ffmpeg: "ffmpegPath", "yt-dlp": "ytDlpPath" } as const;
  const NAMES = Object.entries(SETTINGS);

  test.each(NAMES)("%s is started with what makes it tell its version", async (name) => {
    const argument = name === "ffmpeg" ? "-version" : "--version";
    const languages = `[ "$1" = --list-langs ] && printf 'Two:\\neng\\ndeu\\n' && exit 0`;
    const path = await script(
      name,
      `${languages}\n[ "$1" = "${argument}" ] && echo "${name} 1.2.3" || exit 9`,
    );
    const detail = `1.2.3, ${path}${name === "tesseract" ? " (eng, deu)" : ""}`;
    expect(await findingOf(name)).toEqual({ name, status: "found", detail });
  });

  test.each(NAMES)("%s that does not start is a problem, with what that costs", async (name, setting) => {
    const path = await script("broken", "echo 'cannot load libfoo.so' >&2; exit 127");
    expect(await findingOf(name, { [setting]: path })).toEqual({
      name,
      status: "problem",
      detail: expect.stringContaining(`${path}: cannot load libfoo.so`),
      cost: expect.stringMatching(/\.$/),
      remedy: expect.stringMatching(new RegExp(`^Install ${name}`)),
    });
  });

  test("tesseract that is not there is replaced by the one in the packages, which is named with its languages", async () => {
    expect(await findingOf("tesseract")).toMatchObject({
      status: "missing",
      detail: expect.stringMatching(/^not found; tesseract\.js \d+ \(eng.*\) is used$/),
      cost: expect.stringContaining("twice as long"),
    });
  });

  test("tesseract without data of languages is a problem", async () => {
    const path = await script("tesseract", `[ "$1" = --version ] && echo "tesseract 5.3.0" || exit 9`);
    expect(await findingOf("tesseract")).toMatchObject({
      status: "problem",
      detail: `5.3.0, ${path}: has no language data`,
    });
  });

  test("that is configured is not replaced by one on PATH", async () => {
    await script("ffmpeg", "echo 1.2.3");
    const absent = join(folder, "absent");
    expect(await findingOf("ffmpeg", { ffmpegPath: absent })).toMatchObject({
      status: "problem",
      detail: `${absent}: not there`,
    });
  });
});

describe("the browser", () => {
  test("that is old works, but lacks security fixes", async () => {
    const browserPath = await script("old", "echo Chromium 90.0.4430.72");
    const found = await findingOf("Browser", { browserPath });
    expect(found?.detail).toMatch(/^Chromium 90\.0\.4430\.72, .*About \d+ months old/);
    expect(found).toMatchObject({ cost: "Later security fixes are missing." });
    // Root alone can read the folder of the test, which is a problem of its own.
    expect(found?.status).toBe(isRoot() ? "problem" : "missing");
  });

  test("that is young has no such note", async () => {
    const browserPath = await script("young", "echo Chromium 999.0.1.1");
    expect((await findingOf("Browser", { browserPath }))?.detail).not.toContain("months old");
  });

  test("that does not start is named with the reason, and what is lost without one", async () => {
    const browserPath = await script(
      "chromium",
      "echo 'error while loading shared libraries: libnss3.so' >&2; exit 127",
    );
    const found = await findingOf("Browser", { browserPath });
    expect(found?.status).not.toBe("found");
    expect(found?.detail).toContain(browserPath);
    expect(found?.detail).toContain("libnss3.so");
  });
});

describe("the data folder", () => {
  test("is left as it was", async () => {
    expect(await findingOf("Data folder")).toEqual({ name: "Data folder", status: "found", detail: folder });
    expect(await readdir(folder)).toEqual([]);
  });

  test.skipIf(process.getuid?.() === 0)("that is closed to this user is a problem", async () => {
    await mkdir(join(folder, "data"));
    await chmod(join(folder, "data"), 0o500);
    expect(await findingOf("Data folder", { dataDir: join(folder, "data") })).toMatchObject({
      status: "problem",
      cost: "The server does not start.",
      remedy: expect.stringContaining("DATA_DIR"),
    });
  });

  test("that does not exist yet has the space of the folder where it will be", async () => {
    const found = await findingOf("Disk space", { dataDir: join(folder, "a/b/c") });
    expect(found?.detail).toMatch(/^\d+\.\d GiB free$/);
  });
});

test("a host that is no address of this machine is a problem, with what to set", async () => {
  expect(await findingOf("Port", { host: "192.0.2.1" })).toMatchObject({
    status: "problem",
    detail: expect.stringMatching(/^Pergamon cannot listen on 192\.0\.2\.1:0 \(E/),
    remedy: expect.stringContaining("HOST"),
  });
});

test("a port at which Pergamon listens already is as it should be", async () => {
  const parts = [{ name: "database", ok: true }];
  const server = createServer((request, response) => {
    if (request.url === "/readyz")
      response.writeHead(503).end(JSON.stringify({ status: "not ready", parts }));
    else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  expect(await findingOf("Port", { port })).toEqual({
    name: "Port",
    status: "found",
    detail: `127.0.0.1:${port}: Pergamon is running and not ready`,
  });
  await new Promise((resolve) => server.close(resolve));
});

test("a temporary folder in which no file can be made is a problem, with what to set", async () => {
  await chmod(folder, 0o755);
  expect(await checkTemporaryFolder(folder)).toEqual({ status: "found", detail: folder });
  expect(await checkTemporaryFolder(join(folder, "none"))).toMatchObject({
    status: "problem",
    detail: expect.stringContaining("ENOENT"),
    remedy: expect.stringContaining("TMPDIR"),
  });
});

test.runIf(isRoot())(
  "a temporary folder that browsers may not enter is told, with the one they use",
  async () => {
    expect(await checkTemporaryFolder(folder)).toEqual({
      status: "found",
      detail: expect.stringMatching(`^${folder}; browsers and sandboxes use /[^ ]+, because`),
    });
  },
);

test("no two checks have the same name", () => {
  expect(new Set(checks.map(({ name }) => name)).size).toBe(checks.length);
});

test("a doctor that is told to stop does, with the reason", async () => {
  const tesseractPath = await script("slow", "exec sleep 30");
  const controller = new AbortController();
  const result = findingOf("tesseract", { tesseractPath }, controller.signal);
  controller.abort(new Error("no time"));
  await expect(result).rejects.toThrow("no time");
});
