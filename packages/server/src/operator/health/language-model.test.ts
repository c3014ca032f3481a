import { afterEach, describe, expect, test } from "vitest";

import { type DialectName, dialectNames } from "../../storage/models/dialects.ts";
import type { ModelSetting } from "../../storage/models/language-models.ts";
import { type ModelDouble, startModelDouble, type Step } from "../../storage/models/model-double.suite.ts";
import { checkLanguageModel } from "./language-model.ts";

const OK: Step = { say: { text: '{"ok": true}' } };

const opened: ModelDouble[] = [];
afterEach(() => opened.splice(0).forEach((double) => double.close()));

async function start(api: DialectName, script: readonly Step[]) {
  const double = await startModelDouble(api, script);
  opened.push(double);
  const model: ModelSetting = { api, baseUrl: double.url, apiKey: "secret", model: "double", headers: {} };
  return { double, model };
}

describe.each(dialectNames)("a model that speaks %s", (api) => {
  test("is asked once, and how it answers is said", async () => {
    const { double, model } = await start(api, [OK]);
    const { status, detail } = await checkLanguageModel({ models: [model] });
    expect(status).toBe("found");
    const wanted = `double at ${double.url} (${api}) answers in N ms, constrained to a JSON Schema`;
    expect(detail.replace(/\d+ ms/, "N ms")).toBe(wanted);
    expect(double.requests).toHaveLength(1);
  });
});

test.each<readonly [string, number, RegExp]>([
  ["json_schema", 500, /, constrained to a JSON Schema$/],
  ["schema", 400, /, constrained to JSON$/],
  ["response_format", 400, /not constrained, format described in the prompt$/],
])("says how far down a model without %s has to be asked", async (field, status, wanted) => {
  const refusing = [{ whileAsked: `"${field}"`, status, body: "response_format is not supported" }, OK];
  const { model } = await start("openai", refusing);
  const { detail } = await checkLanguageModel({ models: [model] });
  expect(detail).toMatch(wanted);
});

test.each<readonly [string, readonly Step[], RegExp, RegExp]>([
  [
    "a wrong key",
    [{ status: 401, body: "no key secret" }],
    /The language model answered 401\.$/,
    /LLM_API_KEY/,
  ],
  ["no such model", [{ status: 404, body: "{}" }], /answered 404\.$/, /LLM_MODEL/],
  [
    "talk",
    [{ say: { text: "Hello!" } }],
    /The response contained no complete JSON value\.$/,
    /another model/,
  ],
  ["a broken reply", [{ say: { text: "{}" }, breaks: "half" }], /broke off\./, /LLM_BASE_URL/],
])("says in words what is wrong: %s", async (_name, script, wanted, remedy) => {
  const { model } = await start("openai", script);
  const finding = await checkLanguageModel({ models: [model] });
  expect(finding).toMatchObject({
    status: "problem",
    detail: expect.stringMatching(wanted),
    remedy: expect.stringMatching(remedy),
  });
  expect(JSON.stringify(finding)).not.toContain("secret");
});

test("says that nobody listens, of each model that is set", async () => {
  const { model } = await start("ollama", [OK]);
  const away = {
    ...model,
    api: "openai" as const,
    baseUrl: "http://ann:hidden@127.0.0.1:1/v1",
    model: "gone",
  };
  const { status, detail } = await checkLanguageModel({ models: [away, model] });
  expect(status).toBe("problem");
  expect(detail).toContain("gone at http://127.0.0.1:1/v1 (openai): The language model cannot be reached.");
  expect(detail).toMatch(/double at \S+ \(ollama\) answers in/);
  expect(detail).not.toContain("hidden");
});

test("asks nothing where that is not wanted", async () => {
  const { double, model } = await start("google", [OK]);
  const { status, detail } = await checkLanguageModel({ models: [model], asksModels: false });
  expect([status, detail]).toEqual(["found", `double at ${double.url} (google)`]);
  expect(double.requests).toEqual([]);
});
