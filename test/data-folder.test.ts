import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { type ChildProcess, spawn } from "node:child_process";
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { Writable } from "node:stream";

import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { startSoakService } from "./service-process.ts";
import { build, builtProgram } from "./built.ts";
import { openSite } from "./site.ts";
import { openWorld } from "./world.ts";

const isRoot = process.geteuid?.() === 0;
const NOBODY = 65_534;
/** As if it were not set: a file is made. */
const SETTINGS = { ADMIN_KEY: "" };
/** Too large to be a row of the database: a file. */
const LARGE_PAGE = `<h1>Page</h1><!-- ${randomBytes(16_000).toString("hex")} -->`;

const root = testFolder();
/** A data folder after a scrape and a clean stop. */
let sound: string;

beforeAll(async () => {
  await build();
  sound = join(root, "sound");
  const world = await openWorld({ ...SETTINGS, DATA_DIR: sound });
  await world.scrape({ url: world.site.page("/page", LARGE_PAGE) });
  await world.close();
  // In this process nobody has set the umask.
  for (const name of await readdir(sound)) await chmod(join(sound, name), name === "blobs" ? 0o700 : 0o600);
}, 120_000);

/** SQLite deletes the files beside a database when it is collected: one that was listed may be gone. */
async function copySound(folder: string): Promise<void> {
  try {
    await cp(sound, folder, { recursive: true });
  } catch {
    await cp(sound, folder, { recursive: true, force: true });
  }
}

/** A start with a data folder that was spoilt, and what it told. */
async function startWith(spoil: (folder: string) => Promise<unknown>): Promise<string> {
  const folder = await mkdtemp(join(root, "case-"));
  await copySound(folder);
  await spoil(folder);
  let told = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      // Tests always open private targets.
      if (!String(chunk).includes("Private targets are reachable.")) told += String(chunk);
      done();
    },
  });
  try {
    const world = await openWorld({ ...SETTINGS, DATA_DIR: folder }, pino({ level: "warn" }, sink));
    const { status } = await world.scrape({ url: world.site.page("/page", "<h1>Page</h1>") });
    await world.close();
    return `answered ${status}. ${told}`.replaceAll(folder, "DATA");
  } catch (failure) {
    return `stopped: ${(failure as Error).message}`.replaceAll(folder, "DATA");
  }
}

const db = "pergamon.db";

test("a sound data folder starts without a word", async () => {
  expect(await startWith(async () => undefined)).toBe("answered 200. ");
});

test("a start in an empty folder says nothing either", async () => {
  const empty = (folder: string) => rm(folder, { recursive: true }).then(() => mkdir(folder));
  expect(await startWith(empty)).toBe("answered 200. ");
});

