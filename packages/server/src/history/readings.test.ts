import { describe, expect, test } from "vitest";

import { openBlobs } from "../storage/blobs/drivers.ts";
import { openReadings } from "./readings.ts";

const HOUR_MS = 60 * 60 * 1000;
const KEY = { teamId: "0190a7d5-1c2b-7a3e-8f4d-0123456789ab", name: "ab12" };

async function open() {
  const blobs = await openBlobs("memory:");
  const now = { ms: 100 * 24 * HOUR_MS + 23 * HOUR_MS };
  return { blobs, now, readings: openReadings<{ readonly text: string }>({ blobs, clock: () => now.ms }) };
}

async function keysOf(blobs: Awaited<ReturnType<typeof openBlobs>>): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const key of blobs.list("readings")) keys.push(key);
  return keys;
}

describe("documents that wait for whoever asks again", () => {
  test("are found for 24 hours, across midnight, by their team alone", async () => {
    const { readings, now } = await open();
    await readings.save(KEY, { text: "long" });
    expect(await readings.load(KEY)).toEqual({ text: "long" });
    expect(await readings.load({ ...KEY, teamId: "other" })).toBeUndefined();
    expect(await readings.load({ ...KEY, name: "cd34" })).toBeUndefined();
    now.ms += 23 * HOUR_MS;
    expect(await readings.load(KEY)).toEqual({ text: "long" });
    now.ms += 2 * HOUR_MS;
    expect(await readings.load(KEY)).toBeUndefined();
  });

  test("are gone when their team is erased", async () => {
    const { readings, blobs } = await open();
    await readings.save(KEY, { text: "mine" });
    await readings.save({ ...KEY, teamId: "other" }, { text: "theirs" });
    await readings.erase(KEY.teamId);
    expect(await keysOf(blobs)).toEqual(["readings/other/100/ab12"]);
  });

  test("are deleted when they are too old", async () => {
    const { readings, blobs, now } = await open();
    await readings.save(KEY, { text: "old" });
    now.ms += 24 * HOUR_MS;
    await readings.save({ ...KEY, name: "cd34" }, { text: "newer" });
    await readings.prune();
    expect(await keysOf(blobs)).toHaveLength(2);
    now.ms += 24 * HOUR_MS;
    await readings.prune();
    expect(await keysOf(blobs)).toEqual([`readings/${KEY.teamId}/101/cd34`]);
  });

  test("are none when their blob is damaged", async () => {
    const { readings, blobs } = await open();
    await readings.save(KEY, { text: "whole" });
    await blobs.put(`readings/${KEY.teamId}/100/${KEY.name}`, Buffer.from("damaged"));
    expect(await readings.load(KEY)).toBeUndefined();
  });
});
