import { open, stat } from "node:fs/promises";
import { join } from "node:path";

import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";

import { openWorld } from "./world.ts";

const PAGE_BYTES = 4096;
/** A machine that is busy with other tests is not ready at once. */
const READY = { timeout: 30_000, interval: 250 };

/** As SQLite numbers it: SQLITE_CORRUPT is 11, in the lowest byte. */
const CORRUPT = expect.stringMatching(/^ERR_SQLITE_ERROR_(?:11|267|523|779)$/);

test("R10 a database that is damaged while it is used: nothing is done, nothing is unknown, and readyz says so", async () => {
  const world = await openWorld();
  const url = world.site.page("/page", "<h1>Page</h1>");
  expect((await world.scrape({ url })).status).toBe(200);
  await expect.poll(async () => (await world.get("/readyz")).status, READY).toBe(200);

  const path = join(world.dataDir, "pergamon.db");
  const other = new DatabaseSync(path);
  other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  const handle = await open(path, "r+");
  const zeros = Buffer.alloc((await stat(path)).size - PAGE_BYTES);
  await handle.write(zeros, 0, zeros.byteLength, PAGE_BYTES);
  await handle.close();
  // A write of somebody else makes the service forget what it has in memory.
  other.exec("PRAGMA user_version = 7");
  other.close();

  const visits = world.site.hits("/page").length;
  for (let count = 0; count < 5; count += 1) {
    const { status, body, headers } = await world.scrape({ url, maxAge: 0 });
    expect([status, body.code]).toEqual([503, "billing_unavailable"]);
    expect(body.error).toContain("The database of this service is damaged");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain(world.dataDir);
  }
  expect(world.site.hits("/page").length).toBe(visits);
  expect((await world.get("/healthz")).status).toBe(200);
  const ready = await world.get("/readyz");
  expect(ready.status).toBe(503);
  expect(ready.body).toMatchObject({
    parts: expect.arrayContaining([{ name: "database", ok: false, code: CORRUPT }]) as unknown,
  });
  expect(JSON.stringify(ready.body)).not.toContain(world.dataDir);
  await world.close().catch(() => undefined);
});
