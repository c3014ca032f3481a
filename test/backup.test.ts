import { execFile } from "node:child_process";
import { createReadStream, createWriteStream } from "node:fs";
import {
  copyFile,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";

import { DatabaseSync } from "@photostructure/sqlite";
import tar from "tar-fs";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { makeTeam, operate, type SoakService, startSoakService } from "./service-process.ts";
import { makeBackup } from "../packages/server/src/operator/data/backup.ts";
import { restoreBackup } from "../packages/server/src/operator/data/restore.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import { openBlobs } from "../packages/server/src/storage/blobs/drivers.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { openSecrets } from "../packages/server/src/storage/secrets/secrets.ts";
import { openProfiles } from "../packages/server/src/profiles/profiles.ts";
import { build, builtProgram } from "./built.ts";
import { openSite, type Site } from "./site.ts";

/** Lines of the list of keys. */
const KEYS = /^[0-9a-f-]{36} .*$/gm;

const folder = testFolder();
let dataDir: string;
let site: Site;
/** A backup as the command makes it. */
let sound: string;
const services: SoakService[] = [];

beforeAll(async () => {
  await build();
  site = await openSite();
  site.page("/page", "<h1>Page</h1>");
  dataDir = await mkdtemp(join(folder, "data-"));
  sound = join(folder, "sound.tar");
  await run("keys", "create");
  await run("backup", sound);
}, 120_000);

beforeEach(async () => {
  dataDir = await mkdtemp(join(folder, "data-"));
});

afterAll(() => Promise.all(services.map((service) => service.kill())));

async function start(): Promise<SoakService> {
  const service = await startSoakService({ command: builtProgram, dataDir });
  services.push(service);
  return service;
}

async function run(...args: readonly string[]) {
  try {
    const env = { ...process.env, DATA_DIR: dataDir };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, ["dist/cli.js", ...args], {
      env,
      timeout: 60_000,
    });
    return { code: 0, stdout, stderr };
  } catch (failure) {
    const { code, stdout, stderr } = failure as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

async function scrape({ url }: SoakService, apiKey: string): Promise<string | undefined> {
  const response = await fetch(`${url}/v2/scrape`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ url: site.url("/page") }),
  });
  const { data } = (await response.json()) as { readonly data?: { readonly metadata: { scrapeId: string } } };
  return data?.metadata.scrapeId;
}

/** URLs of stored pages. */
async function found({ url }: SoakService, apiKey: string): Promise<readonly string[]> {
  const headers = { authorization: `Bearer ${apiKey}` };
  const body = JSON.stringify({ query: "page" });
  const response = await fetch(`${url}/v2/search`, { method: "POST", headers, body });
  const { data } = (await response.json()) as {
    readonly data?: { readonly web?: readonly { url: string }[] };
  };
  return (data?.web ?? []).map((result) => result.url);
}

async function chargedIds({ url }: SoakService, teamId: string): Promise<readonly string[]> {
  const { data } = (await operate(url, `teams/${teamId}/ledger?limit=1000`)) as {
    readonly data: readonly { readonly id: string; readonly to: string }[];
  };
  return data.filter(({ to }) => to === "used").map(({ id }) => id);
}

async function saveProfile(name = "shop"): Promise<void> {
  await withProfiles(async (profiles) => {
    const writer = await profiles.openWriter({ teamId: "default", name });
    await writer.save({ cookies: [], origins: [{ origin: "https://shop.test", localStorage: [] }] } as never);
    await writer.release();
  });
}

async function withProfiles<T>(work: (profiles: ReturnType<typeof openProfiles>) => Promise<T>): Promise<T> {
  const database = await openDatabase(`sqlite:${dataDir}/pergamon.db`);
  const blobs = await openBlobs(`file:${dataDir}/blobs`);
  const secrets = await openSecrets({ keys: [], keyFile: join(dataDir, "secret.key") });
  const result = await work(openProfiles({ database, blobs, secrets }));
  await database.close();
  return result;
}

