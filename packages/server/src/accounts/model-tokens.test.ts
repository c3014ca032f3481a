import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, test } from "vitest";

import { Random } from "../../../../test/random.ts";
import type { Database } from "../storage/database/database.ts";
import { openDatabase } from "../storage/database/drivers.ts";
import type { ModelQuestion } from "../storage/models/ask-endpoint.ts";
import { dialectNames } from "../storage/models/dialects.ts";
import { openLanguageModels } from "../storage/models/language-models.ts";
import { startModelDouble, type Step } from "../storage/models/model-double.suite.ts";
import { type ModelTokens, openModelTokens } from "./model-tokens.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const USE = { input: 70, output: 20 };

let folder: string;
let database: Database;
let nowMs: number;
let failures: unknown[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "tokens-"));
  nowMs = 20_000 * DAY_MS;
  failures = [];
  database = await openDatabase(`sqlite:${folder}/test.db`);
  await database.migrate();
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

function openTokens(maxPerDay?: number, of: Database = database): ModelTokens {
  return openModelTokens({
    database: of,
    maxPerDay,
    clock: () => nowMs,
    onError: (failure) => failures.push(failure),
  });
}

const question: ModelQuestion<string> = {
  system: "You read pages.",
  user: "What is it?",
  schema: { type: "object" },
  maxOutputTokens: 100,
  check: (value) =>
    typeof value === "object" && value !== null && "name" in value
      ? { answer: JSON.stringify(value) }
      : { problem: "It has no name." },
};

/** How a model may behave, with the tokens that it says it has used. */
function scriptAtRandom(random: Random): readonly Step[] {
  return Array.from({ length: 60 }, (): Step => {
    const use = { input: random.below(900), output: random.below(90) };
    const said = (text: string, end: "whole" | "cut" = "whole"): Step => ({ say: { text, use, end } });
    return random.pick<Step>([
      said('{"name":"Mug"}'),
      said('{"name":"Mug"}'),
      said("No idea."),
      said('{"title":"another schema"}'),
      said('{"name":"Mu', "cut"),
      { status: 429, headers: { "retry-after": "0" }, body: "{}" },
      { status: 401, body: "" },
    ]);
  });
}

describe("the ledger of tokens", () => {
  test.each(dialectNames)("balances with a model that fails at random and speaks %s", async (api) => {
    const script = scriptAtRandom(new Random(dialectNames.indexOf(api)));
    const double = await startModelDouble(api, script);
    const model = { api, baseUrl: double.url, apiKey: undefined, model: "double", headers: {} };
    const tokens = openTokens();
    const models = openLanguageModels({ models: [model], timeoutMs: 10_000, concurrency: 4, ledger: tokens });
    const { signal } = new AbortController();
    try {
      // Sooner or later one fails for good, or finds the right answer: until all of the script is said.
      while (double.requests.length < script.length - 8)
        await models.ask(question, signal, "ann").catch(() => 0);
      const said = script.slice(0, double.requests.length).flatMap(({ say }) => say?.use ?? []);
      expect(said.length).toBeGreaterThan(20);
      const [row] = await tokens.read("ann");
      expect(row).toEqual({
        day: nowMs,
        model: "double",
        calls: said.length,
        inputTokens: said.reduce((sum, { input }) => sum + input, 0),
        outputTokens: said.reduce((sum, { output }) => sum + output, 0),
      });
    } finally {
      double.close();
    }
  });

  test.each<readonly [string, Step, (output: number) => boolean]>([
    ["says nothing of tokens", { say: { text: '{"name":"Mug"}' } }, (output) => output > 0],
    ["breaks off", { say: { text: '{"name":"Mug"}' }, breaks: "half" }, (output) => output === 0],
    ["hangs", { breaks: "never" }, (output) => output === 0],
  ])("counts itself where a model %s", async (_name, step, fits) => {
    const double = await startModelDouble("openai", [step]);
    const model = { api: "openai" as const, baseUrl: double.url, apiKey: undefined, model: "m", headers: {} };
    const tokens = openTokens();
    const models = openLanguageModels({ models: [model], timeoutMs: 1500, concurrency: 1, ledger: tokens });
    try {
      await models.ask(question, new AbortController().signal, "ann").catch(() => 0);
      const [row] = await tokens.read("ann");
      expect(row?.calls).toBe(double.requests.length);
      expect(row?.inputTokens).toBeGreaterThan(10 * double.requests.length);
      expect(fits(row?.outputTokens ?? -1)).toBe(true);
    } finally {
      double.close();
    }
  });

  test("books nothing where no model was reached", async () => {
    const model = {
      api: "openai" as const,
      baseUrl: "http://127.0.0.1:1",
      apiKey: undefined,
      model: "m",
      headers: {},
    };
    const tokens = openTokens();
    const models = openLanguageModels({ models: [model], timeoutMs: 5000, concurrency: 1, ledger: tokens });
    await expect(models.ask(question, new AbortController().signal, "ann")).rejects.toMatchObject({
      kind: "busy",
    });
    expect(await tokens.read("ann")).toEqual([]);
  });
});

describe("the limit of a day", () => {
  test("holds for each team, over a restart, and until the day ends", async () => {
    const before = openTokens(100);
    await before.book("ann", "m", USE);
    expect(await before.mayAsk("ann")).toBe(true);
    await before.book("ann", "other", { input: 10, output: 0 });
    expect(await before.mayAsk("ann")).toBe(false);

    await database.close();
    database = await openDatabase(`sqlite:${folder}/test.db`);
    const after = openTokens(100);
    expect(await after.mayAsk("ann")).toBe(false);
    expect(await after.mayAsk("bob")).toBe(true);
    nowMs += DAY_MS;
    expect(await after.mayAsk("ann")).toBe(true);
  });

  test("counts what could not be written, which is written later", async () => {
    const other = await openDatabase(`sqlite:${folder}/empty.db`);
    const tokens = openTokens(100, other);
    await tokens.book("ann", "m", USE);
    await tokens.book("ann", "m", USE);
    expect(failures).toHaveLength(2);
    await other.migrate();
    expect(await tokens.mayAsk("ann")).toBe(false);
    expect(await tokens.read("ann")).toEqual([]);
    await tokens.book("ann", "m", USE);
    expect(await tokens.read("ann")).toEqual([
      { day: nowMs, model: "m", calls: 3, inputTokens: 210, outputTokens: 60 },
    ]);
    await other.close();
  });

  test("is no limit where none is set", async () => {
    const tokens = openTokens();
    await tokens.book("ann", "m", { input: 1e12, output: 0 });
    expect(await tokens.mayAsk("ann")).toBe(true);
  });
});

test("what a team has used goes with the team, and after two years", async () => {
  const tokens = openTokens();
  await tokens.book("ann", "m", USE);
  await tokens.book("bob", "m", USE);
  await tokens.erase("ann");
  expect(await tokens.read("ann")).toEqual([]);
  expect(await tokens.read("bob")).toHaveLength(1);
  nowMs += 740 * DAY_MS;
  await tokens.prune();
  expect(await tokens.read("bob")).toEqual([]);
});
