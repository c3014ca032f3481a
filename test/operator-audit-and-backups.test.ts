import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import type { AuditLogAnswer } from "../packages/server/src/accounts/operator/audit-log.ts";
import type { BackupsAnswer } from "../packages/server/src/operator/backups.ts";
import { ADMIN_KEY, KEYED, operate } from "./operator.ts";
import { operations } from "./operations.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

const world = useWorld(KEYED);

type Entry = AuditLogAnswer["data"][number];

async function readLog(query = ""): Promise<{ data: readonly Entry[]; cursor: string | null }> {
  const { body } = await operate(world, `GET audit-log${query}`);
  return { data: body.data as unknown as readonly Entry[], cursor: body.cursor };
}

test("the log tells who changed what, from what to what, newest first, without requests", async () => {
  const { teamId, apiKey } = (await operate(world, "POST teams", { name: "\u202E<b>Team</b>" })).body;
  const headers = { authorization: `Bearer ${apiKey}` };
  const url = world.site.page("/audited", htmlPage("<h1>Audited</h1>"));
  await operate(world, `PATCH teams/${teamId}`, { limits: { concurrency: 3 } });
  const order = { url, formats: ["markdown"], __experimental_user: "ann" };
  await world.scrape(order, headers);
  await operate(world, `PATCH teams/${teamId}`, { limits: { concurrency: 4 } });
  const { data, cursor } = await readLog(`?team=${teamId}&limit=2`);
  expect(data).toMatchObject([
    {
      kind: "team.changed",
      by: "operator's key at 127.0.0.1",
      teamId,
      details: { limits: { concurrency: 4 }, before: { limits: { concurrency: 3 } } },
    },
    { kind: "team.changed", details: { before: { limits: {} } } },
  ]);
  expect((await readLog(`?team=${teamId}&limit=2&cursor=${cursor}`)).data).toMatchObject([
    { kind: "team.created" },
  ]);
  expect(JSON.stringify(data)).not.toContain(apiKey);
  expect((await readLog("?cursor=nonsense")).data).toEqual([]);
});