test("a backup that is made under load restores keys, credits, ledger and profiles", async () => {
  const service = await start();
  const team = await makeTeam(service.url, { name: "team", credits: 100_000 });
  await saveProfile();
  const before = [await scrape(service, team.apiKey), await scrape(service, team.apiKey)];
  const over = new AbortController();
  const load = (async () => {
    while (!over.signal.aborted) await scrape(service, team.apiKey);
  })();
  await expect.poll(() => found(service, team.apiKey), { timeout: 10_000 }).toEqual([site.url("/page")]);
  const file = join(folder, "under-load.tar");
  const made = await run("backup", file, "--with-files");
  over.abort();
  await load;
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/under-load\.tar: \d+\.\d MB with pergamon\.db, search\.db, secret\.key/),
  });
  expect(made.stderr).toContain("Store it as securely as passwords");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readdir(folder)).filter((name) => name.startsWith(".pergamon-backup"))).toEqual([]);

  const inUse = await run("restore", file, "--replace");
  expect(inUse.code).toBe(1);
  expect(inUse.stderr).toMatch(/A running service or command uses .*pergamon\.db\. Stop it/);
  expect(await scrape(service, team.apiKey)).toBeDefined();
  await service.kill();

  const old = dataDir;
  dataDir = join(folder, "made-by-restore");
  expect(await run("restore", file)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Restored the backup"),
  });
  const names = await readdir(dataDir, { recursive: true });
  for (const name of names) expect((await stat(join(dataDir, name))).mode & 0o077).toBe(0);
  const again = await start();
  expect(await chargedIds(again, team.teamId)).toEqual(expect.arrayContaining(before));
  expect(await found(again, team.apiKey), "stored pages are found").toEqual([site.url("/page")]);
  expect(await scrape(again, team.apiKey)).toBeDefined();
  await again.kill();
  const state = await withProfiles((profiles) => profiles.load({ teamId: "default", name: "shop" }));
  expect(JSON.stringify(state)).toContain("shop.test");
  expect(await readFile(join(dataDir, "secret.key"), "utf8")).toBe(
    await readFile(join(old, "secret.key"), "utf8"),
  );
}, 120_000);

test("without --with-files a backup has the profiles, and not what can be fetched again", async () => {
  const service = await start();
  const team = await makeTeam(service.url, { name: "team", credits: 100 });
  await scrape(service, team.apiKey);
  await saveProfile();
  await service.kill();
  const file = join(folder, "small.tar");
  expect((await run("backup", file)).stderr).toContain("add --with-files");
  const unpacked = join(folder, "small");
  await pipeline(createReadStream(file), tar.extract(unpacked));
  expect(await readdir(join(unpacked, "blobs"))).toEqual(["profiles"]);
}, 60_000);

test("nothing is replaced: an existing file is kept, data is put aside only when asked for", async () => {
  await run("keys", "create");
  const file = join(folder, "kept.tar");
  await writeFile(file, "mine");
  expect(await run("backup", file)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("already exists"),
  });
  expect(await readFile(file, "utf8")).toBe("mine");
  await rm(file);
  await run("backup", file);

  const { stdout } = await run("keys", "create", "--name", "later");
  expect(stdout).toMatch(/^fc-/);
  const refused = await run("restore", file);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toMatch(/The folder already contains data: .*pergamon\.db.*add --replace/);
  expect((await run("keys", "list")).stdout.match(KEYS)).toHaveLength(2);

  const replaced = await run("restore", file, "--replace");
  expect(replaced.code).toBe(0);
  expect((await run("keys", "list")).stdout.match(KEYS)).toHaveLength(1);
  const aside = /The previous data is in (\S+)\. /.exec(replaced.stdout)?.[1] ?? "";
  const old = new DatabaseSync(join(aside, "pergamon.db"));
  expect(old.prepare("SELECT count(*) AS keys FROM api_keys").get()).toMatchObject({ keys: 2 });
  old.close();
  expect(await readdir(aside)).toContain("secret.key");
}, 90_000);

test("a damaged database is put aside for its backup", async () => {
  await run("keys", "create");
  const file = join(folder, "for-damage.tar");
  await run("backup", file);
  await writeFile(join(dataDir, "pergamon.db"), "garbage".repeat(5000));
  expect(await run("backup", join(folder, "of-damage.tar"))).toMatchObject({ code: 1 });
  expect(await readdir(folder)).not.toContain("of-damage.tar");
  expect(await run("restore", file, "--replace")).toMatchObject({ code: 0 });
  expect((await run("keys", "list")).stdout).toMatch(KEYS);
}, 60_000);

/** In this process: nobody has the database open. */
function restoreHere(file: string, unverified = false): Promise<unknown> {
  return restoreBackup(readConfig({ DATA_DIR: dataDir }), {
    file,
    replace: true,
    unverified,
    onProgress: () => undefined,
  });
}

test("a backup of nothing is refused", async () => {
  const order = { file: join(folder, "nothing.tar"), withFiles: false, onProgress: () => undefined };
  await expect(makeBackup(readConfig({ DATA_DIR: dataDir }), order)).rejects.toThrow("does not exist");
  expect(await readdir(folder)).not.toContain("nothing.tar");
});

