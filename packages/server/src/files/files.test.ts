import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import { afterEach, beforeEach, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import { openBlobs } from "../storage/blobs/drivers.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openSecrets } from "../storage/secrets/secrets.ts";
import type { FileContent } from "../storage/blobs/file-content.ts";
import { type FileLink, type Files, type LinkedFile, openFiles } from "./files.ts";

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

let folder: string;
let database: Database;
let blobs: BlobStore;
let files: Files;
let nowMs: number;

beforeEach(async () => {
  folder = testFolder();
  nowMs = 1_900_000_000_000;
  database = await openDatabase(`sqlite:${folder}/test.db`);
  await database.migrate();
  blobs = await openBlobs("memory:");
  files = await openHere();
});

afterEach(async () => {
  await database.close();
  await blobs.close();
});

async function openHere(keys: readonly string[] = []): Promise<Files> {
  const secrets = await openSecrets({ keys, keyFile: join(folder, "secret.key") });
  return openFiles({ database, blobs, secrets, clock: () => nowMs });
}

const picture = (text: string): FileContent => ({ bytes: Buffer.from(text), contentType: "image/png" });

function parts(link: string): FileLink {
  const url = new URL(link, "http://service.test");
  const query = (name: string) => url.searchParams.get(name) ?? "";
  return {
    name: url.pathname.slice(url.pathname.lastIndexOf("/") + 1),
    expires: query("expires"),
    signature: query("signature"),
  };
}

async function blobCount(): Promise<number> {
  let count = 0;
  for await (const _key of blobs.list("files")) count += 1;
  return count;
}

test("a link opens the file, also after a restart, until its time is over", async () => {
  const link = await files.link(picture("ink"), DAY_MS, "team");
  expect(link).toMatch(/^\/v2\/files\/[0-9a-f]{64}\.png\?expires=\d+&signature=[\w-]{43}$/);
  nowMs += DAY_MS - 1;
  const found = await (await openHere()).open(parts(link));
  expect(found).toMatchObject({ sizeBytes: 3, contentType: "image/png" });
  const part = await (found as LinkedFile).read({ start: 1, end: 2 });
  expect(part && String(await buffer(part))).toBe("nk");
  nowMs += 1;
  expect(await files.open(parts(link))).toBe("expired");
});

test("F8 the same life of the same file has the same link, however often it is asked for", async () => {
  const sinceMs = nowMs;
  const first = await files.link(picture("ink"), DAY_MS, "team", sinceMs);
  nowMs += DAY_MS - 1;
  expect(await (await openHere()).link(picture("ink"), DAY_MS, "team", sinceMs)).toBe(first);
  expect(await files.open(parts(first))).toMatchObject({ contentType: "image/png" });
});

test("F8 for a life that is over nothing is kept, and its link says so", async () => {
  const sinceMs = nowMs;
  nowMs += DAY_MS;
  const link = await files.link(picture("ink"), DAY_MS, "team", sinceMs);
  expect(await blobCount()).toBe(0);
  expect(await files.open(parts(link))).toBe("expired");
});

test("a link outlives a change of the key, as long as the older one is named", async () => {
  const [older, newer] = [1, 2].map((byte) => Buffer.alloc(32, byte).toString("base64")) as [string, string];
  const link = parts(await (await openHere([older])).link(picture("ink"), DAY_MS, "team"));
  expect(await (await openHere([newer, older])).open(link)).toMatchObject({ contentType: "image/png" });
  expect(await (await openHere([newer])).open(link)).toBeUndefined();
});

test("a changed link opens nothing", async () => {
  const link = parts(await files.link(picture("ink"), DAY_MS, "team"));
  const other = parts(await files.link(picture("other"), DAY_MS, "team"));
  expect(await files.open({ ...link, expires: String(nowMs + 10 * DAY_MS) })).toBeUndefined();
  expect(await files.open({ ...link, name: other.name })).toBeUndefined();
  expect(await files.open({ ...link, signature: "" })).toBeUndefined();
  expect(await files.open({ ...link, signature: `${link.signature}A` })).toBeUndefined();
  expect(await files.open({ ...link, name: link.name.replace("png", "pdf") })).toBeUndefined();
});

test("the same content is kept once, and as long as its last link", async () => {
  const first = await files.link(picture("ink"), DAY_MS, "team");
  nowMs += DAY_MS - HOUR_MS;
  const second = await files.link(picture("ink"), DAY_MS, "team");
  expect(await blobCount()).toBe(1);
  nowMs += 2 * HOUR_MS;
  await files.prune();
  expect(await files.open(parts(first))).toBe("expired");
  expect(await files.open(parts(second))).toMatchObject({ contentType: "image/png" });
});

test("a short link does not end the life of a longer one, nor does it limit one made later", async () => {
  const long = await files.link(picture("ink"), DAY_MS, "team");
  const short = await files.link(picture("ink"), HOUR_MS, "team");
  await files.link(picture("other"), HOUR_MS, "team");
  const later = await files.link(picture("other"), DAY_MS, "team");
  nowMs += DAY_MS - 1;
  await files.prune();
  expect(await files.open(parts(long))).toMatchObject({ contentType: "image/png" });
  expect(await files.open(parts(later))).toMatchObject({ contentType: "image/png" });
  expect(await files.open(parts(short))).toBe("expired");
});

test("pruning deletes expired files, and they can be kept again", async () => {
  await files.link(picture("one"), DAY_MS, "team");
  await files.link(picture("two"), DAY_MS, "team");
  nowMs += DAY_MS + HOUR_MS;
  await files.prune();
  expect(await blobCount()).toBe(0);
  const again = await files.link(picture("one"), DAY_MS, "team");
  expect(await files.open(parts(again))).toMatchObject({ contentType: "image/png" });
});
