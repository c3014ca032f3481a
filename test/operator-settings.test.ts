import { beforeAll, expect, test } from "vitest";

import type { SettingsAnswer } from "../packages/server/src/operator/settings.ts";
import { openApp } from "../packages/server/src/app/app.ts";
import { readConfig } from "../packages/server/src/config/config.ts";
import { openLog } from "../packages/kit/src/log/log.ts";
import {
  type ModelDouble,
  startModelDouble,
} from "../packages/server/src/storage/models/model-double.suite.ts";
import { ADMIN_KEY, KEYED, operate } from "./operator.ts";
import { sharedStores } from "./shared-stores/shared-stores.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const { RATE_LIMIT: _rate, ...KEYED_WITH_RATE } = KEYED;
const KEY = "sk-secret-of-the-tests";

let world: World;
let double: ModelDouble;

beforeAll(async () => {
  double = await startModelDouble("openai", [
    { whileAsked: "This is a trial", say: { text: '{"ok":true}' } },
    { say: { text: '{"summary":"The harbour, by the model."}' } },
  ]);
  world = await openWorld({ ...KEYED_WITH_RATE, LLM_TIMEOUT: "5000" });
});

type Data = SettingsAnswer["data"];

async function patch(changes: Readonly<Record<string, string | null>>, version?: string) {
  const response = await fetch(`${world.baseUrl}/admin/api/settings`, {
    method: "PATCH",
    headers: { authorization: `Bearer ${ADMIN_KEY}`, ...(version !== undefined && { "if-match": version }) },
    body: JSON.stringify({ changes }),
  });
  return { status: response.status, body: (await response.json()) as { error: string; data: Data } };
}

async function read(): Promise<Data> {
  return (await operate(world, "GET settings")).body.data as unknown as Data;
}

const named = ({ settings }: Data, name: string) => settings.find((setting) => setting.name === name);

async function auditText(): Promise<string> {
  const response = await fetch(`${world.baseUrl}/admin/api/audit?limit=1000`, {
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
  });
  return response.text();
}

test("a limit that is set holds at once, in the other process within 5 seconds, and after a restart", async () => {
  const other = await openApp(
    readConfig({
      ...sharedStores(world.dataDir),
      ...KEYED_WITH_RATE,
      DATA_DIR: world.dataDir,
      LOG_LEVEL: "silent",
      PORT: "0",
    }),
    await openLog({ level: "silent", format: "json" }),
  );
  try {
    const { status, body } = await patch({ BLOCKED_DOMAINS: "blocked.test", RATE_LIMIT: "7" });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(named(body.data, "RATE_LIMIT")).toMatchObject({
      value: "7",
      origin: "dashboard",
      isWritable: true,
    });
    expect(() => world.app.services.blockedSites.refuse("https://a.blocked.test/")).toThrow(
      "do not support this site",
    );
    await expect
      .poll(() => other.services.blockedSites.has("https://a.blocked.test/"), { timeout: 20_000 })
      .toBe(true);
    expect((await patch({ BLOCKED_DOMAINS: null, RATE_LIMIT: null })).status).toBe(200);
    expect(world.app.services.blockedSites.has("https://a.blocked.test/")).toBe(false);
  } finally {
    await other.close();
  }
});

test("a model is set, answers, and is told of in the audit log without its key", async () => {
  const url = world.site.page(
    "/summary",
    htmlPage(
      "<h1>Harbour</h1><p>The harbour opens at six in the morning, and closes at eight.</p><p>Boats of the pilots are there at all hours, and fishermen leave it when the tide is in.</p>",
    ),
  );
  const set = { LLM_BASE_URL: double.url, LLM_MODEL: "double", LLM_API: "openai", LLM_API_KEY: KEY };
  const { status, body } = await patch(set);
  expect([status, body.error]).toEqual([200, undefined]);
  expect(JSON.stringify(body)).not.toContain(KEY);
  const team = (await operate(world, "POST teams", { name: "asks" })).body;
  const headers = { authorization: `Bearer ${team.apiKey}` };
  const answer = await world.scrape({ url, formats: ["summary"] }, headers);
  expect(answer.body.data.summary).toBe("The harbour, by the model.");
  const audit = await auditText();
  expect(audit).toContain('"setting":"LLM_API_KEY","before":null,"after":"secret"');
  expect(audit).not.toContain(KEY);
});

