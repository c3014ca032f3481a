import { createServer, type Server } from "node:http";

import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { z } from "zod";

import { SCRAPE_ID, success } from "../packages/server/src/api/example-values.ts";
import { defineShape } from "../packages/server/src/api/operation-shape.ts";
import { jobKinds } from "../packages/server/src/app/job-kinds.ts";
import { defineJobKind, type JobContext, listedPage } from "../packages/server/src/jobs/job-kind.ts";
import { webhookSchema } from "../packages/server/src/jobs/webhook-setting.ts";
import { planForAll } from "../packages/server/src/scrape/request/planned-options.ts";
import { scrapeOptionsSchema } from "../packages/server/src/scrape/request/schema.ts";
import type { Database } from "../packages/server/src/storage/database/database.ts";
import { KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { openReceiver, type Receiver } from "./receiver.ts";
import { RunClient } from "./runs.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const SurveyRequest = z.strictObject({
  topic: z.string(),
  urls: z.array(z.url()).min(1),
  webhook: webhookSchema("survey", ["started", "page", "completed", "failed", "cancelled"]).optional(),
  zeroDataRetention: z.boolean().default(false),
});

interface SurveyOptions {
  readonly topic: string;
  readonly zeroDataRetention: boolean;
}

const planOf = ({ zeroDataRetention }: SurveyOptions) =>
  planForAll({ ...scrapeOptionsSchema().parse({}), zeroDataRetention }, {});

/** What somebody would write who adds a kind of job: this, a line in the table of kinds, and one in the schema. */
const survey = defineJobKind({
  name: "survey",
  title: "Survey",
  path: "/v2/survey",
  endpoint: "survey",
  summary: "Scrape the pages about a topic",
  body: defineShape("SurveyRequest", SurveyRequest, { topic: "lamps", urls: ["https://example.com"] }),
  answer: defineShape(
    "SurveyAnswer",
    z.strictObject({ success: z.literal(true), id: z.uuid(), url: z.string() }),
    {
      success,
      id: SCRAPE_ID,
      url: `http://service.test/v2/survey/${SCRAPE_ID}`,
    },
  ),
  errors: [402, 403, 409],
  tables: [{ name: "surveys", keptUntil: "expired" }],
  request: (_context: JobContext) => SurveyRequest,
  plan: planOf,
  async accept({ body }, { request }) {
    const { urls, webhook, ...options } = request(body);
    const page = planOf(options).for(urls[0] ?? "");
    return { options, credits: urls.length, page, list: { urls }, webhook };
  },
  async start(tx, { id, teamId }) {
    await tx.prepared(TABLE).run();
    await tx.prepared("INSERT INTO surveys (run_id, team_id) VALUES (?, ?)").run(id, teamId);
  },
  page: (task, context) =>
    listedPage(task, context, () => ({ kind: "survey", options: context.options.of(task.job) })),
  result: async (_tx, job) => JSON.stringify({ pages: job.completed }),
  question: ({ topic }) => topic,
});

/** The line in the schema. */
const TABLE = "CREATE TABLE IF NOT EXISTS surveys (run_id text PRIMARY KEY, team_id text NOT NULL)";

let world: World;
let database: Database;
let team: TestTeam;
let client: RunClient;
let receiver: Receiver;
/** Takes connections, and never answers. */
let silent: Server;

beforeAll(async () => {
  const settings = { ...KEYED, HOST_CONCURRENCY: "50" };
  world = await openWorld(settings, undefined, "shared", [...jobKinds, survey]);
  ({ database } = world.app.families.jobs.stores.persistent);
  await database.prepared(TABLE).run();
  receiver = await openReceiver();
  silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
});

beforeEach(async () => {
  team = await makeTeam(world, { credits: 10, flags: { zeroDataRetention: "allowed" } });
  client = new RunClient(world, team.headers);
});

afterAll(async () => {
  await world.close();
  await receiver.close();
  silent.closeAllConnections();
  silent.close();
});

const pages = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    world.site.page(`/${index}`, htmlPage(`<h1>Page ${index}</h1>`)),
  );

/** A page that is never answered. */
function slowPage(): string {
  const { port } = silent.address() as { readonly port: number };
  return `http://127.0.0.1:${port}/`;
}

