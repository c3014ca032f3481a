import { beforeAll, expect, test } from "vitest";

import { givenAddress } from "../packages/kit/src/address.ts";
import { insertPage } from "../packages/server/src/monitor/check-pages.ts";
import { getCheck, insertCheck } from "../packages/server/src/monitor/check-rows.ts";
import { newsOf } from "../packages/server/src/monitor/notify.ts";
import { insertError, insertRobotsBlocked } from "../packages/server/src/jobs/errors.ts";
import { uuidV7 } from "../packages/kit/src/uuid.ts";
import type { Database } from "../packages/server/src/storage/database/database.ts";
import { RunClient } from "./runs.ts";
import { useWorld } from "./use-world.ts";

const PAGE_BYTES = 10 * 1024 * 1024;
/** What JSON has besides the entries of a page. */
const MARGIN_BYTES = 100_000;

const world = useWorld();
let client: RunClient;
let database: Database;

beforeAll(async () => {
  client = new RunClient(world);
  ({ database } = world.app.families.jobs.stores.persistent);
});

/** All answers of a list, by its links. */
async function follow(path: string): Promise<readonly { readonly text: string; readonly body: unknown }[]> {
  const { status, body, text } = await client.ask(`GET ${path}`);
  expect(status).toBe(200);
  expect(text.length).toBeLessThan(PAGE_BYTES + MARGIN_BYTES);
  return [{ text, body }, ...("next" in body ? await follow(body.next) : [])];
}

const dataOf = (pages: readonly { readonly body: unknown }[]) =>
  pages.flatMap(({ body }) => (body as { data: readonly Readonly<Record<string, unknown>>[] }).data);

async function monitorOf(urls: readonly string[]) {
  const body = { name: "Many", schedule: { text: "daily" }, targets: [{ type: "scrape", urls }] };
  const { body: made } = await client.ask("POST /v2/monitor", body);
  return (made as unknown as { data: { id: string; targets: unknown } }).data;
}

test("errors of a run come in pages of 10 MiB, in their order, none twice", async () => {
  const id = await client.batch({ urls: [world.site.page("/one", "<p>one</p>")] });
  await client.endedBatch(id);
  const tail = "x".repeat(16_000);
  await database.transaction(async (tx) => {
    for (let index = 0; index < 700; index += 1) {
      const url = givenAddress(`https://a.test/${index}/${tail}`);
      await insertError(tx, id, { url, message: "gone" }, index);
      if (index % 100 === 0) {
        await insertRobotsBlocked(tx, id, givenAddress(`https://b.test/${index}`), index);
      }
    }
  });
  const pages = await follow(`/v2/batch/scrape/${id}/errors`);
  expect(pages).toHaveLength(2);
  const bodies = pages.map(({ body }) => body as { errors: { url: string }[]; robotsBlocked: string[] });
  const numbers = bodies.flatMap(({ errors }) => errors.map(({ url }) => Number(url.split("/")[3])));
  expect(numbers).toEqual(Array.from({ length: 700 }, (_, index) => index));
  expect(new Set(bodies.flatMap(({ robotsBlocked }) => robotsBlocked)).size).toBe(7);
});

test("a list of monitors tells how many addresses there are, and one monitor which", async () => {
  const urls = Array.from({ length: 1000 }, (_, index) => world.site.url(`/${index}`));
  const { id } = await monitorOf(urls);
  const [listed] = dataOf(await follow("/v2/monitor"));
  expect(listed?.["targets"]).toMatchObject([{ urlCount: 1000, urls: urls.slice(0, 10) }]);
  const { body } = await client.ask(`GET /v2/monitor/${id}`);
  expect((body as unknown as { data: unknown }).data).toMatchObject({ targets: [{ urls }] });
  await client.ask(`DELETE /v2/monitor/${id}`);
});

test("checks and pages of checks come in pages of 10 MiB", async () => {
  const monitorId = (await monitorOf([world.site.url("/")])).id;
  const teamId = world.app.team.id;
  const checkIds = Array.from({ length: 5 }, (_, index) => uuidV7(Date.now() - index * 1000));
  await database.transaction(async (tx) => {
    for (const [index, id] of checkIds.entries()) {
      const check = {
        id,
        monitorId,
        teamId,
        status: "skipped_overlap",
        scheduledAtMs: index,
        isManual: false,
      } as const;
      await insertCheck(tx, { ...check, nowMs: Date.now() });
      const targets = JSON.stringify([{ targetId: id, type: "scrape", urls: ["x".repeat(4_000_000)] }]);
      if (index === 0) continue;
      await tx.prepared("UPDATE monitor_checks SET targets = ? WHERE id = ?").run(targets, id);
    }
    const page = { targetId: uuidV7(0), url: "https://a.test/", status: "changed" } as const;
    const diff = JSON.stringify({ text: "x".repeat(500_000), json: { files: [] } });
    for (let index = 0; index < 60; index += 1)
      await insertPage(tx, checkIds[0] ?? "", { ...page, url: `https://a.test/${index}`, diff }, index);
  });
  const checks = await follow(`/v2/monitor/${monitorId}/checks`);
  expect(checks.length).toBeGreaterThan(1);
  expect(dataOf(checks).map(({ id }) => id)).toEqual(checkIds);
  const pages = await follow(`/v2/monitor/${monitorId}/checks/${checkIds[0]}?limit=50`);
  expect(pages.length).toBeGreaterThan(1);
  const urls = pages.flatMap(({ body }) =>
    (body as { data: { pages: readonly { url: string }[] } }).data.pages.map(({ url }) => url),
  );
  expect(urls).toEqual(Array.from({ length: 60 }, (_, index) => `https://a.test/${index}`));
});

test("a message about a check reads the pages that it shows, without what it does not show", async () => {
  const id = uuidV7();
  const diff = JSON.stringify({ text: `@@ ${"x".repeat(100_000)}`, json: { files: [] } });
  await database.transaction(async (tx) => {
    const check = {
      id,
      monitorId: id,
      teamId: id,
      status: "running",
      scheduledAtMs: 0,
      isManual: false,
    } as const;
    await insertCheck(tx, { ...check, nowMs: 0 });
    for (let index = 0; index < 60; index += 1) {
      const url = `https://a.test/${index}`;
      const page = {
        targetId: id,
        url,
        status: index < 2 ? "same" : "changed",
        diff,
        snapshot: diff,
      } as const;
      await insertPage(tx, id, page, index);
    }
  });
  let readLength = 0;
  const counting = new Proxy(database, {
    get: (target, name) =>
      name !== "prepared"
        ? Reflect.get(target, name)
        : (sql: string) => {
            const statement = target.prepared(sql);
            const count = <Row>(rows: Row) => {
              readLength += JSON.stringify(rows ?? null).length;
              return rows;
            };
            return {
              get: async (...values: string[]) => count(await statement.get(...values)),
              all: async (...values: string[]) => count(await statement.all(...values)),
            };
          },
  });
  const check = await getCheck(database, id);
  if (!check) throw new Error("There is no check.");
  const plain = await newsOf(check, counting, false);
  expect(plain.slice(-2)).toEqual(["changed: https://a.test/51", "… and 8 more pages."]);
  expect(readLength).toBeLessThan(50_000);
  readLength = 0;
  const [first, ...others] = await newsOf(check, counting, true);
  expect(readLength).toBeLessThan(50 * 101_000 + 50_000);
  expect(first).toMatch(/^changed: https:\/\/a\.test\/2\n@@ x{4997}$/);
  expect(others).toHaveLength(50);
});
