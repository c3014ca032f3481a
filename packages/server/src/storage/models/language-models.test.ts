import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";

import type { ModelQuestion } from "./ask-endpoint.ts";
import { dialectNames, type DialectName } from "./dialects.ts";
import { openLanguageModels } from "./language-models.ts";
import { type ModelDouble, startModelDouble, type Step } from "./model-double.suite.ts";

const MUG = { title: "Blue mug", price: 12.5 };
const TEXT = JSON.stringify(MUG);
const RIGHT: Step = { say: { text: TEXT } };
const Mug = z.object({ title: z.string(), price: z.coerce.number() });

const question: ModelQuestion<z.output<typeof Mug>> = {
  system: "You read pages.",
  user: "What is it?",
  schema: { type: "object", properties: { title: { type: "string" }, price: { type: "number" } } },
  maxOutputTokens: 100,
  check(value) {
    const mug = Mug.safeParse(value);
    return mug.success ? { answer: mug.data } : { problem: "It has no title and price." };
  },
};

const signal = new AbortController().signal;
const opened: ModelDouble[] = [];
afterAll(() => opened.forEach((double) => double.close()));

async function start(api: DialectName, script: readonly Step[], timeoutMs = 10_000) {
  const double = await startModelDouble(api, script);
  opened.push(double);
  const model = {
    api,
    baseUrl: double.url,
    apiKey: "secret",
    model: "double",
    headers: { "x-title": "ours" },
  };
  const models = openLanguageModels({ models: [model], timeoutMs, concurrency: 2 });
  return { double, model, ask: () => models.ask(question, signal, "team") };
}

test("a broken reply that takes minutes to mend is given up, and the process goes on meanwhile", async () => {
  const broken = { say: { text: `[${'"a\n"ba\n"b'.repeat(36_000)}]` } };
  const { ask } = await start("openai", [broken, broken, RIGHT], 30_000);
  const before = process.cpuUsage();
  expect((await ask()).answer).toEqual(MUG);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(5);
});

type Quirk = readonly [name: string, script: readonly Step[], calls: number, only?: DialectName];

/** What models really send, and after how many calls the right object is there. */
const QUIRKS: readonly Quirk[] = [
  ["the plain object", [RIGHT], 1],
  ["a fence", [{ say: { text: `\`\`\`json\n${TEXT}\n\`\`\`` } }], 1],
  ["prose around it", [{ say: { text: `Sure! Here it is:\n${TEXT}\nAnything else?` } }], 1],
  ["thoughts before it", [{ say: { text: `<think>The price {is} 12.5</think>\n${TEXT}` } }], 1],
  ["a comma too many", [{ say: { text: '{"title": "Blue mug", "price": 12.5,}' } }], 1],
  ["single quotes", [{ say: { text: "{'title': 'Blue mug', 'price': 12.5}" } }], 1],
  ["a number as text", [{ say: { text: '{"title": "Blue mug", "price": "12.5"}' } }], 1],
  ["a wrapper", [{ say: { text: JSON.stringify({ result: MUG }) } }], 1],
  ["a list of one", [{ say: { text: JSON.stringify([MUG]) } }], 1],
  ["half an object, then all", [{ say: { text: '{"title": "Blue', end: "cut" } }, RIGHT], 2],
  ["another object, then the right one", [{ say: { text: '{"name": "Mug"}' } }, RIGHT], 2],
  ["nothing, then all", [{ say: { text: "" } }, RIGHT], 2],
  ["an error with status 200", [{ body: '{"error":{"message":"loading"}}' }, RIGHT], 2],
  ["an error page", [{ status: 502, body: "<html>Bad gateway</html>" }, RIGHT], 2],
  ["too many requests", [{ status: 429, headers: { "retry-after": "0" }, body: "{}" }, RIGHT], 2],
  ["two failures", [{ status: 503, body: "" }, { status: 500, body: "" }, RIGHT], 3],
  ["half a reply, then all", [{ breaks: "half" }, RIGHT], 2],
  [
    "no temperature",
    [{ whileAsked: '"temperature"', status: 400, body: "temperature is not supported" }, RIGHT],
    2,
  ],
  ["content in parts", [{ say: { text: TEXT, place: "parts" } }], 1, "openai"],
  ["the answer as thoughts", [{ say: { text: TEXT, place: "reasoning" } }], 1, "openai"],
  ["a tool call", [{ say: { text: TEXT, place: "tool" } }], 1, "openai"],
  [
    "another name of the limit",
    [{ whileAsked: '"max_tokens"', status: 400, body: "use max_completion_tokens" }, RIGHT],
    2,
    "openai",
  ],
  ["no schema", [{ whileAsked: '"json_schema"', status: 400, body: "unsupported" }, RIGHT], 2, "openai"],
  [
    "no wish for JSON",
    [{ whileAsked: '"response_format"', status: 400, body: "unsupported" }, RIGHT],
    4,
    "openai",
  ],
  ...[404, 415, 422, 500, 501].map((status): Quirk => {
    const body = `{"error":{"message":"[{'loc': ('body', 'response_format', 'type'), 'input': 'json_schema'}]"}}`;
    return [
      `no schema, said as ${status}`,
      [{ whileAsked: '"json_schema"', status, body }, RIGHT],
      2,
      "openai",
    ];
  }),
  ["the input of a tool", [{ say: { text: TEXT, place: "tool" } }], 1, "anthropic"],
  ["no tools", [{ whileAsked: '"tools"', status: 400, body: "unsupported" }, RIGHT], 2, "anthropic"],
  ["thoughts as parts", [{ say: { text: TEXT, place: "parts" } }], 1, "google"],
  [
    "no schema of JSON",
    [{ whileAsked: '"responseJsonSchema"', status: 400, body: "unknown field" }, RIGHT],
    2,
    "google",
  ],
  ["the answer as thinking", [{ say: { text: TEXT, place: "reasoning" } }], 1, "ollama"],
  ["no format", [{ whileAsked: '"format"', status: 400, body: "unknown" }, RIGHT], 3, "ollama"],
];