/** The sound backup, packed again after a change. */
async function packed(
  name: string,
  change: (unpacked: string) => Promise<unknown>,
  source = sound,
): Promise<string> {
  const unpacked = join(folder, name);
  await mkdir(unpacked);
  await pipeline(createReadStream(source), tar.extract(unpacked));
  await change(unpacked);
  const target = join(folder, `${name}.tar`);
  await pipeline(tar.pack(unpacked), createWriteStream(target));
  return target;
}

async function written(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text);
  return join(folder, name);
}

async function flipByte(path: string, at: number): Promise<void> {
  const handle = await open(path, "r+");
  await handle.write(Buffer.from("!"), 0, 1, at);
  await handle.close();
}

async function cut(): Promise<string> {
  const file = join(folder, "cut.tar");
  await copyFile(sound, file);
  await truncate(file, Math.floor((await stat(file)).size / 2));
  return file;
}

/** A backup with three profiles. */
async function withProfilesInIt(): Promise<string> {
  const file = join(folder, "profiles.tar");
  if (await stat(file).catch(() => undefined)) return file;
  const [ofTest, source] = [dataDir, await mkdtemp(join(folder, "profiles-"))];
  await restoreBackup(readConfig({ DATA_DIR: source }), {
    file: sound,
    replace: false,
    unverified: false,
    onProgress: () => undefined,
  });
  dataDir = source;
  for (const name of ["one", "two", "three"]) await saveProfile(name);
  dataDir = ofTest;
  const order = { file, withFiles: false, onProgress: () => undefined };
  expect(await makeBackup(readConfig({ DATA_DIR: source }), order)).toMatchObject({ blobs: 3 });
  return file;
}

/** That backup, cut where `place` says, given where its entries end. */
async function cutAt(name: string, place: (ends: readonly number[]) => number): Promise<string> {
  const bytes = await readFile(await withProfilesInIt());
  const ends: number[] = [];
  for (let at = 0; bytes[at] !== 0;) {
    const size = Number.parseInt(bytes.toString("latin1", at + 124, at + 136), 8);
    at += 512 + Math.ceil(size / 512) * 512;
    ends.push(at);
  }
  const file = join(folder, `${name}.tar`);
  await writeFile(file, bytes.subarray(0, place(ends)));
  return file;
}

/** That backup, packed again after a change of its profiles, whose paths are given. */
async function profilesPacked(
  name: string,
  change: (profiles: readonly string[], unpacked: string) => Promise<unknown>,
): Promise<string> {
  const file = await withProfilesInIt();
  return packed(
    name,
    async (unpacked) => {
      const names = await readdir(join(unpacked, "blobs"), { recursive: true, withFileTypes: true });
      const files = names.filter((entry) => entry.isFile());
      await change(
        files.map((entry) => join(entry.parentPath, entry.name)),
        unpacked,
      );
    },
    file,
  );
}