describe("R8, R10 every file of the data folder", () => {
  test.each<[string, (folder: string) => Promise<unknown>, RegExp]>([
    [
      "database missing",
      (f) => rm(join(f, db)),
      /^answered 200.*The database DATA\/pergamon\.db was missing or empty, but DATA\/secret\.key and DATA\/blobs of an earlier database exists.*pergamon restore/,
    ],
    [
      "database empty",
      (f) => truncate(join(f, db)),
      /^answered 200.*The database DATA\/pergamon\.db was missing or empty/,
    ],
    [
      "database cut",
      (f) => truncate(join(f, db), 20_480),
      /^stopped: The database DATA\/pergamon\.db cannot be used: database disk image is malformed\. Restore a backup: pergamon restore FILE/,
    ],
    [
      "database cut in its first page",
      (f) => truncate(join(f, db), 50),
      /^stopped: The database DATA\/pergamon\.db cannot be used/,
    ],
    [
      "database is garbage",
      (f) => writeFile(join(f, db), "garbage".repeat(5000)),
      /^stopped: The database DATA\/pergamon\.db cannot be used: file is not a database/,
    ],
    [
      "database is a folder",
      (f) => rm(join(f, db)).then(() => mkdir(join(f, db))),
      /^stopped: DATA\/pergamon\.db is a folder, but must be a file/,
    ],
    [
      "database missing beside its log",
      (f) => rm(join(f, db)).then(() => writeFile(join(f, `${db}-wal`), "x".repeat(5000))),
      /^stopped: The database DATA\/pergamon\.db cannot be used: it is missing or empty, and DATA\/pergamon\.db-wal contains data/,
    ],
    [
      "database is a link",
      (f) => rename(join(f, db), join(f, "elsewhere")).then(() => symlink(join(f, "elsewhere"), join(f, db))),
      /^answered 200.*DATA\/pergamon\.db is a symbolic link to DATA\/elsewhere/,
    ],
    [
      "database is a link to nothing",
      (f) => rm(join(f, db)).then(() => symlink(join(f, "nowhere"), join(f, db))),
      /^stopped: DATA\/pergamon\.db is a symbolic link to DATA\/nowhere, which does not exist/,
    ],
    [
      "log is a folder",
      (f) => rm(join(f, `${db}-wal`), { force: true }).then(() => mkdir(join(f, `${db}-wal`))),
      /^stopped: DATA\/pergamon\.db-wal is a folder/,
    ],
    [
      "index of the log is a folder",
      (f) => rm(join(f, `${db}-shm`), { force: true }).then(() => mkdir(join(f, `${db}-shm`))),
      /^stopped: DATA\/pergamon\.db-shm is a folder/,
    ],
    [
      "index of the log is garbage",
      (f) => writeFile(join(f, `${db}-shm`), "x".repeat(32_768), { mode: 0o600 }),
      /^answered 200\. $/,
    ],
    ["key missing", (f) => rm(join(f, "secret.key")), /^answered 200\. $/],
    ["key empty", (f) => truncate(join(f, "secret.key")), /^stopped: DATA\/secret\.key holds no key/],
    ["key cut", (f) => truncate(join(f, "secret.key"), 20), /^stopped: DATA\/secret\.key holds no key/],
    [
      "key is a folder",
      (f) => rm(join(f, "secret.key")).then(() => mkdir(join(f, "secret.key"))),
      /^stopped: DATA\/secret\.key is a folder/,
    ],
    [
      "key is a link to nothing",
      (f) => rm(join(f, "secret.key")).then(() => symlink("/nowhere/secret.key", join(f, "secret.key"))),
      /^stopped: DATA\/secret\.key is a symbolic link to \/nowhere\/secret\.key, which does not exist/,
    ],
    [
      "operator's key empty",
      (f) => truncate(join(f, "admin-key.sha256")),
      /^stopped: DATA\/admin-key\.sha256 holds no hash/,
    ],
    [
      "operator's key cut",
      (f) => truncate(join(f, "admin-key.sha256"), 20),
      /^stopped: DATA\/admin-key\.sha256 holds no hash/,
    ],
    [
      "operator's key is a folder",
      (f) => rm(join(f, "admin-key.sha256")).then(() => mkdir(join(f, "admin-key.sha256"))),
      /^stopped: DATA\/admin-key\.sha256 is a folder/,
    ],
    [
      "blobs missing",
      (f) => rm(join(f, "blobs"), { recursive: true }),
      /^answered 200.*DATA\/blobs was missing, but a database exists/,
    ],
    [
      "blobs are a file",
      (f) => rm(join(f, "blobs"), { recursive: true }).then(() => writeFile(join(f, "blobs"), "")),
      /^stopped: DATA\/blobs is a file, but must be a folder/,
    ],
    [
      "blobs are a link",
      (f) => rename(join(f, "blobs"), `${f}-blobs`).then(() => symlink(`${f}-blobs`, join(f, "blobs"))),
      /^answered 200.*DATA\/blobs is a symbolic link/,
    ],
    [
      "unfinished blobs are a file",
      (f) =>
        rm(join(f, "blobs/.unfinished"), { recursive: true }).then(() =>
          writeFile(join(f, "blobs/.unfinished"), ""),
        ),
      /^stopped: DATA\/blobs\/\.unfinished is a file/,
    ],
    [
      "unfinished blobs missing",
      (f) => rm(join(f, "blobs/.unfinished"), { recursive: true }),
      /^answered 200\. $/,
    ],
    [
      "log is garbage",
      (f) => writeFile(join(f, `${db}-wal`), "x".repeat(5000), { mode: 0o600 }),
      /^answered 200.*DATA\/pergamon\.db-wal is damaged at byte 32: .*newest changes .* are missing/,
    ],
    ["log empty", (f) => writeFile(join(f, `${db}-wal`), "", { mode: 0o600 }), /^answered 200\. $/],
    [
      "key is a link",
      (f) =>
        rename(join(f, "secret.key"), join(f, "kept")).then(() =>
          symlink(join(f, "kept"), join(f, "secret.key")),
        ),
      /^answered 200.*DATA\/secret\.key is a symbolic link to DATA\/kept\. The service follows it/,
    ],
    [
      "key is garbage",
      (f) => writeFile(join(f, "secret.key"), Buffer.alloc(45, 255)),
      /^stopped: DATA\/secret\.key holds no key/,
    ],
    ["operator's key missing", (f) => rm(join(f, "admin-key.sha256")), /^answered 200\. $/],
    [
      "operator's key is a link",
      (f) =>
        rename(join(f, "admin-key.sha256"), join(f, "kept")).then(() =>
          symlink(join(f, "kept"), join(f, "admin-key.sha256")),
        ),
      /^answered 200.*DATA\/admin-key\.sha256 is a symbolic link to DATA\/kept/,
    ],
    [
      "operator's key is a link to nothing",
      (f) => rm(join(f, "admin-key.sha256")).then(() => symlink("/nowhere/key", join(f, "admin-key.sha256"))),
      /^stopped: DATA\/admin-key\.sha256 is a symbolic link to \/nowhere\/key, which does not exist/,
    ],
    [
      "blobs empty",
      (f) => rm(join(f, "blobs"), { recursive: true }).then(() => mkdir(join(f, "blobs"), { mode: 0o700 })),
      /^answered 200\. $/,
    ],
    ["the folder itself missing", (f) => rm(f, { recursive: true }), /^answered 200\. $/],
    [
      "the folder itself is a file",
      (f) => rm(f, { recursive: true }).then(() => writeFile(f, "")),
      /^stopped: DATA is a file, but must be a folder/,
    ],
    [
      "the folder itself is a link",
      (f) => rename(f, `${f}-kept`).then(() => symlink(`${f}-kept`, f)),
      /^answered 200.*DATA is a symbolic link to DATA-kept\. The service follows it/,
    ],
    [
      "the folder itself is a link to nothing",
      (f) => rm(f, { recursive: true }).then(() => symlink("/nowhere/data", f)),
      /^stopped: DATA is a symbolic link to \/nowhere\/data, which does not exist/,
    ],
  ])("%s", async (_what, spoil, told) => {
    expect(await startWith(spoil)).toMatch(told);
  });
});

