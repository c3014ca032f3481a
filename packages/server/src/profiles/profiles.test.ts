import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import { NotFoundError, ServiceError } from "../api/errors.ts";
import { openBlobs } from "../storage/blobs/drivers.ts";
import type { StorageState } from "@pergamon-dev/browser/tab/storage-state";
import { openDatabase } from "../storage/database/drivers.ts";
import { leaseClockMs } from "../storage/coordination/lease-clock.ts";
import { openSecrets } from "../storage/secrets/secrets.ts";
import { openProfiles, type Profiles } from "./profiles.ts";

let folder: string;
let nowMs: number;
let closers: (() => Promise<void>)[];

beforeEach(async () => {
  folder = testFolder();
  nowMs = 1_900_000_000_000;
  closers = [];
});

afterEach(async () => {
  for (const close of closers) await close();
});

/** The profiles of this data folder, as one more process would open them. */
async function openHere(keyFile = "secret.key"): Promise<Profiles> {
  const database = await openDatabase(`sqlite:${folder}/test.db`);
  await database.migrate();
  const blobs = await openBlobs(`file:${folder}/blobs`);
  const secrets = await openSecrets({ keys: [], keyFile: join(folder, keyFile) });
  closers.push(
    () => database.close(),
    () => blobs.close(),
  );
  return openProfiles({ database, blobs, secrets, clock: () => nowMs, leaseClock: () => nowMs });
}

const shop = { teamId: "default", name: "Shop / ünïcode" };

function stateWith(value: string): StorageState {
  return {
    cookies: [{ name: "session", value, domain: "shop.test", path: "/" }],
    origins: [{ origin: "https://shop.test", localStorage: { token: value }, databases: [] }],
  };
}

async function save(profiles: Profiles, value: string, profile = shop): Promise<void> {
  const writer = await profiles.openWriter(profile);
  await writer.save(stateWith(value));
  await writer.release();
}

async function everythingStored(): Promise<string> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile());
  const contents = files.map((entry) => readFile(join(entry.parentPath, entry.name), "latin1"));
  return (await Promise.all(contents)).join("\n");
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const failure: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return failure instanceof ServiceError ? failure.code : String(failure);
}

