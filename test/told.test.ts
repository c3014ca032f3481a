import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, expect, test, vi } from "vitest";

import type { OperationDescription } from "../packages/server/src/api/operation-shape.ts";
import {
  type ModelDouble,
  startModelDouble,
} from "../packages/server/src/storage/models/model-double.suite.ts";
import { operations } from "./operations.ts";
import { ADMIN_KEY, KEYED, makeTeam, operate } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

/** What only some may be told: where a page is, what is sent to it, what it says. */
const ADDRESS = "canary-of-an-address";
const HEADER = "canary-of-a-header";
const TEXT = "canary-of-a-text";
const CANARIES = [ADDRESS, HEADER, TEXT];
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
/** A body that has no end is read for so long. */
const READING_MS = 300;
const WORD = "harbour";
/** Asking one after the other would be waiting for most of the time. */
const AT_ONCE = 8;

let world: World;
let double: ModelDouble;
let owner: string;
/** Another key of the same team; one that may have links alone; and a key of another team. */
let mate: string;
let linksOnly: string;
let stranger: string;
/** Everything that can be asked for by its id. */
let ids: readonly string[];
/** Holds the last page of the crawl back. */
let release: () => void = () => undefined;

beforeAll(async () => {
  double = await startModelDouble("openai", [
    { whileAsked: "Find the", say: { text: JSON.stringify({ tool: "done", input: { answer: TEXT } }) } },
    { whileAsked: "", say: { text: JSON.stringify({ word: TEXT }) } },
  ]);
  const model = { LLM_BASE_URL: double.url, LLM_MODEL: "double", LLM_API: "openai" };
  world = await openWorld({ ...KEYED, ...model });
  const team = await makeTeam(world, { credits: 10_000 });
  owner = keyOf(team.headers.authorization);
  mate = await addKey(team.teamId, {});
  linksOnly = await addKey(team.teamId, { formats: ["links"] });
  stranger = keyOf((await makeTeam(world, { credits: 10_000 })).headers.authorization);
  ids = await doEverything();
}, 120_000);

afterAll(async () => {
  release();
  await world.close();
  double.close();
});

function keyOf(authorization: string): string {
  return authorization.replace("Bearer ", "");
}

async function addKey(teamId: string, restrictions: object): Promise<string> {
  return (await operate(world, `POST teams/${teamId}/keys`, { restrictions })).body.apiKey;
}

/** Leaves something of each kind that can be asked for. @returns its ids. */
async function doEverything(): Promise<readonly string[]> {
  const { site } = world;
  const held = new Promise<void>((resolve) => (release = resolve));
  site.page(`/${ADDRESS}/held`, (_request, response) => {
    void held.then(() => response.setHeader("content-type", "text/html").end("<h1>Held</h1>"));
  });
  const page = htmlPage(`<h1>${WORD}</h1><p>The ${WORD} is ${TEXT}.</p><a href="/${ADDRESS}/held">More</a>`);
  const url = site.page(`/${ADDRESS}`, page);
  const scrapeOptions = { formats: ["markdown"], headers: { authorization: HEADER } };
  const webhook = { url: site.url("/hook"), headers: { authorization: HEADER } };
  const targets = [{ type: "scrape", urls: [url], scrapeOptions }];
  const monitor = { name: "Watch", schedule: { cron: "0 0 1 1 *" }, targets, webhook };
  const schema = { type: "object", properties: { word: { type: "string" } } };
  const deeds: readonly (readonly [string, object])[] = [
    ["POST /v2/scrape", { url, formats: ["markdown"] }],
    ["POST /v2/scrape", { url, ...scrapeOptions }],
    ["POST /v2/map", { url }],
    ["POST /v2/search", { query: WORD }],
    ["POST /v2/crawl", { url, crawlEntireDomain: true, scrapeOptions, webhook }],
    ["POST /v2/batch/scrape", { urls: [url], ...scrapeOptions, webhook }],
    ["POST /v2/batch/scrape", { urls: [url, site.url(`/${ADDRESS}/none`)], formats: ["markdown"] }],
    ["POST /v2/extract", { urls: [url], prompt: "The word", schema }],
    ["POST /v2/agent", { prompt: `Find the ${WORD}`, urls: [url] }],
    ["POST /v2/monitor", monitor],
  ];
  const found = new Set<string>();
  const answers: string[] = [];
  // What is stored by the first is found by the others.
  const first = deeds.slice(0, 2).map(([line, body]) => ask(owner, line, body));
  answers.push(...(await Promise.all(first)));
  const others = deeds.slice(2).map(([line, body]) => ask(owner, line, body));
  answers.push(...(await Promise.all(others)));
  const [, monitorId = ""] = /"data":\{"id":"([^"]+)"/.exec(answers.at(-1) ?? "") ?? [];
  answers.push(await ask(owner, `POST /v2/monitor/${monitorId}/run`, {}));
  for (const answer of answers) for (const [id] of answer.matchAll(UUID)) found.add(id);
  const isAt = async (line: string, sign: string) => expect(await ask(owner, line)).toContain(sign);
  const patience = { timeout: 60_000, interval: 100 };
  await vi.waitFor(() => isAt(`GET /v2/monitor/${monitorId}`, '"currentCheckId":null'), patience);
  for (const [at, path] of ["batch/scrape", "batch/scrape", "extract", "agent"].entries()) {
    const [id = ""] = answers[at + 5]?.match(UUID) ?? [];
    await vi.waitFor(() => isAt(`GET /v2/${path}/${id}`, '"status":"completed"'), patience);
  }
  return [...found];
}