test("R8 files that others may read are made private, and the log says so", async () => {
  let folder = "";
  const told = await startWith(async (given) => {
    folder = given;
    for (const name of [db, "secret.key", "admin-key.sha256"]) await chmod(join(given, name), 0o644);
  });
  for (const name of [db, "secret.key", "admin-key.sha256"]) {
    expect(told).toContain(`DATA/${name} had mode 644, so other users of this machine had access`);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  }
});

/** Starts the built program as a user who is not root, if need be. @returns what it printed. */
async function startAsNobody(folder: string): Promise<string> {
  const child = spawn(process.execPath, builtProgram, {
    env: { ...process.env, DATA_DIR: folder, PORT: "0", LOG_FORMAT: "json", HOME: folder },
    stdio: ["ignore", "pipe", "pipe"],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  return outputOf(child, folder);
}

async function outputOf(child: ChildProcess, folder: string): Promise<string> {
  let output = "";
  const read = (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes("listening on")) child.kill("SIGTERM");
  };
  child.stdout?.on("data", read);
  child.stderr?.on("data", read);
  const timer = setTimeout(() => child.kill("SIGKILL"), 30_000);
  await once(child, "close");
  clearTimeout(timer);
  return output.replaceAll(folder, "DATA");
}

/** A sound folder of the user who will start. */
async function foldersOfNobody(): Promise<string> {
  await chmod(root, 0o755);
  const folder = await mkdtemp(join(root, "nobody-"));
  await copySound(folder);
  if (!isRoot) return folder;
  const names = await readdir(folder, { recursive: true });
  for (const name of ["", ...names]) await chown(join(folder, name), NOBODY, NOBODY);
  return folder;
}

describe("R8 rights and owners", () => {
  test.each([db, "secret.key", "admin-key.sha256", "blobs"])(
    "%s that cannot be read stops the start",
    async (name) => {
      const folder = await foldersOfNobody();
      await chmod(join(folder, name), 0);
      expect(await startAsNobody(folder)).toMatch(
        new RegExp(`^DATA/${name} cannot be read and written: it belongs to user \\d+ and has mode 000`),
      );
    },
    60_000,
  );

  test.skipIf(!isRoot).each([db, "secret.key"])(
    "%s of another user stops the start, or is told",
    async (name) => {
      const folder = await foldersOfNobody();
      await chown(join(folder, name), 12_345, 12_345);
      expect(await startAsNobody(folder)).toContain(
        `DATA/${name} cannot be read and written: it belongs to user 12345 and has mode 600`,
      );
      await chmod(join(folder, name), 0o666);
      const told = await startAsNobody(folder);
      expect(told).toContain(`DATA/${name} belongs to user 12345, and the service runs as user ${NOBODY}`);
      expect(told).toContain(
        `DATA/${name} has mode 666, so other users of this machine have access. The mode could not`,
      );
    },
    90_000,
  );

  test("everything that the service and its commands make is private, also in a folder that is not", async () => {
    const dataDir = await mkdtemp(join(root, "wide-"));
    await chmod(dataDir, 0o755);
    const site = await openSite();
    const service = await startSoakService({ command: builtProgram, dataDir, settings: { AUTH: "open" } });
    const body = JSON.stringify({ url: site.page("/page", LARGE_PAGE) });
    expect((await fetch(`${service.url}/v2/scrape`, { method: "POST", body })).status).toBe(200);
    const keys = spawn(process.execPath, ["dist/cli.js", "admin-key"], {
      env: { ...process.env, DATA_DIR: dataDir },
      stdio: "ignore",
    });
    await once(keys, "close");
    await expect.poll(async () => (await readdir(join(dataDir, "blobs"))).length).toBeGreaterThan(1);
    const names = await readdir(dataDir, { recursive: true });
    expect(names).toEqual(
      expect.arrayContaining([db, `${db}-wal`, `${db}-shm`, "secret.key", "admin-key.sha256"]),
    );
    for (const name of names) {
      const entry = await lstat(join(dataDir, name)).catch(() => undefined);
      if (!entry) continue;
      expect([name, (entry.mode & 0o777).toString(8)]).toEqual([name, entry.isDirectory() ? "700" : "600"]);
    }
    await site.close();
    await service.kill();
  }, 90_000);
});