async function start(body: object): Promise<string> {
  const { status, body: answer } = await client.ask("POST /v2/survey", { topic: "lamps", ...body });
  expect([status, answer.url]).toEqual([200, `${world.baseUrl}/v2/survey/${answer.id}`]);
  return answer.id;
}

async function waitFor(isThere: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isThere())) await new Promise((resolve) => setTimeout(resolve, 20));
}

const rowsOf = async (table: string, jobId: string) =>
  (await database.prepared<{ run_id: string }>(`SELECT run_id FROM ${table} WHERE run_id = ?`).all(jobId))
    .length;

describe("a kind of job that is one folder and one line in the table", () => {
  test("is started, and has a status with its documents page by page", async () => {
    const id = await start({ urls: pages(3) });
    const done = await client.ended(`/v2/survey/${id}`);
    expect(done).toMatchObject({
      success: true,
      status: "completed",
      total: 3,
      completed: 3,
      creditsUsed: 3,
    });
    expect(await team.remaining()).toBe(7);
    const { body } = await client.ask(`GET /v2/survey/${id}?limit=2`);
    expect(body.data.map(({ markdown }) => markdown)).toHaveLength(2);
    expect(body.next).toBe(`${world.baseUrl}/v2/survey/${id}?skip=2&limit=2`);
    expect(
      (await client.all(`/v2/survey/${id}?limit=1`)).map(({ metadata }) => metadata.sourceURL).toSorted(),
    ).toEqual(pages(3));
  });

  test("refuses what is no request, and a team without credits", async () => {
    const wrong = await client.ask("POST /v2/survey", { topic: "lamps", urls: [], more: 1 });
    expect([wrong.status, wrong.body.success]).toEqual([400, false]);
    const poor = await makeTeam(world, { credits: 1 });
    const asPoor = new RunClient(world, poor.headers);
    const refused = await asPoor.ask("POST /v2/survey", { topic: "lamps", urls: pages(2) });
    expect([refused.status, refused.body.code]).toEqual([402, "insufficient_credits"]);
    expect((await client.ask("GET /v2/survey/none")).status).toBe(400);
    expect((await client.ask(`GET /v2/survey/${SCRAPE_ID}`)).body.error).toBe("Job not found");
  });

  test("is accepted once for a key", async () => {
    const key = { "x-idempotency-key": "019a1feb-a30f-7a27-af2c-143e82602e53" };
    const body = { topic: "lamps", urls: pages(1) };
    expect((await client.ask("POST /v2/survey", body, key)).status).toBe(200);
    expect((await client.ask("POST /v2/survey", body, key)).status).toBe(409);
  });

  test("lists the pages that could not be made", async () => {
    const id = await start({ urls: [...pages(1), "http://127.0.0.1:9/gone"] });
    expect(await client.ended(`/v2/survey/${id}`)).toMatchObject({ completed: 1 });
    const { body } = await client.ask(`GET /v2/survey/${id}/errors`);
    expect(body.errors).toMatchObject([{ url: "http://127.0.0.1:9/gone", error: expect.any(String) }]);
  });

  test("can be cancelled, by its team and by the operator", async () => {
    const id = await start({ urls: [slowPage()] });
    expect((await client.ask(`DELETE /v2/survey/${id}`)).body).toEqual({
      success: true,
      status: "cancelled",
    });
    const done = await start({ urls: pages(1) });
    await client.ended(`/v2/survey/${done}`);
    const late = await client.ask(`DELETE /v2/survey/${done}`);
    expect([late.status, late.body.error]).toEqual([409, "Survey is already completed"]);
    const other = await start({ urls: [slowPage()] });
    expect((await operate(world, `DELETE jobs/${other}`)).status).toBe(200);
    expect(await client.ended(`/v2/survey/${other}`)).toMatchObject({ status: "cancelled" });
  });

  test("is in the operator's list by what it was asked, with its pages, and can be downloaded", async () => {
    const [url = ""] = pages(1);
    const id = await start({ topic: "the price of lamps", urls: [url, slowPage()] });
    await waitFor(async () => (await client.ask(`GET /v2/survey/${id}`)).body.completed === 1);
    const { body } = await operate(world, `GET jobs?kind=survey&team=${team.teamId}`);
    expect(body.data).toMatchObject([{ id, kind: "survey", question: "the price of lamps", completed: 1 }]);
    const listed = await operate(world, `GET jobs/${id}/pages`);
    expect(listed.body.data).toMatchObject([
      { url, state: "done" },
      { url: slowPage(), state: "running" },
    ]);
    const lines = await fetch(`${world.baseUrl}/admin/api/jobs/${id}/documents.jsonl`, {
      headers: { authorization: `Bearer ${KEYED.ADMIN_KEY}` },
    });
    expect((await lines.text()).trim().split("\n")).toHaveLength(1);
    await client.ask(`DELETE /v2/survey/${id}`);
  });

  test("is watched by WebSocket", async () => {
    const id = await start({ urls: pages(2) });
    const socket = new WebSocket(`${world.baseUrl.replace("http", "ws")}/v2/survey/${id}`, {
      headers: team.headers,
    });
    const messages: { readonly type: string; readonly data: { readonly completed?: number } }[] = [];
    socket.on("message", (data: Buffer) =>
      messages.push(JSON.parse(data.toString()) as (typeof messages)[number]),
    );
    await new Promise((resolve) => socket.on("close", resolve));
    expect(messages[0]?.type).toBe("catchup");
    expect(messages.at(-1)).toMatchObject({ type: "done", data: { completed: 2 } });
  });

  test("tells webhooks of its start, its pages, and what it has brought", async () => {
    const id = await start({ urls: pages(1), webhook: receiver.url });
    await client.ended(`/v2/survey/${id}`);
    const own = () => receiver.delivered.filter((one) => one.id === id);
    await waitFor(() => own().length === 3);
    expect(own().map(({ type }) => type)).toEqual(["survey.started", "survey.page", "survey.completed"]);
    expect(own()[1]?.data[0]?.markdown).toContain("Page 0");
    expect(own()[2]?.data).toEqual([{ pages: 1 }]);
  });

  test("stores its options encrypted, and nothing with zero data retention", async () => {
    const id = await start({ topic: "hidden topic", urls: pages(1) });
    const row = await database
      .prepared<{ options: string }>("SELECT options FROM job_runs WHERE id = ?")
      .get(id);
    expect(row?.options).toMatch(/^[\w+/=]{40,}$/);
    expect(Buffer.from(row?.options ?? "", "base64").toString()).not.toContain("hidden topic");
    const hidden = await start({ urls: pages(2), zeroDataRetention: true });
    expect(await client.ended(`/v2/survey/${hidden}`)).toMatchObject({ completed: 2 });
    expect([await rowsOf("surveys", hidden), await rowsOf("job_documents", hidden)]).toEqual([0, 0]);
  });

  test("is deleted with its rows when its team is, and others stay", async () => {
    const id = await start({ urls: pages(1) });
    await client.ended(`/v2/survey/${id}`);
    expect(await rowsOf("surveys", id)).toBe(1);
    const other = await makeTeam(world);
    expect((await operate(world, `DELETE teams/${other.teamId}`)).status).toBe(200);
    expect(await rowsOf("surveys", id)).toBe(1);
    expect((await operate(world, `DELETE teams/${team.teamId}`)).status).toBe(200);
    expect([await rowsOf("surveys", id), await rowsOf("job_documents", id)]).toEqual([0, 0]);
  });

  test("is in the activity of its team, and a choice of the dashboard", async () => {
    const id = await start({ urls: pages(1) });
    const { status, body } = await client.ask("GET /v2/team/activity?endpoint=survey");
    expect([status, body.data]).toMatchObject([200, [{ id, endpoint: "survey" }]]);
    const headers = { authorization: `Bearer ${KEYED.ADMIN_KEY}` };
    const login = await fetch(`${world.baseUrl}/admin/session`, { headers });
    const { data } = (await login.json()) as { readonly data: { readonly kinds: readonly object[] } };
    expect(data.kinds.at(-1)).toEqual({ name: "survey", title: "Survey", endpoint: "survey" });
  });

  test("is in the reference", async () => {
    const response = await fetch(`${world.baseUrl}/openapi.json`);
    const { paths } = (await response.json()) as { readonly paths: Readonly<Record<string, object>> };
    const own = Object.entries(paths).filter(([path]) => path.startsWith("/v2/survey"));
    expect(own.map(([path, methods]) => [path, Object.keys(methods)])).toEqual([
      ["/v2/survey", ["post"]],
      ["/v2/survey/{id}", ["get", "delete"]],
      ...["errors", "chunks", "export"].map((part) => [`/v2/survey/{id}/${part}`, ["get"]]),
    ]);
  });
});