test("whatever an operator does that is no reading is in the log, also what nobody thought of", async () => {
  const operators = operations.filter(({ access }) => access === "operator" || access === "login");
  const silent = operators.filter(({ line, audit }) => !line.startsWith("GET ") && audit === undefined);
  expect(silent.map(({ line }) => line)).toEqual([]);

  const { teamId, apiKey } = (await operate(world, "POST teams", { name: "Watched" })).body;
  const url = world.site.page("/forgotten", htmlPage("<h1>Forgotten</h1>"));
  const scraped = await world.scrape({ url }, { authorization: `Bearer ${apiKey}` });
  const { scrapeId } = (scraped.body as { data: { metadata: { scrapeId: string } } }).data.metadata;
  await operate(world, "POST cache/purge", { url });
  const made = await operate(world, `POST requests/${scrapeId}/monitor`, { schedule: "daily" });
  expect(made).toMatchObject({ status: 200 });
  const monitorId = (made.body.data as unknown as { id: string }).id;
  await operate(world, `PATCH monitors/${monitorId}`, { status: "paused" });
  await operate(world, `DELETE monitors/${monitorId}`);
  const { data } = await readLog("?limit=4");
  expect(data).toMatchObject([
    {
      kind: "monitor.deleted",
      teamId,
      by: "operator's key at 127.0.0.1",
      details: { target: monitorId, name: url },
    },
    { kind: "monitor.changed", details: { status: "paused", before: { status: "active" } } },
    { kind: "monitor.created", teamId, details: { target: monitorId, schedule: "daily" } },
    { kind: "page.forgotten", details: { url } },
  ]);
  expect((await readLog(`?search=${monitorId}&kind=monitor.deleted`)).data).toHaveLength(1);
  expect((await readLog(`?search=${monitorId}&kind=key.created`)).data).toEqual([]);
  const exported = await fetch(`${world.baseUrl}/admin/api/audit-log.jsonl?team=${teamId}`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  const written = (await exported.text()).trim().split("\n");
  expect(written.map((line) => (JSON.parse(line) as Entry).kind)).toEqual([
    "monitor.deleted",
    "monitor.changed",
    "monitor.created",
    "team.created",
  ]);
});

test("many names come by one question, and lists of teams and keys are searched", async () => {
  const made = await Promise.all(
    ["Alpha 100%", "Beta"].map((name) => operate(world, "POST teams", { name })),
  );
  const [alpha, beta] = made.map(({ body }) => body);
  const { body } = await operate(
    world,
    `GET names?teams=${alpha?.teamId},${beta?.teamId},gone&keys=${beta?.keyId}`,
  );
  const { teams, keys } = body.data as unknown as Record<"teams" | "keys", Record<string, string>>;
  expect(teams).toEqual({ [alpha?.teamId ?? ""]: "Alpha 100%", [beta?.teamId ?? ""]: "Beta" });
  expect(Object.keys(keys)).toEqual([beta?.keyId]);
  const found = async (path: string) =>
    (await operate(world, `GET ${path}`)).body.data.map(({ teamId }) => teamId);
  expect(await found("teams?search=LPHA%20100%25")).toEqual([alpha?.teamId]);
  expect(await found("teams?search=100_")).toEqual([]);
  expect(await found(`keys?search=${beta?.keyId}`)).toEqual([beta?.teamId]);
});

async function listBackups(): Promise<BackupsAnswer["data"]> {
  return (await operate(world, "GET backups")).body.data as unknown as BackupsAnswer["data"];
}

test("a backup is made into a folder of one's own, one at a time, and is taken away and deleted", async () => {
  const folder = join(world.dataDir, "backups");
  await mkdir(folder, { mode: 0o755 });
  const begun = await Promise.all([1, 2, 3].map(() => operate(world, "POST backups", {})));
  expect(begun.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
  await expect
    .poll(async () => (await listBackups()).backups[0]?.state, { timeout: 60_000, interval: 200 })
    .not.toBe("running");
  const { backups, ...rest } = await listBackups();
  expect(rest).toEqual({ folder, whyNot: null });
  expect(backups).toMatchObject([{ state: "done", problem: null, withFiles: false }]);
  expect(backups[0]?.sizeBytes).toBeGreaterThan(10_000);
  expect(await readdir(folder)).toEqual([backups[0]?.file]);
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
  expect((await stat(join(folder, backups[0]?.file ?? ""))).mode & 0o777).toBe(0o600);
  expect((await readLog()).data[0]).toMatchObject({ kind: "backup.begun" });

  const path = `backups/${backups[0]?.id}`;
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const taken = await fetch(`${world.baseUrl}/admin/api/${path}/file`, { headers });
  expect((await taken.arrayBuffer()).byteLength).toBe(backups[0]?.sizeBytes);
  expect((await readLog()).data[0]).toMatchObject({ kind: "backup.downloaded" });
  expect((await operate(world, `DELETE ${path}`)).status).toBe(200);
  expect([await readdir(folder), (await listBackups()).backups]).toEqual([[], []]);
  for (const line of [`DELETE ${path}`, `GET ${path}/file`, "DELETE backups/..%2f..%2fsecret.key"])
    expect((await operate(world, line)).status).toBe(404);
});

test("a key that ends after days is found by its end", async () => {
  const { teamId } = (await operate(world, "POST teams", { name: "Short" })).body;
  const made = await operate(world, `POST teams/${teamId}/keys`, { name: "ci", expiresInDays: 2 });
  const found = await operate(world, `GET keys?search=${made.body.apiKey.slice(-4)}`);
  const own = found.body.data.find(({ keyId }) => keyId === made.body.keyId);
  const leftMs = Date.parse(String(own?.["expiresAt"])) - Date.now();
  expect(Math.round(leftMs / 3_600_000)).toBe(48);
  expect((await operate(world, `POST teams/${teamId}/keys`, { expiresInDays: 0 })).status).toBe(400);
});