/** @returns the whole answer with its status and headers, or what came of it in time. */
async function ask(key: string, line: string, body?: unknown): Promise<string> {
  const [method = "", path = ""] = line.split(" ");
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(world.baseUrl + path, { ...init, redirect: "manual" });
  // Who is asked to come later tells nothing that could be looked at.
  expect({ line, status: response.status }).not.toMatchObject({ status: 429 });
  const told = [`${response.status} ${JSON.stringify([...response.headers])}`];
  const reader = response.body?.getReader();
  const late = pause(READING_MS).then(() => undefined);
  const isEndless = /event-stream/.test(response.headers.get("content-type") ?? "");
  for (;;) {
    const part = await (isEndless ? Promise.race([reader?.read(), late]) : reader?.read());
    if (!part || part.done) break;
    told.push(Buffer.from(part.value).toString());
  }
  await reader?.cancel();
  return told.join("");
}

/** Lines by which somebody who may was told something, by their paths without methods. */
const answered = new Map<string, Set<string>>();

/** An operation, asked for with each id in the place of the names in its path: with those that are there, where known. */
function linesOf({ line }: OperationDescription): readonly string[] {
  if (!line.includes("{")) return [line];
  const [method = "", path = ""] = line.split(" ");
  const known = answered.get(path);
  if (known)
    return [...known, path.replaceAll(/\{[^}]*\}/g, ids[0] ?? "")].map((there) => `${method} ${there}`);
  const withFirst = ids.map((id) => line.replace(/\{[^}]*\}/, id));
  // What is in something else was made after it.
  return withFirst.flatMap((filled, at) =>
    filled.includes("{") ? ids.slice(at + 1).map((id) => filled.replace(/\{[^}]*\}/, id)) : [filled],
  );
}

/** The examples of its bodies, about the site of the test and something that is there. */
function bodiesOf({ body, or }: OperationDescription): readonly unknown[] {
  const shapes = [body, or?.body].filter((shape) => shape !== undefined);
  const texts = shapes.map(({ example }) => JSON.stringify(example).replaceAll(UUID, ids[0] ?? ""));
  const here = texts.map((text) => text.replaceAll(/https:\/\/example\.com[^"]*/g, world.site.url("/")));
  return here.length === 0 ? [undefined] : here.map((text) => JSON.parse(text) as unknown);
}

/** Each way in which an operation can be asked for. */
function asksOf(operation: OperationDescription) {
  const bodies = bodiesOf(operation);
  return linesOf(operation).flatMap((line) => bodies.map((body) => ({ of: operation.line, line, body })));
}

interface Leak {
  readonly line: string;
  readonly canary: string;
}

/** Asks for everything with a key. @returns which answers held which canary. */
async function walk(
  key: string,
  wanted: (operation: OperationDescription) => boolean,
): Promise<readonly Leak[]> {
  const leaks: Leak[] = [];
  const asks = operations.filter(wanted).flatMap(asksOf);
  const asking = Array.from({ length: AT_ONCE }, async () => {
    for (let next = asks.shift(); next; next = asks.shift()) {
      const { of, line, body } = next;
      const told = await ask(key, line, body);
      if (key === mate) noteAnswer(of, line, told);
      leaks.push(
        ...CANARIES.filter((canary) => told.includes(canary)).map((canary) => ({ line: of, canary })),
      );
    }
  });
  await Promise.all(asking);
  return leaks;
}

function noteAnswer(of: string, line: string, told: string): void {
  const [path = "", filled = ""] = [of, line].map((text) => text.split(" ")[1]);
  const known = answered.get(path) ?? new Set();
  answered.set(path, told.startsWith("2") ? known.add(filled) : known);
}

const isRead = ({ line }: OperationDescription) => line.startsWith("GET ");
const isForTeams = ({ access }: OperationDescription) => access === "caller" || access === "anyone";
const linesWith = (leaks: readonly Leak[], canary: string) => [
  ...new Set(leaks.filter((leak) => leak.canary === canary).map(({ line }) => line)),
];

test("a key of the team is told addresses and texts, and no values of headers", async () => {
  const told = await walk(mate, (operation) => isForTeams(operation) && isRead(operation));
  expect(linesWith(told, ADDRESS).length).toBeGreaterThan(8);
  expect(linesWith(told, TEXT).length).toBeGreaterThan(4);
  // What others ask for later is there.
  expect([...answered.values()].filter(({ size }) => size > 0).length).toBeGreaterThan(12);
  expect(linesWith(told, HEADER)).toEqual([]);
}, 60_000);

test("the operator is told no values of headers", async () => {
  const told = await walk(ADMIN_KEY, (operation) => operation.access === "operator" && isRead(operation));
  expect(linesWith(told, ADDRESS).length).toBeGreaterThan(2);
  expect(linesWith(told, HEADER)).toEqual([]);
}, 60_000);

test("a key that is restricted to links reads no text, whatever it asks for", async () => {
  const told = await walk(linksOnly, (operation) => isForTeams(operation) && isRead(operation));
  expect(linesWith(told, TEXT)).toEqual([]);
  const searched = await ask(linksOnly, "POST /v2/search", { query: WORD });
  expect(searched).toContain(ADDRESS);
  expect(searched).not.toContain(TEXT);
}, 60_000);

test("another team is told nothing, whatever it asks for", async () => {
  const started = await ask(stranger, "POST /v2/map", { url: world.site.url("/"), sitemap: "skip" });
  expect(started).not.toContain(ADDRESS);
  expect(await walk(stranger, isForTeams)).toEqual([]);
}, 120_000);