test("a key does not follow its address to another one", async () => {
  const second = await startModelDouble("openai", [{ say: { text: '{"ok":true}' } }]);
  try {
    expect((await patch({ LLM_BASE_URL: second.url })).status).toBe(200);
    expect(second.requests.length).toBeGreaterThan(0);
    for (const { headers } of second.requests) expect(JSON.stringify(headers)).not.toContain(KEY);
    expect(named(await read(), "LLM_API_KEY")?.isSet).toBe(false);
  } finally {
    second.close();
  }
});

test("a model that does not answer is refused with the reason, and the old one goes on", async () => {
  expect((await patch({ LLM_BASE_URL: double.url })).status).toBe(200);
  const before = await read();
  const { status, body } = await patch({ LLM_BASE_URL: "http://127.0.0.1:9" });
  expect(status).toBe(400);
  expect(body.error).toMatch(/Nothing was changed. The language model does not work: .*127\.0\.0\.1:9/);
  expect(named(await read(), "LLM_BASE_URL")).toEqual(named(before, "LLM_BASE_URL"));
});

test("two operators: the second one gets a conflict", async () => {
  const { version } = await read();
  expect((await patch({ LLM_CONCURRENCY: "3" }, version)).status).toBe(200);
  expect((await patch({ LLM_CONCURRENCY: "5" }, version)).status).toBe(412);
  expect(named(await read(), "LLM_CONCURRENCY")?.value).toBe("3");
});

test.each([
  ["EGRESS_ALLOW", "127.0.0.1", "EGRESS_ALLOW: The dashboard cannot change this setting."],
  ["ADMIN_KEY", "another-key-of-16", "ADMIN_KEY: The dashboard cannot change this setting."],
  ["__proto__", "x", "Name at least one setting"],
  ["NO_SUCH_SETTING", "x", "NO_SUCH_SETTING: The dashboard cannot change this setting."],
  ["LLM_TIMEOUT", "1000", "LLM_TIMEOUT: The environment or .env sets it"],
  ["PROXIES", "/etc/passwd", "PROXIES: a path can only be set in the environment"],
  ["PROXIES", '[{"tier":"basic","url":"http://127.0.0.1:9"}]', "A proxy does not work"],
  ["RATE_LIMIT", "many", "RATE_LIMIT: must be a whole number"],
  ["AD_LISTS", "http://127.0.0.1:9/list.txt", "AD_LISTS:"],
  ["BLOCKED_DOMAINS", "<img src=x>\u202E", "BLOCKED_DOMAINS"],
])("%s cannot be set to %s", async (name, value, message) => {
  const { status, body } = await patch(JSON.parse(`{${JSON.stringify(name)}:${JSON.stringify(value)}}`));
  expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(message)]);
});

test("what the environment gives is not shown as the dashboard's, and keeps its address", async () => {
  const fixed = await openWorld({ ...KEYED, LLM_API_KEY: KEY, SETTINGS_FROM_DASHBOARD: "on" });
  const off = await openWorld({ ...KEYED, SETTINGS_FROM_DASHBOARD: "off" });
  try {
    const changes = { LLM_BASE_URL: double.url, LLM_MODEL: "double" };
    const refused = await operate(fixed, "PATCH settings", { changes });
    expect([refused.status, refused.body.error]).toEqual([400, expect.stringContaining("LLM_API_KEY")]);
    expect(await operate(off, "PATCH settings", { changes })).toMatchObject({ status: 403 });
  } finally {
    await fixed.close();
    await off.close();
  }
});
