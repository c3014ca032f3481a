import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, beforeEach, expect, test } from "vitest";

import type { BlobStore } from "../storage/blobs/blob-store.ts";
import { openBlobs } from "../storage/blobs/drivers.ts";
import { type HttpClient, openHttpClient } from "../net/client.ts";
import { parseEgressRules } from "../net/guard/egress-rules.ts";
import { openGuard } from "../net/guard/guard.ts";
import { openResolver } from "../net/guard/resolver.ts";
import { type AdLists, openAdLists } from "./ad-lists.ts";

const HOUR_MS = 60 * 60 * 1000;

let server: Server;
let answer: { status: number; body: string };
let fetches: number;
let blobs: BlobStore;
let client: HttpClient;
let nowMs: number;
let failures: unknown[];
let opened: AdLists[];

beforeEach(async () => {
  answer = { status: 200, body: "||listed.test^\n" };
  fetches = 0;
  server = createServer((_request, response) => {
    fetches += 1;
    response.writeHead(answer.status, { "content-type": "text/plain" }).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  blobs = await openBlobs("memory:");
  const guard = openGuard({
    rules: parseEgressRules(["127.0.0.1"]),
    resolver: openResolver({ servers: [] }),
  });
  client = openHttpClient({ guard });
  nowMs = 1_900_000_000_000;
  failures = [];
  opened = [];
});

afterEach(async () => {
  for (const lists of opened) await lists.close();
  await client.close();
  await blobs.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** The lists as one more start of the service opens them. */
function openHere(): AdLists {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/list.txt`;
  const onError = (failure: unknown) => failures.push(failure);
  const lists = openAdLists({ urls: [url], blobs, client, clock: () => nowMs, onError });
  opened.push(lists);
  return lists;
}

async function blocks(lists: AdLists, host: string): Promise<boolean> {
  const blocker = await lists.blocker();
  return blocker.blocks({ url: `https://${host}/x.js`, type: "Script", pageUrl: "https://shop.test/" });
}

test("without lists the filters of this project are used, and nothing is fetched", async () => {
  const lists = openAdLists({ urls: [], blobs, client });
  expect(await blocks(lists, "ad.doubleclick.net")).toBe(true);
  expect(await blocks(lists, "listed.test")).toBe(false);
  await lists.refresh();
  await lists.close();
  expect(fetches).toBe(0);
});

test("a list is fetched, used beside our filters, and found again by the next start without a fetch", async () => {
  const lists = openHere();
  await lists.blocker();
  await lists.refresh();
  expect(await blocks(lists, "listed.test")).toBe(true);
  expect(await blocks(lists, "ad.doubleclick.net")).toBe(true);
  expect(fetches).toBe(1);
  const next = openHere();
  expect(await blocks(next, "listed.test")).toBe(true);
  await next.refresh();
  expect(fetches).toBe(1);
});

test("a list is fetched anew after a day", async () => {
  const lists = openHere();
  await lists.refresh();
  nowMs += 23 * HOUR_MS;
  await lists.refresh();
  expect(fetches).toBe(1);
  answer = { status: 200, body: "||newer.test^\n" };
  nowMs += HOUR_MS;
  await lists.refresh();
  expect(fetches).toBe(2);
  expect(await blocks(lists, "newer.test")).toBe(true);
  expect(await blocks(lists, "listed.test")).toBe(false);
});

test.each([
  [500, "down"],
  [200, "<!doctype html><title>Moved</title>"],
  [200, ""],
])("an answer of %i %j leaves the snapshot in use", async (status, body) => {
  const lists = openHere();
  await lists.refresh();
  answer = { status, body };
  nowMs += 25 * HOUR_MS;
  await lists.refresh();
  expect(failures).toHaveLength(1);
  expect(String(failures[0])).toContain("/list.txt could not be fetched");
  expect(await blocks(lists, "listed.test")).toBe(true);
});
