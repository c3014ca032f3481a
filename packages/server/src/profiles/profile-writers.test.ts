import { join } from "node:path";

import { afterEach, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { repeat } from "@pergamon-dev/kit/repeat";
import { openBlobs } from "../storage/blobs/drivers.ts";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openSecrets } from "../storage/secrets/secrets.ts";
import { openProfiles, type Profiles } from "./profiles.ts";

const LOCKED = /^Another session is currently writing to this profile\./;
const shop = { teamId: "team", name: "shop" };
const bank = { teamId: "team", name: "bank" };

let folder: string;
let nowMs: number;
let database: Database;
let blobs: BlobStore;
let profiles: Profiles;
let failures: unknown[];
/** What prolongs each lock that is held. */
let rounds: Set<() => Promise<void>>;

/** Without timers: connections to a server wait on those, too. */
const repeatByHand: typeof repeat = (intervalMs, work, onError) => {
  expect(intervalMs).toBe(STEP_MS);
  const round = () => work().then(() => undefined, onError);
  rounds.add(round);
  return { stop: async () => void rounds.delete(round) };
};

beforeEach(async () => {
  folder = testFolder();
  nowMs = Date.UTC(2026, 4, 1);
  failures = [];
  rounds = new Set();
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  blobs = await openBlobs("memory:");
  const secrets = await openSecrets({ keys: [], keyFile: join(folder, "key") });
  const onError = (failure: unknown) => failures.push(failure);
  const clocks = { clock: () => nowMs, leaseClock: () => nowMs, repeat: repeatByHand };
  profiles = openProfiles({ database, blobs, secrets, ...clocks, onError });
});

afterEach(() => database.close());

const state = (value: string) => ({
  cookies: [{ name: "session", value, domain: "shop.test", path: "/" }],
  origins: [],
});

async function save(profile: typeof shop, value: string): Promise<void> {
  const writer = await profiles.openWriter(profile);
  await writer.save(state(value));
  await writer.release();
}

/** How often a lock is prolonged. */
const STEP_MS = 3000;

/** Lets the clock run, a step at a time. */
async function pass(durationMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += STEP_MS) {
    nowMs += STEP_MS;
    for (const round of rounds) await round();
  }
}

async function keys(): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const key of blobs.list("profiles")) found.push(key);
  return found;
}

test("a session that goes on for minutes keeps its lock, and can save at its end", async () => {
  const writer = await profiles.openWriter(shop);
  await pass(5 * 60_000);
  await expect(profiles.openWriter(shop)).rejects.toThrow(LOCKED);
  await writer.save(state("late"));
  await writer.release();
  expect(await profiles.load(shop)).toEqual(state("late"));
  expect(failures).toEqual([]);
});

test("a session that has ended prolongs nothing any more", async () => {
  const writer = await profiles.openWriter(shop);
  expect(rounds.size).toBe(1);
  await writer.release();
  expect(rounds.size).toBe(0);
  await (await profiles.openWriter(shop)).release();
});

test("a lock that cannot be prolonged is told, and the session goes on", async () => {
  const writer = await profiles.openWriter(shop);
  await database.prepared("ALTER TABLE profiles RENAME TO away").run();
  await pass(2 * STEP_MS);
  expect(failures).toHaveLength(2);
  expect(String(failures[0])).toMatch(/no such table: profiles|relation "profiles" does not exist/);
  await database.prepared("ALTER TABLE away RENAME TO profiles").run();
  await pass(STEP_MS);
  expect(failures).toHaveLength(2);
  await writer.save(state("kept"));
  await writer.release();
  expect(await profiles.load(shop)).toEqual(state("kept"));
});

test("one session may save as often as it likes; the last state counts, and one blob is kept", async () => {
  const writer = await profiles.openWriter(shop);
  for (const value of ["1", "2", "3"]) await writer.save(state(value));
  await writer.release();
  expect(await profiles.load(shop)).toEqual(state("3"));
  expect(await keys()).toHaveLength(1);
});

test("what is erased with its team is gone, whoever writes; what they save then is not kept", async () => {
  await save(shop, "before");
  const elsewhere = { teamId: "another team", name: "shop" };
  await save(bank, "also mine");
  await save(elsewhere, "other");
  const writer = await profiles.openWriter(shop);
  await profiles.erase(shop.teamId);
  await expect(writer.save(state("after"))).rejects.toThrow(LOCKED);
  await writer.release();
  expect(await profiles.load(shop)).toBeUndefined();
  expect(await profiles.list("team")).toEqual([]);
  expect(await profiles.load(elsewhere)).toEqual(state("other"));
  expect(await keys()).toHaveLength(1);
  await profiles.erase("team");
});

test("the state of one profile cannot be put in the place of another's", async () => {
  await save(shop, "mine");
  const [mine = ""] = await keys();
  await save(bank, "theirs");
  const theirs = (await keys()).find((key) => key !== mine) ?? "";
  await blobs.put(theirs, (await blobs.get(mine)) ?? new Uint8Array());
  await expect(profiles.load(bank)).rejects.toThrow(
    /^The saved state of the profile "bank" cannot be read\./,
  );
  expect(await profiles.load(shop)).toEqual(state("mine"));
});

test.each([
  ["cut short", (bytes: Uint8Array) => bytes.subarray(0, -1)],
  ["changed in one bit", (bytes: Uint8Array) => bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte))],
  ["empty", () => new Uint8Array()],
])("a blob that is %s is told as such, and the profile can be saved anew", async (_how, damage) => {
  await save(shop, "1");
  const [key = ""] = await keys();
  await blobs.put(key, damage((await blobs.get(key)) ?? new Uint8Array()));
  await expect(profiles.load(shop)).rejects.toMatchObject({ code: "PROFILE_UNREADABLE" });
  expect(await profiles.problem()).toMatch(/^The saved state of the profile "shop" cannot be read\./);
  await save(shop, "2");
  expect([await profiles.load(shop), await profiles.problem()]).toEqual([state("2"), undefined]);
});