describe("vector 55, store: a profile", () => {
  test("is made empty by its first use, and gives back what was saved, also to another process", async () => {
    const profiles = await openHere();
    expect(await profiles.load(shop)).toBeUndefined();
    await save(profiles, "secret-value-1");
    expect(await profiles.load(shop)).toEqual(stateWith("secret-value-1"));
    expect(await (await openHere()).load(shop)).toEqual(stateWith("secret-value-1"));
  });

  test("belongs to one team, and its name is case-sensitive", async () => {
    const profiles = await openHere();
    await save(profiles, "mine");
    expect(await profiles.load({ ...shop, teamId: "other" })).toBeUndefined();
    expect(await profiles.load({ ...shop, name: shop.name.toLowerCase() })).toBeUndefined();
  });

  test("is nowhere readable on disk", async () => {
    await save(await openHere(), "secret-value-2");
    const stored = await everythingStored();
    expect(stored).toContain("Shop"); // the name, in the table
    expect(stored).not.toContain("secret-value-2");
    expect(stored).not.toContain("shop.test");
  });

  test("leaves no older version behind", async () => {
    const profiles = await openHere();
    for (const value of ["1", "2", "3"]) await save(profiles, value);
    const blobs = await readdir(join(folder, "blobs"), { recursive: true });
    expect(blobs.filter((name) => name.endsWith(".blob"))).toHaveLength(1);
    expect(await profiles.load(shop)).toEqual(stateWith("3"));
  });

  test("that was sealed with a lost key is told as such, and can be deleted", async () => {
    await save(await openHere(), "1");
    const profiles = await openHere("other.key");
    await expect(profiles.load(shop)).rejects.toThrow(/profile "Shop .*Restore .*other\.key/);
    expect(await codeOf(profiles.load(shop))).toBe("PROFILE_UNREADABLE");
    expect(await profiles.problem()).toMatch(/Restore .*other\.key/);
    expect(await (await openHere()).problem()).toBeUndefined();
    await profiles.delete(shop);
    expect(await profiles.problem()).toBeUndefined();
    expect(await profiles.load(shop)).toBeUndefined();
  });

  test("whose blob is gone is told as such", async () => {
    const profiles = await openHere();
    await save(profiles, "1");
    await rm(join(folder, "blobs/profiles"), { recursive: true });
    expect(await codeOf(profiles.load(shop))).toBe("PROFILE_UNREADABLE");
  });

  test("is listed and deleted", async () => {
    const profiles = await openHere();
    await save(profiles, "1");
    await save(profiles, "2", { ...shop, name: "Another" });
    await save(profiles, "3", { ...shop, teamId: "other" });
    const listed = await profiles.list("default");
    expect(listed).toMatchObject([
      { name: "Another", createdAtMs: nowMs, savedAtMs: nowMs, isLocked: false },
      { name: shop.name },
    ]);
    expect(listed[0]?.sizeBytes).toBeGreaterThan(50);
    await profiles.delete(shop);
    expect((await profiles.list("default")).map(({ name }) => name)).toEqual(["Another"]);
    expect(await profiles.load(shop)).toBeUndefined();
    await expect(profiles.delete({ ...shop, name: "never" })).rejects.toThrow(NotFoundError);
  });
});

describe("vector 55, lock: a profile", () => {
  test("has one writer at a time, in all processes, and any number of readers", async () => {
    const [here, there] = [await openHere(), await openHere()];
    const writer = await here.openWriter(shop);
    await expect(there.openWriter(shop)).rejects.toThrow(
      /^Another session is currently writing to this profile\. Only one writer is allowed at a time\./,
    );
    expect(await codeOf(here.openWriter(shop))).toBe("PROFILE_LOCKED");
    expect(await there.load(shop)).toBeUndefined();
    expect(await there.list("default")).toMatchObject([{ isLocked: true }]);
    await writer.release();
    await (await there.openWriter(shop)).release();
  });

  test("of several who want to write at once, lets one", async () => {
    const all = [await openHere(), await openHere(), await openHere()];
    const outcomes = await Promise.allSettled(all.map((profiles) => profiles.openWriter(shop)));
    const writers = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    expect(writers).toHaveLength(1);
    for (const writer of writers) await writer.release();
  });

  test("is free again soon after its writer stopped prolonging its lock", async () => {
    const [dead, alive] = [await openHere(), await openHere()];
    const lost = await dead.openWriter(shop); // never released
    nowMs += 9000;
    expect(await codeOf(alive.openWriter(shop))).toBe("PROFILE_LOCKED");
    nowMs += 1000;
    const writer = await alive.openWriter(shop);
    await writer.save(stateWith("new"));
    expect(await codeOf(lost.save(stateWith("late")))).toBe("PROFILE_LOCKED");
    await lost.release(); // must not free the other's lock
    expect(await codeOf(dead.openWriter(shop))).toBe("PROFILE_LOCKED");
    await writer.release();
    expect(await alive.load(shop)).toEqual(stateWith("new"));
  });

  test.runIf(process.platform === "linux")("R7 is free at once when its writer was killed", async () => {
    // The other process goes by it.
    nowMs = leaseClockMs();
    const profiles = await openHere();
    const file = fileURLToPath(new URL("profile-writer.suite.ts", import.meta.url));
    const writer = spawn(
      process.execPath,
      ["--conditions=pergamon-source", "--import", "tsx", file, folder, shop.name],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    await once(writer.stdout, "data");
    expect(await codeOf(profiles.openWriter(shop))).toBe("PROFILE_LOCKED");
    expect(await codeOf(profiles.delete(shop))).toBe("PROFILE_LOCKED");
    expect(await profiles.list("default")).toMatchObject([{ isLocked: true }]);
    writer.kill("SIGKILL");
    await once(writer, "exit");
    expect(await profiles.list("default")).toMatchObject([{ isLocked: false }]);
    const next = await profiles.openWriter(shop);
    expect(await codeOf(profiles.openWriter(shop))).toBe("PROFILE_LOCKED");
    await next.release();
  });

  test("is not deleted while somebody writes", async () => {
    const profiles = await openHere();
    const writer = await profiles.openWriter(shop);
    expect(await codeOf(profiles.delete(shop))).toBe("PROFILE_LOCKED");
    await writer.save(stateWith("kept"));
    await writer.release();
    expect(await profiles.load(shop)).toEqual(stateWith("kept"));
  });
});

describe("an exported profile", () => {
  test("is imported again after its deletion, under its name or another", async () => {
    const profiles = await openHere();
    await save(profiles, "kept");
    const exported = await profiles.export(shop);
    expect(Buffer.from(exported.sealed).includes("kept")).toBe(false);
    await profiles.delete(shop);
    await profiles.import(shop, exported);
    const other = { teamId: "another", name: "copy" };
    await profiles.import(other, exported);
    expect(await profiles.load(shop)).toEqual(stateWith("kept"));
    expect(await profiles.load(other)).toEqual(stateWith("kept"));
    expect((await profiles.list("another")).map(({ name, isLocked }) => [name, isLocked])).toEqual([
      ["copy", false],
    ]);
  });

  test("opens with its own key and as its own profile only, and damaged not at all", async () => {
    const profiles = await openHere();
    await save(profiles, "kept");
    const exported = await profiles.export(shop);
    const elsewhere = await openHere("another.key");
    await expect(elsewhere.import(shop, exported)).rejects.toThrow(/cannot be opened/);
    const changed = Buffer.from(exported.sealed);
    changed.writeUInt8(changed.readUInt8(60) ^ 1, 60);
    for (const wrong of [
      { ...exported, name: "other" },
      { ...exported, teamId: "other" },
      { ...exported, sealed: changed },
      { ...exported, sealed: new Uint8Array(3) },
    ])
      await expect(profiles.import(shop, wrong)).rejects.toMatchObject({ code: "BAD_REQUEST" });
    expect(await profiles.load(shop)).toEqual(stateWith("kept"));
  });

  test("does not replace what a session writes to, and nothing is exported where nothing was saved", async () => {
    const profiles = await openHere();
    await save(profiles, "kept");
    const exported = await profiles.export(shop);
    const writer = await profiles.openWriter(shop);
    await expect(profiles.import(shop, exported)).rejects.toMatchObject({ code: "PROFILE_LOCKED" });
    await writer.release();
    await expect(profiles.export({ ...shop, name: "none" })).rejects.toThrow(NotFoundError);
  });
});