test("a backup with profiles is restored whole, and its last entry is what sha256sum reads", async () => {
  expect(await restoreHere(await withProfilesInIt())).toMatchObject({ blobs: 3, isVerified: true });
  const unpacked = join(folder, "listed");
  await pipeline(createReadStream(await withProfilesInIt()), tar.extract(unpacked));
  const lines = (await readFile(join(unpacked, "digests.sha256"), "utf8")).trimEnd().split("\n");
  expect(lines).toHaveLength(6 + 1);
  expect(lines.at(-1)).toBe("# 6 entries");
  expect(lines.filter((line) => /^[0-9a-f]{64} {2}blobs\/profiles\//.test(line))).toHaveLength(3);
});

test("a backup of an older program is restored only as not verified, and that is said", async () => {
  const old = await profilesPacked("old", async (_names, unpacked) => {
    await rm(join(unpacked, "digests.sha256"));
    const manifest = JSON.parse(await readFile(join(unpacked, "backup.json"), "utf8")) as object;
    await writeFile(join(unpacked, "backup.json"), JSON.stringify({ ...manifest, format: 1 }));
  });
  await expect(restoreHere(old)).rejects.toThrow("To restore it anyway, add --unverified.");
  expect(await readdir(dataDir)).toEqual([]);
  const { code, stderr } = await run("restore", old, "--unverified");
  expect([code, stderr]).toEqual([0, expect.stringContaining("NOT VERIFIED")]);
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(["pergamon.db", "secret.key", "blobs"]));
});

test("a restore that fails half-way leaves everything as it was", async () => {
  const file = await withProfilesInIt();
  await writeFile(join(dataDir, "secret.key"), "mine");
  // The folder of the database cannot be made where a file is.
  const config = readConfig({ DATA_DIR: dataDir, DATABASE_URL: `sqlite:${dataDir}/secret.key/pergamon.db` });
  const order = { file, replace: true, unverified: false, onProgress: () => undefined };
  await expect(restoreBackup(config, order)).rejects.toThrow("ENOTDIR");
  expect(await readdir(dataDir)).toEqual(["secret.key"]);
  expect(await readFile(join(dataDir, "secret.key"), "utf8")).toBe("mine");
  const nowhere = join(folder, "not-made", "data");
  await expect(
    restoreBackup(readConfig({ DATA_DIR: nowhere }), { ...order, file: await cutAt("lost", () => 512) }),
  ).rejects.toThrow("not a complete backup");
  expect(await readdir(folder)).not.toContain("not-made");
});

test("a good backup that does not fit on the disk is not called broken", async ({ skip }) => {
  const disk = await mkdtemp(join(folder, "disk-"));
  const inside = 'mount -t tmpfs -o size=16k tmpfs "$1" && exec "$2" dist/cli.js restore "$3"';
  const env = { ...process.env, DATA_DIR: join(disk, "data") };
  const args = ["-rm", "sh", "-c", inside, "sh", disk, process.execPath, sound];
  const { stderr } = await promisify(execFile)("unshare", args, { env, timeout: 60_000 }).catch(
    (failure: unknown) => failure as { readonly stderr: string },
  );
  skip(/unshare|mount/.test(stderr), "no file systems can be mounted here");
  expect(stderr).toMatch(/could not be unpacked in .*ENOSPC.*the backup may be good: make room there/);
}, 60_000);

test.each<[string, () => Promise<string>, RegExp]>([
  ["is no archive", () => written("text.tar", "no archive".repeat(500)), /not a complete backup/],
  ["lost its end between two entries", () => cutAt("between", (ends) => ends[3] ?? 0), /its end is missing/],
  [
    "lost its end within an entry",
    () => cutAt("within", (ends) => (ends[3] ?? 0) + 700),
    /not a complete backup/,
  ],
  [
    "has a changed profile",
    () => profilesPacked("changed-profile", async (names) => flipByte(names[0] ?? "", 40)),
    /blobs\/profiles\/\S+ has been changed/,
  ],
  [
    "lacks a profile",
    () => profilesPacked("fewer-profiles", async (names) => rm(names[1] ?? "")),
    /blobs\/profiles\/\S+ is missing/,
  ],
  [
    "has a profile more",
    () => profilesPacked("more-profiles", async (names) => copyFile(names[0] ?? "", `${names[0]}0`)),
    /blobs\/profiles\/\S+0 is not part of the backup/,
  ],
  [
    "has a list of digests that lost its end",
    () =>
      profilesPacked("fewer-digests", async (_names, unpacked) =>
        truncate(join(unpacked, "digests.sha256"), 200),
      ),
    /digests\.sha256 is truncated/,
  ],
  ["is empty", () => written("empty.tar", ""), /not a complete backup: it does not contain backup\.json/],
  ["is cut off", cut, /not a complete backup/],
  [
    "has a changed database",
    () => packed("changed", (unpacked) => flipByte(join(unpacked, "pergamon.db"), 5000)),
    /pergamon\.db has been changed/,
  ],
  [
    "has a changed key",
    () => packed("changed-key", (unpacked) => flipByte(join(unpacked, "secret.key"), 3)),
    /secret\.key has been changed/,
  ],
  [
    "lacks its database",
    () => packed("lacking", (unpacked) => rm(join(unpacked, "pergamon.db"))),
    /not a complete backup/,
  ],
  [
    "holds something else",
    () => packed("foreign", (unpacked) => writeFile(join(unpacked, "authorized_keys"), "")),
    /not a complete backup: it contains authorized_keys/,
  ],
  [
    "holds a link",
    () => packed("linked", (unpacked) => symlink("/etc", join(unpacked, "blobs"))),
    /not a complete backup: it contains blobs/,
  ],
])("a file that %s is refused, and nothing is changed", async (_what, make, told) => {
  const file = await make();
  await writeFile(join(dataDir, "secret.key"), "mine");
  await expect(restoreHere(file)).rejects.toThrow(told);
  expect(await readdir(dataDir)).toEqual(["secret.key"]);
  expect(await readFile(join(dataDir, "secret.key"), "utf8")).toBe("mine");
});

test("the sound backup is restored here, too", async () => {
  await writeFile(join(dataDir, "secret.key"), "mine");
  expect(await restoreHere(sound)).toMatchObject({
    blobs: 0,
    putAside: expect.stringContaining("before-restore"),
  });
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(["pergamon.db", "secret.key"]));
});
