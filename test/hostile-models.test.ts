import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { dialectNames, type DialectName } from "../packages/server/src/storage/models/dialects.ts";
import {
  type ModelDouble,
  startModelDouble,
  type Step,
} from "../packages/server/src/storage/models/model-double.suite.ts";
import { KEYED, makeTeam, type TestTeam } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const SCHEMA = { type: "object", properties: { title: { type: "string" }, price: { type: "number" } } };

/** All formats that a model can answer, in one request. */
const EVERYTHING = {
  formats: [
    "markdown",
    "summary",
    { type: "question", question: "When was the harbour opened?" },
    { type: "highlights", query: "ships" },
    { type: "json", schema: SCHEMA },
    { type: "changeTracking", modes: ["json"], schema: SCHEMA },
  ],
  onlyCleanContent: true,
  redactPII: { mode: "aggressive" },
};
const FORMATS = ["summary", "question", "highlights", "json", "changeTracking"];

const pageAbout = (name: string, price: number) =>
  htmlPage(`<main><h1>The harbour of ${name}</h1><p>The harbour of ${name} was opened in 1874.</p>
    <p>Around 240 ships call every month. Most of them carry timber.</p>
    <p>Price: €${price}.50</p><p>Zeilpost: iedere week in uw bus!</p></main>`);

/** What answers each question about such a page: formats leave out the members that are not theirs. */
const rightFor = (name: string, asked: string) => ({
  summary: "A harbour of 1874.",
  found: true,
  answer: "In 1874.",
  lines: asked.includes("boilerplate") ? [8] : [2],
  spans: [],
  title: `The harbour of ${name}`,
  price: asked.includes("€10.50") ? 10.5 : 12.5,
});

interface Asking {
  readonly world: World;
  readonly double: ModelDouble;
  readonly team: TestTeam;
  /** What the double says from now on. */
  says(...steps: readonly Step[]): void;
  /** Asks for everything about a page of this name that has changed since it was scraped first. */
  ask(name: string): ReturnType<TestTeam["scrape"]>;
  close(): Promise<void>;
}

async function open(api: DialectName, settings: object = {}): Promise<Asking> {
  const steps: Step[] = [{ status: 500, body: "" }];
  const double = await startModelDouble(api, steps);
  const model = { LLM_BASE_URL: double.url, LLM_MODEL: "double", LLM_API: api };
  const world = await openWorld({ ...KEYED, ...model, ...settings });
  const team = await makeTeam(world, { credits: 100_000 });
  return {
    world,
    double,
    team,
    says: (...next) => steps.splice(0, steps.length, ...next),
    async ask(name) {
      const url = world.site.page(`/${name}`, pageAbout(name, 10));
      await team.scrape({ url, formats: ["markdown", "changeTracking"] });
      world.site.page(`/${name}`, pageAbout(name, 12));
      return team.scrape({ url, ...EVERYTHING });
    },
    async close() {
      await world.close();
      double.close();
    },
  };
}

/** What models write around the right object. */
const MANNERS: readonly (readonly [string, (text: string) => string])[] = [
  ["nothing", (text) => text],
  ["a fence", (text) => `\`\`\`json\n${text}\n\`\`\``],
  ["prose", (text) => `Sure! Here it is:\n${text}\nAnything else?`],
  ["thoughts", (text) => `<think>The price {is} 12</think>\n${text}`],
  ["a comma too many", (text) => text.replace(/\}$/, ",}")],
  ["an object", (text) => `{"result": ${text}}`],
  ["a list", (text) => `[${text}]`],
  ["text for numbers", (text) => text.replace('"price":12.5', '"price":"€12.50"')],
];

/** Dialects differ in what they wrap answers in, not in how those are read: two manners tell. */
describe.each(dialectNames)("A48 A49 A50 A51 a model that speaks %s and writes", (api) => {
  let asking: Asking;
  beforeAll(async () => {
    asking = await open(api);
  });
  afterAll(() => asking.close());

  test.each(api === "openai" ? MANNERS : MANNERS.slice(0, 2))(
    "%s around its answers answers every format",
    async (manner, written) => {
      const name = manner.replaceAll(" ", "-");
      asking.says({ reply: (asked) => ({ text: written(JSON.stringify(rightFor(name, asked))) }) });
      const { status, body } = await asking.ask(name);
      expect([status, body.data.warning]).toEqual([200, undefined]);
      expect(body.data).toMatchObject({
        summary: "A harbour of 1874.",
        answer: "In 1874.",
        highlights: "Around 240 ships call every month.",
        json: { title: `The harbour of ${name}`, price: 12.5 },
        changeTracking: { json: { price: { previous: 10.5, current: 12.5 } } },
      });
      expect(body.data.markdown).not.toContain("Zeilpost");
      const answeredBy = body.data.metadata.answeredBy ?? [];
      expect(answeredBy.toSorted()).toEqual(FORMATS.map((format) => `${format}: double`).toSorted());
      // 5 for json, 4 each for question and highlights, 4 for redaction.
      expect(body.data.metadata.creditsUsed).toBe(17);
    },
  );
});

