import { once } from "node:events";
import { request } from "node:http";

import { beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";

import { KEYED, makeTeam, type TestTeam } from "./operator.ts";
import { RunClient } from "./runs.ts";
import { useWorld } from "./use-world.ts";

const MB = 1024 * 1024;
const BOUND_BYTES = 16 * MB;
const AT_ONCE = 12;

const world = useWorld({ ...KEYED, BODY_MEMORY_MB: "16" });
let team: TestTeam;
let other: TestTeam;

beforeAll(async () => {
  [team, other] = [await makeTeam(world), await makeTeam(world)];
});

/** The most that was held while something was done. */
async function mostHeld(work: () => Promise<unknown>): Promise<number> {
  let most = 0;
  const look = setInterval(() => {
    most = Math.max(most, world.app.bodies.heldBytes);
  }, 1);
  await work().finally(() => clearInterval(look));
  return most;
}

const atOnce = <Result>(work: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: AT_ONCE }, (_, index) => work(index)));

async function expectFilled(work: () => Promise<unknown>): Promise<void> {
  const most = await mostHeld(work);
  expect(most).toBeLessThanOrEqual(BOUND_BYTES);
  expect(most).toBeGreaterThan(4 * MB);
  await expect.poll(() => world.app.bodies.heldBytes).toBe(0);
}

test("files that are sent to be read wait until they may be in memory", async () => {
  const page = `<h1>Notes</h1><p>anvil</p>${"\n".repeat(6 * MB)}`;
  await expectFilled(async () => {
    const statuses = await atOnce(async (index) => {
      const form = new FormData();
      form.append("file", new Blob([page], { type: "text/html" }), "notes.html");
      const { headers } = index % 2 === 0 ? team : other;
      return (await fetch(`${world.baseUrl}/v2/parse`, { method: "POST", headers, body: form })).status;
    });
    expect(new Set(statuses)).toEqual(new Set([200]));
  });
});

test("bodies of requests count as long as they come, and go with those who send them", async () => {
  const { hostname, port } = new URL(world.baseUrl);
  const headers = { ...team.headers, "content-type": "application/json", "content-length": 6 * MB };
  await expectFilled(async () => {
    const senders = Array.from({ length: AT_ONCE }, () =>
      request({ hostname, port, path: "/v2/scrape", method: "POST", headers }).on("error", () => undefined),
    );
    for (const sender of senders) sender.write("{");
    await expect.poll(() => world.app.bodies.heldBytes).toBe(12 * MB);
    const small = await world.get("/v2/concurrency-check", other.headers);
    expect(small.status).toBe(200);
    for (const sender of senders) sender.destroy();
  });
});

test("documents wait for those who read them slowly, and for those who watch", async () => {
  const url = world.site.page("/large", `<p>${"anvil ".repeat(MB)}</p>`);
  const client = new RunClient(world, team.headers);
  const id = await client.batch({ urls: [url] });
  await client.endedBatch(id);
  const path = `/v2/batch/scrape/${id}`;
  await expectFilled(async () => {
    const texts = await atOnce(async () =>
      (await fetch(`${world.baseUrl}${path}`, { headers: team.headers })).text(),
    );
    expect(new Set(texts.map(({ length }) => length)).size).toBe(1);
    expect(texts[0]?.length).toBeGreaterThan(6 * MB);
  });
  await expectFilled(async () => {
    await atOnce(async () => {
      const socket = new WebSocket(`${world.baseUrl.replace("http", "ws")}${path}`, {
        headers: team.headers,
      });
      const [message] = (await once(socket, "message")) as [Buffer];
      expect(message.byteLength).toBeGreaterThan(6 * MB);
      await once(socket, "close");
    });
  });
});