const isSlow = ([first]: readonly Step[]) => first?.breaks === "never" || first?.breaks === "trickle";

// Most of them wait: for the next attempt, or for a reply that does not come.
describe.concurrent.each(dialectNames)("%s", (api) => {
  const own = QUIRKS.filter(([, , , only = api]) => only === api);

  test.each(own.map(([name, script, calls]) => [name, script, calls] as const))(
    "%s ends right",
    async (_name, script, calls) => {
      const { double, ask } = await start(api, script);
      expect(await ask()).toEqual({ answer: MUG, model: "double" });
      expect(double.requests).toHaveLength(calls);
    },
  );

  test.each<readonly [string, readonly Step[], string, number]>([
    ["what it refuses", [{ status: 401, body: "wrong key secret" }], "rejected", 1],
    ["garbage", [{ say: { text: "No idea." } }], "wrong", 3],
    ["another schema", [{ say: { text: '{"a":1}' } }], "wrong", 3],
    [
      "a wish to be left alone for an hour",
      [{ status: 429, headers: { "retry-after": "3600" }, body: "" }, RIGHT],
      "busy",
      1,
    ],
    ["a redirect", [{ status: 307, headers: { location: "http://127.0.0.1:1/" }, body: "" }], "rejected", 1],
    ["10 MB", [{ body: "x".repeat(10 * 1024 * 1024) }], "wrong", 3],
    ["a reply without end", [{ breaks: "flood" }], "wrong", 3],
    ["a hanging connection", [{ breaks: "never" }], "busy", 1],
    ["a reply that trickles", [{ breaks: "trickle" }], "busy", 1],
  ])("%s ends in a failure that quotes nothing", async (_name, script, kind, calls) => {
    const { double, ask } = await start(api, script, isSlow(script) ? 1500 : 60_000);
    const failure = await ask().catch((reason: unknown) => reason);
    expect(failure).toMatchObject({ name: "ModelFailure", kind });
    expect(String(failure)).not.toMatch(/secret|xxx/);
    expect(double.requests).toHaveLength(calls);
  });

  test("gets its key, the operator's headers, and the schema also in words", async () => {
    const { double, ask } = await start(api, [RIGHT]);
    await ask();
    const [request] = double.requests;
    expect(JSON.stringify(request?.headers)).toContain("secret");
    expect(request?.headers).toMatchObject({ "x-title": "ours", "content-type": "application/json" });
    expect(request?.body).toContain("Answer with one JSON value of this JSON Schema");
    expect(request?.path).toMatch(
      /^\/(?:chat\/completions|v1\/messages|v1beta\/models\/double:generateContent|api\/chat)$/,
    );
  });

  test("is not asked again for what it has refused", async () => {
    const { double, ask } = await start(api, [
      { whileAsked: '"temperature"', status: 400, body: "no temperature" },
      RIGHT,
    ]);
    await ask();
    await ask();
    expect(double.requests).toHaveLength(3);
  });
});

test.each<readonly [string, number, readonly Step[]]>([
  ["a failure that does not name the schema", 1, [{ status: 500, body: "out of memory" }, RIGHT]],
  [
    "a question that no way of asking makes right",
    4,
    [...[1, 2, 3, 4].map(() => ({ status: 400, body: "too long" })), RIGHT],
  ],
])("%s leaves the schema to the next call", async (_name, calls, script) => {
  const { double, ask } = await start("openai", script);
  await ask().catch(() => ask());
  expect(double.requests).toHaveLength(calls + 1);
  expect(double.requests.at(-1)?.body).toContain('"json_schema"');
});

test("a refusal to answer is not asked again", async () => {
  const { double, ask } = await start("openai", [{ say: { end: "refused" } }]);
  await expect(ask()).rejects.toMatchObject({ kind: "refused" });
  expect(double.requests).toHaveLength(1);
});

test("the next model is asked when the first one fails", async () => {
  const first = await start("openai", [{ status: 401, body: "" }]);
  const second = await start("anthropic", [RIGHT]);
  const settings = [first.model, { ...second.model, model: "second" }];
  const models = openLanguageModels({ models: settings, timeoutMs: 5000, concurrency: 1 });
  expect(await models.ask(question, signal, "team")).toEqual({ answer: MUG, model: "second" });
});

test("a caller who goes ends the call", async () => {
  const { model } = await start("openai", [{ breaks: "never" }]);
  const models = openLanguageModels({ models: [model], timeoutMs: 5000, concurrency: 1 });
  await expect(models.ask(question, AbortSignal.timeout(100), "team")).rejects.toMatchObject({
    name: "TimeoutError",
  });
});
