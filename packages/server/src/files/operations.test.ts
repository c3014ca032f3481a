import { join } from "node:path";

import fastify, { type FastifyInstance } from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";

import { testFolder } from "@pergamon-dev/kit/test-folder.suite";
import type { BlobStore } from "../storage/blobs/blob-store.ts";
import { openBlobs } from "../storage/blobs/drivers.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import { openSecrets } from "../storage/secrets/secrets.ts";
import { openFiles } from "./files.ts";
import { addOperations } from "../http/add-operations.ts";
import { answerError } from "../http/error-handler.ts";
import { readFile } from "./operations.ts";

const bytes = Buffer.from("0123456789");
const DAY = 24 * 60 * 60 * 1000;

const folder = testFolder();
let database: Database;
let blobs: BlobStore;
let app: FastifyInstance;
let nowMs = Date.now();
let link: string;

beforeAll(async () => {
  database = await openDatabase("sqlite::memory:");
  await database.migrate();
  blobs = await openBlobs(`file:${folder}/blobs`);
  const streaming: BlobStore = { ...blobs, get: () => Promise.reject(new Error("the whole file was read")) };
  const secrets = await openSecrets({ keys: [], keyFile: join(folder, "key") });
  const files = openFiles({ database, blobs: streaming, secrets, clock: () => nowMs });
  link = await files.link({ bytes, contentType: "image/png" }, DAY, "team");
  app = fastify();
  app.setErrorHandler(answerError);
  addOperations(app, [readFile], files);
});

afterAll(async () => {
  await app.close();
  await database.close();
});

function get(url: string, headers: Readonly<Record<string, string>> = {}) {
  return app.inject({ method: "GET", url, headers });
}

test("a link gives the file, with its type and a name that is safe", async () => {
  const answer = await get(link);
  expect(answer.statusCode).toBe(200);
  expect(answer.rawPayload).toEqual(bytes);
  expect(answer.headers).toMatchObject({
    "content-type": "image/png",
    "content-disposition": expect.stringMatching(/^inline; filename="[0-9a-f]{64}\.png"$/),
    "x-content-type-options": "nosniff",
    "content-security-policy": "default-src 'none'; sandbox",
    "accept-ranges": "bytes",
    "content-length": "10",
  });
});

test("a part of it can be had", async () => {
  const part = await get(link, { range: "bytes=2-4" });
  expect([part.statusCode, part.payload]).toEqual([206, "234"]);
  expect(part.headers).toMatchObject({ "content-range": "bytes 2-4/10", "content-type": "image/png" });
  const none = await get(link, { range: "bytes=10-" });
  expect([none.statusCode, none.headers["content-range"]]).toEqual([416, "bytes */10"]);
});

test.each([
  ["bytes=0-0", 206, "0", "bytes 0-0/10"],
  ["bytes=7-", 206, "789", "bytes 7-9/10"],
  ["bytes=-3", 206, "789", "bytes 7-9/10"],
  ["bytes=8-1000", 206, "89", "bytes 8-9/10"],
  ["bytes=0-9", 206, "0123456789", "bytes 0-9/10"],
  ["bytes=-0", 416, "", "bytes */10"],
  ["bytes=999999999999999-", 416, "", "bytes */10"],
  ["bytes=0-1,3-4", 200, "0123456789", undefined],
  ["bytes=5-2", 200, "0123456789", undefined],
  ["lines=1-2", 200, "0123456789", undefined],
  ["bytes=1e1-", 200, "0123456789", undefined],
])("the range %s is answered with %i and %j", async (range, status, payload, contentRange) => {
  const answer = await get(link, { range });
  expect([answer.statusCode, answer.payload]).toEqual([status, payload]);
  expect(answer.headers["content-range"]).toBe(contentRange);
  expect(answer.headers["content-length"]).toBe(String(payload.length));
  expect(answer.headers).toMatchObject({
    "content-security-policy": "default-src 'none'; sandbox",
    "x-content-type-options": "nosniff",
    "accept-ranges": "bytes",
  });
});

test("HEAD tells what GET would send", async () => {
  const { statusCode, payload, headers } = await app.inject({ method: "HEAD", url: link });
  expect([statusCode, payload]).toEqual([200, ""]);
  expect(headers).toMatchObject({ "content-length": "10", "content-type": "image/png" });
});

test.each<readonly [string, (link: string) => string]>([
  ["another name", (whole) => whole.replace(/\/[0-9a-f]/, (start) => (start === "/0" ? "/1" : "/0"))],
  ["another extension", (whole) => whole.replace(".png", ".pdf")],
  ["a later end", (whole) => whole.replace(/expires=\d/, "expires=9")],
  ["no signature", (whole) => whole.replace(/&signature=.*/, "")],
  ["no end", (whole) => whole.replace(/expires=\d+&/, "")],
  ["half a signature", (whole) => whole.slice(0, -10)],
  ["two signatures", (whole) => `${whole}&signature=x`],
  ["a way up", (whole) => whole.replace(/files\/[^?]*/, "files/..%2f..%2fsecret.key")],
])("%s is no link", async (_name, change) => {
  expect(change(link)).not.toBe(link);
  expect((await get(change(link))).statusCode).toBe(404);
});

test("a file that is gone is not found, whole or in part", async () => {
  for await (const key of blobs.list("files")) await blobs.delete(key);
  for (const headers of [{}, { range: "bytes=1-2" }]) {
    const { statusCode, headers: received } = await get(link, headers);
    expect([statusCode, received["cache-control"]]).toEqual([404, undefined]);
  }
});

test("a link ends", async () => {
  nowMs += DAY + 1;
  expect((await get(link)).statusCode).toBe(410);
});
