import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { makeTeam, type SoakService, startSoakService } from "./service-process.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { type AgentModel, call, done, NEVER, type Script, startAgentModel } from "./agent-model.ts";
import { AgentClient } from "./agents.ts";
import { build, builtProgram } from "./built.ts";
import { htmlPage, openSite, type Site } from "./site.ts";
import { openWorld } from "./world.ts";

const RUNS = 100;
const KILLS = 4;
const CREDITS = 10_000;

const dataDir = testFolder();
let site: Site;
let model: AgentModel;
let service: SoakService;

beforeAll(async () => {
  await build();
  site = await openSite();
  model = await startAgentModel();
  await start();
}, 120_000);

afterAll(() => service.kill());

async function start(): Promise<void> {
  const settings = { ...model.settings, HOST_CONCURRENCY: "50" };
  service = await startSoakService({ command: builtProgram, dataDir, settings });
}

/** How a run has to end. */
interface Ending {
  readonly status: string;
  readonly creditsUsed: number;
}

/** A script, and its end: one of five kinds. */
function scriptOf(
  index: number,
  page: string,
): { readonly script: Script; readonly ending: Ending; readonly body?: object } {
  const read = Array.from({ length: 1 + (index % 4) }, (_, part) =>
    call("scrape", { url: `${page}?${part}` }),
  );
  const creditsUsed = 2 * read.length;
  const completed = { status: "completed", creditsUsed: creditsUsed + 1 };
  const kinds = [
    { script: [...read, done({ page: index })], ending: completed },
    { script: [...read, call("nothing", {})], ending: { status: "failed", creditsUsed } },
    {
      script: [...read, ...Array.from({ length: 3 }, () => call("map", { url: "http://10.0.0.1/" }))],
      ending: { status: "failed", creditsUsed: creditsUsed + 3 },
    },
    {
      script: [...read, done({})],
      ending: { status: "failed", creditsUsed },
      body: { schema: { type: "object", required: ["page"] } },
    },
    {
      script: [...read, ...read, done("late")],
      ending: { status: "failed", creditsUsed },
      body: { maxCredits: creditsUsed },
    },
  ];
  const kind = kinds[index % kinds.length];
  if (!kind) throw new Error("There is no such kind.");
  return kind;
}

test("a model that never answers ends the run with its reason", async () => {
  const world = await openWorld({ ...model.settings, LLM_TIMEOUT: "1500" });
  try {
    model.play("endless", [NEVER]);
    const ended = await new AgentClient(world).run({ prompt: "endless" });
    expect(ended).toMatchObject({ status: "failed", creditsUsed: 0 });
    expect(ended.error).toBe("The language model gave no usable answer: The language model took too long.");
  } finally {
    await world.close();
  }
}, 60_000);

test("100 runs that are killed four times end as their scripts say, and cost what the ledger says", async () => {
  const team = await makeTeam(service.url, { name: "team", credits: CREDITS });
  const client = () => new AgentClient({ baseUrl: service.url }, { authorization: `Bearer ${team.apiKey}` });
  const page = site.page("/page", (_request, response) => {
    setTimeout(() => response.end(htmlPage("<main><h1>Page</h1></main>")), 50).unref();
  });
  const endings = new Map<string, Ending>();
  for (let index = 0; index < RUNS; index += 1) {
    const task = `task${index}.`;
    const { script, ending, body } = scriptOf(index, page);
    model.play(task, script);
    endings.set(await client().start({ prompt: task, ...body }), ending);
  }
  for (let kill = 0; kill < KILLS; kill += 1) {
    await pause(700);
    await service.kill();
    await start();
  }
  let used = 0;
  for (const [id, ending] of endings) {
    const ended = await client().ended(id);
    expect({ id, ...ending, error: ended.error }).toMatchObject({
      id,
      status: ended.status,
      creditsUsed: ended.creditsUsed,
    });
    used += ended.creditsUsed;
  }
  await service.kill();
  const database = await openDatabase(`sqlite:${join(dataDir, "pergamon.db")}`);
  const charged = await database
    .prepared<{ run: string; amount: number }>(
      `SELECT substr(id, 1, 36) AS run, sum(amount) AS amount FROM ledger_entries WHERE to_account = 'used' GROUP BY 1`,
    )
    .all();
  await database.close();
  expect(new Map(charged.map(({ run, amount }) => [run, amount]))).toEqual(
    new Map(
      [...endings]
        .filter(([, { creditsUsed }]) => creditsUsed > 0)
        .map(([id, { creditsUsed }]) => [id, creditsUsed]),
    ),
  );
  expect(charged.reduce((sum, { amount }) => sum + amount, 0)).toBe(used);
  await start();
}, 300_000);