describe("A48 A49 A50 A51 a model that", () => {
  let asking: Asking;
  beforeAll(async () => {
    asking = await open("openai", { LLM_TIMEOUT: "1000" });
  });
  afterAll(() => asking.close());

  const inJson = (value: object): Step => ({ say: { text: JSON.stringify(value) } });
  const invented = {
    summary: "HACKED: 3021 ships.",
    found: true,
    answer: "HACKED: see https://evil.test/?q=1874.",
    lines: [-1, 999],
    spans: [{ text: "HACKED", kind: "PERSON" }],
    title: "HACKED 3021",
    price: 3021,
  };

  test.each<readonly [string, Step]>([
    ["streams without end", { breaks: "flood" }],
    ["lets its reply trickle", { breaks: "trickle" }],
    ["is silent", { breaks: "never" }],
    ["closes the connection midway", { breaks: "half" }],
    ["is overloaded for an hour", { status: 429, headers: { "retry-after": "3600" }, body: "" }],
    ["is overloaded for no time", { status: 429, headers: { "retry-after": "0" }, body: "" }],
    ["answers a page of HTML", { body: "<!doctype html><title>Sign in</title><p>HACKED" }],
    [
      "answers events",
      { headers: { "content-type": "text/event-stream" }, body: 'data: {"choices":[]}\n\n' },
    ],
    ["fails with a page of HTML", { status: 502, body: "<html><h1>HACKED</h1></html>" }],
    ["sends elsewhere", { status: 307, headers: { location: "http://127.0.0.1:9/" }, body: "" }],
    ["does not know the key", { status: 401, body: "HACKED" }],
    ["answers what is no text", { body: '{"choices":[{"message":{"content":"\\ud800\\u0000' }],
    ["refuses", { say: { end: "refused" } }],
    ["answers nothing", { say: { text: "" } }],
    ["answers no JSON", { say: { text: '{"summary": HACKED, "answer' } }],
    ["answers three megabytes", inJson({ ...invented, summary: "HACKED ".repeat(500_000), answer: 1 })],
    ["answers deep nests", { say: { text: `${"[".repeat(100_000)}${"]".repeat(100_000)}` } }],
    [
      "answers wrong types",
      inJson({ summary: 1, found: "x", answer: [], lines: "all", spans: {}, title: {} }),
    ],
    ["answers another schema's object", inJson({ vessels: [{ HACKED: true }] })],
    [
      "answers with the prototype",
      { say: { text: '{"__proto__": {"summary": "HACKED"}, "constructor": 1}' } },
    ],
    ["invents what the page does not say", inJson(invented)],
    [
      "repeats what it was asked",
      { reply: (asked) => ({ text: JSON.stringify({ ...invented, summary: asked, answer: asked }) }) },
    ],
  ])("%s: rules answer every format, for the base price", async (title, step) => {
    const name = title.replaceAll(/\W/g, "-");
    asking.says(step);
    const before = asking.double.requests.length;
    const { status, body } = await asking.ask(name);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      summary: expect.stringContaining("opened in 1874.") as string,
      answer: expect.stringContaining("opened in 1874.") as string,
      highlights: expect.stringContaining("Around 240 ships call every month.") as string,
      changeTracking: { changeStatus: "changed" },
    });
    const { markdown = "", metadata } = body.data;
    expect(markdown).toContain(`# The harbour of ${name}`);
    const answeredBy = metadata.answeredBy ?? [];
    expect(answeredBy.filter((answerer) => !answerer.endsWith(": rules"))).toEqual([]);
    expect(metadata.creditsUsed).toBe(5);
    expect(JSON.stringify(body)).not.toMatch(/HACKED|evil\.test|3021/);
    // Eight questions, among them two about the two versions, of three calls each.
    expect(asking.double.requests.length - before).toBeLessThanOrEqual(24);
  });
});
