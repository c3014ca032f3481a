import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import type { JobsAnswer } from "../packages/server/src/jobs/operator/show-job.ts";
import type { LoginsAnswer } from "../packages/server/src/operator/logins.ts";
import type { RequestsAnswer } from "../packages/server/src/history/operator/show-request.ts";
import type { ProvidersAnswer } from "../packages/server/src/tools/operator/show-provider.ts";
import type { CacheAnswer } from "../packages/server/src/operator/cache.ts";
import {
  type ModelDouble,
  startModelDouble,
} from "../packages/server/src/storage/models/model-double.suite.ts";
import { expectDeclared } from "./declared.ts";
import { operations } from "./operations.ts";
import { ADMIN_KEY, KEYED, makeTeam, type OperatorAnswer, type TestTeam } from "./operator.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { htmlPage } from "./site.ts";
import { type AnswerBody, openWorld, type World } from "./world.ts";
import * as builtFormats from "../packages/server/src/scrape/formats/all.ts";
import { dashboardOperations } from "../packages/server/src/operator/dashboard-operations.ts";

interface OpenApi {
  readonly info: { readonly description: string };
  readonly servers: readonly unknown[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Schema {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly items?: Schema;
}

interface Operation {
  readonly security?: readonly object[];
  readonly operationId?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly description?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { readonly content: Readonly<Record<string, Content>> }>>;
}

interface Content {
  readonly schema: { readonly $ref: string; readonly anyOf?: readonly { readonly $ref: string }[] };
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

/** Every example of one body. */
function examplesOf({ example, examples = {} }: Partial<Content> = {}): readonly unknown[] {
  return example === undefined ? Object.values(examples).map(({ value }) => value) : [example];
}

let world: World;
let team: TestTeam;
let described: OpenApi;
let url: string;
const folder = testFolder();
let double: ModelDouble;
/** What the model says of the harbour at once. */
const HARBOUR_FOUND = JSON.stringify({ tool: "done", input: { answer: { harbour: "Elmstad" } } });

beforeAll(async () => {
  const providers = join(folder, "providers.json");
  await writeFile(providers, JSON.stringify({ providers: [LICENSED] }));
  double = await startModelDouble("openai", [
    { whileAsked: "Wait for ever", breaks: "never" },
    { whileAsked: "Find the harbour", say: { text: HARBOUR_FOUND } },
    { whileAsked: "Choose the options of a web crawl", say: { text: JSON.stringify({ limit: 5 }) } },
    { status: 403, body: "" },
  ]);
  world = await openWorld({
    ...KEYED,
    PROFILE_SAVE_ON_SCRAPE: "true",
    PROVIDERS_FILE: providers,
    LLM_BASE_URL: double.url,
    LLM_MODEL: "double",
    LLM_API: "openai",
  });
  team = await makeTeam(world, { credits: 100, flags: { providerTools: true } });
  url = world.site.page("/page", htmlPage("<h1>Page</h1>"));
  described = (await (await fetch(`${world.baseUrl}/openapi.json`)).json()) as OpenApi;
});

/** A provider whose terms can be accepted. */
const LICENSED = {
  id: "licensed",
  name: "Licensed",
  kind: "http",
  description: "For tests.",
  base: "https://licensed.test",
  terms: { text: "Be kind.", version: "1" },
  capabilities: [{ id: "say", description: "Says it.", options: { type: "object" }, request: { path: "/" } }],
};

/** Served for the eye, of a protocol of its own, for clients of a browser, or to say that there is nothing. */
const UNDESCRIBED =
  /^(?:\/mcp$|\/dashboard|\/docs\/|\/(?:cdp|live)\/|\/v2\/(?:browser|interact)\/:id\/replay)/;

/** What only the dashboard asks. */
const ofDashboard = new Set<string>(dashboardOperations.map(({ line }) => line));

/** `METHOD /path` of everything that the server answers. */
function routes(): readonly string[] {
  const found: string[] = [];
  let parts: string[] = [];
  for (const line of world.app.server.printRoutes({ commonPrefix: false }).split("\n")) {
    const [, indent = "", place = "", methods = ""] = /^([│ ]*)[├└]── (\S*) \((.*)\)/.exec(line) ?? [];
    parts = [...parts.slice(0, indent.length / 4), place];
    const path = parts.join("");
    if (methods === "" || UNDESCRIBED.test(path)) continue;
    const kinds = methods.split(", ").filter((method) => method !== "HEAD" && method !== "OPTIONS");
    found.push(...kinds.map((method) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`));
  }
  return found.toSorted();
}

test("every route but those of the dashboard is described, and nothing else", () => {
  const found = Object.entries(described.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(found.toSorted()).toEqual(routes().filter((line) => !ofDashboard.has(line)));
});

test("references lead somewhere, and the operator's interface has its own key", () => {
  const names = [...JSON.stringify(described).matchAll(/#\/components\/schemas\/(\w+)/g)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(30);
  for (const name of new Set(names)) expect(described.components.schemas).toHaveProperty(name ?? "");
  expect(described.paths["/admin/api/teams"]?.["get"]?.security).toEqual([{ operatorKey: [] }]);
  const ledger = described.paths["/admin/api/teams/{id}/ledger"]?.["get"]?.parameters;
  expect(ledger?.map((parameter) => `${parameter.in} ${parameter.name}`)).toEqual([
    "path id",
    "query limit",
    "query cursor",
  ]);
});

test("defaults of a request are described, those that follow from others too (F10)", () => {
  const { properties = {} } = described.components.schemas["ScrapeRequest"] ?? {};
  const defaults = Object.entries(properties).map(([name, schema]) => [name, schema.default]);
  expect(Object.fromEntries(defaults)).toMatchObject({
    timeout: 60_000,
    maxAge: 172_800_000,
    waitFor: 0,
    onlyMainContent: true,
    proxy: "auto",
  });
});

describe("examples (F4)", () => {
  const examples = operations.map((operation) => [operation.line, operation] as const);

  test.each(examples)("%s can be sent and answered as its examples are", (line, operation) => {
    const [method = "", path = ""] = line.split(" ");
    const bodies = [operation.body, operation.or?.body].filter((shape) => shape !== undefined);
    const failures = bodies.map(
      ({ schema, documented = schema, example }) => documented.safeParse(example).error,
    );
    expect(failures.filter(Boolean)).toEqual([]);
    for (const answer of [operation.answer, operation.or?.answer]) {
      if (answer === undefined || "contentType" in answer) continue;
      const target = path.replaceAll(/[{}]/g, "");
      expectDeclared({ method, path: target, status: 200, body: answer.example });
    }
  });

  const published = operations.filter(({ line }) => !ofDashboard.has(line)).map(({ line }) => line);

  test.each(published)("%s has an example of each body and of each answer", (line) => {
    const [method = "", path = ""] = line.split(" ");
    const { requestBody, responses } = described.paths[path]?.[method.toLowerCase()] ?? {};
    const sent = examplesOf(requestBody?.content["application/json"]);
    const operation = operations.find((one) => one.line === line);
    expect(sent).toEqual([operation?.body, operation?.or?.body].flatMap((shape) => shape?.example ?? []));
    for (const [status, { content }] of Object.entries(responses ?? {})) {
      const answered = examplesOf(Object.values(content)[0]);
      expect([status, answered]).toEqual([status, expect.arrayContaining([expect.anything()])]);
      for (const body of answered) {
        expectDeclared({ method, path: path.replaceAll(/[{}]/g, ""), status: Number(status), body });
      }
    }
  });

  test("of a scrape are a page of the web, and no number is the least of all", () => {
    const { properties = {} } = described.components.schemas["ScrapeRequest"] ?? {};
    expect(properties["url"]).toMatchObject({ examples: ["https://example.com", expect.anything()] });
    const { country, languages } = properties["location"]?.properties ?? {};
    expect(country).toMatchObject({ default: "US", pattern: "^[A-Za-z]{2}$", examples: ["DE"] });
    expect(languages?.items).toMatchObject({ examples: ["de-DE"], pattern: expect.any(String) });
    expect(JSON.stringify(described)).not.toContain(String(Number.MIN_SAFE_INTEGER));
  });

  test.each(["https://example.com", " example.com", "HTTP://[::1]:80/", "user:a@b.test", "münchen.de/?a#b"])(
    "the URL %j has the form that is described",
    (text) => {
      const { pattern = "" } = described.components.schemas["ScrapeRequest"]?.properties?.["url"] ?? {};
      expect(text).toMatch(new RegExp(pattern, "u"));
      expect("").not.toMatch(new RegExp(pattern, "u"));
    },
  );

  test("stand before the errors, which come last", () => {
    expect(described.info.description).not.toContain("SCRAPE_TIMEOUT");
    const [first, last] = [described.tags[0], described.tags.at(-1)];
    expect(first?.name).toBe("Scraping");
    expect([last?.name, last?.description]).toEqual(["Errors", expect.stringContaining("SCRAPE_TIMEOUT")]);
  });

  test("are for whatever name the client uses", () => {
    expect(described.servers).toEqual([{ url: "/" }]);
  });
});

test("all that a scrape can answer with is described", () => {
  const { data } = described.components.schemas["ScrapeAnswer"]?.properties ?? {};
  const ofFormats = Object.values(builtFormats).flatMap((format) => Object.keys(format.answer));
  const ofAll = ["actions", "blocks", "metadata", "pages", "tools", "warning"];
  expect(Object.keys(data?.properties ?? {}).toSorted()).toEqual([
    ...new Set([...ofFormats, ...ofAll].toSorted()),
  ]);
  expect(data?.required).toEqual(["metadata"]);
  const { properties = {}, required } = data?.properties?.["metadata"] ?? {};
  expect(Object.keys(properties).toSorted()).toEqual([
    "answeredBy",
    "blocked",
    "cacheState",
    "cachedAt",
    "concurrencyLimited",
    "concurrencyQueueDurationMs",
    "contentType",
    "creditsUsed",
    "error",
    "numPages",
    "partial",
    "proxyUsed",
    "revalidated",
    "scrapeId",
    "sourceURL",
    "statusCode",
    "timezone",
    "totalPages",
    "url",
    "warnings",
  ]);
  expect(required).not.toContain("timezone");
});

test("every reference leads to a schema of the document", () => {
  const references = [...JSON.stringify(described).matchAll(/"\$ref":"([^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  const places = new Set(
    Object.keys(described.components.schemas).map((name) => `#/components/schemas/${name}`),
  );
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((path) => !places.has(path))).toEqual([]);
});

test("every operation, parameter and member has a line, and every operation a name of its own", () => {
  const all = Object.values(described.paths).flatMap((methods) => Object.values(methods));
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  expect(all.filter(({ description = "" }) => !description.endsWith("."))).toEqual([]);
  const parameters = all.flatMap((operation) => operation.parameters ?? []);
  expect(parameters.filter(({ description = "" }) => description === "")).toEqual([]);
  const silent = Object.entries(described.components.schemas).flatMap(([name, schema]) =>
    membersWithoutLine(schema, name),
  );
  expect(silent).toEqual([]);
  expect(described.paths["/v2/crawl"]?.["post"]?.description).toContain(
    "at 500 scrapes a minute, 100 of these",
  );
});

/** Paths of members that a reader would have to guess. */
function membersWithoutLine(schema: unknown, path: string): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]: [string, unknown]) => {
    if (["default", "enum", "examples"].includes(key)) return [];
    const members = key === "properties" ? Object.entries(value as Readonly<Record<string, Schema>>) : [];
    const own = members.filter(([, { description = "" }]) => description === "");
    return [...own.map(([name]) => `${path}.${name}`), ...membersWithoutLine(value, `${path}.${key}`)];
  });
}

test("failures are described with their own shapes", () => {
  const { responses } = described.paths["/v2/scrape"]?.["post"] ?? {};
  const shapes = Object.entries(responses ?? {}).map(([status, { content }]) => [
    status,
    (content["application/json"]?.schema.anyOf ?? [content["application/json"]?.schema])
      .map((schema) => schema?.$ref.replace("#/components/schemas/", ""))
      .join(),
  ]);
  expect(Object.fromEntries(shapes)).toMatchObject({
    "200": "ScrapeAnswer,ProviderToolAnswer",
    "400": "Error",
    "409": "Error",
    "429": "RateLimit",
    "503": "Error",
  });
});

/** What a caller asks for → with which path, if that has parts to fill in, and which body. In this order. */
async function askEverything(): Promise<readonly string[]> {
  const id = team.teamId;
  const policy = { mode: "off", blacklist: ["a.test"] };
  for (const page of ["/", "/docs", "/openapi.json", "/healthz", "/readyz", "/metrics"])
    await ask(`GET ${page}`);
  for (const probe of ["/v0/health/liveness", "/v0/health/readiness", "/e2e-test", "/is-production"])
    await ask(`GET ${probe}`);

  const { data } = (await ask("POST /v2/scrape", { body: EVERYTHING(url) })) as AnswerBody;
  await ask("GET /v2/scrape/{id}", { path: `/v2/scrape/${data.metadata.scrapeId}` });
  const stored = (await ask("POST /v2/scrape", { body: { url } })) as AnswerBody;
  await ask("GET /v2/scrape/{id}/warc", { path: `/v2/scrape/${stored.data.metadata.scrapeId}/warc` });
  await ask("GET /v2/files/{name}", { path: (data.screenshot ?? "").replace(world.baseUrl, "") });
  await askOfRequests(id);
  await askOfStorage(id);
  await askOfTools(id);
  await ask("POST /v2/map", { body: { url } });
  const crawled = await askRuns("/v2/crawl", (page) => ({ url: page, prompt: "A few pages" }));
  await ask("GET /v2/crawl/{id}/outcomes", { path: `/v2/crawl/${crawled}/outcomes` });
  await ask("GET /v2/crawl/active");
  await ask("GET /v2/crawl/ongoing");
  await ask("POST /v2/crawl/params-preview", { body: { url, prompt: "Everything" } });
  await askRuns("/v2/batch/scrape", (page) => ({ urls: [page] }));
  await askOfJobs(id);
  await askAgents();
  await askOfMonitors();
  await askOfFiles();
  const searched = (await ask("POST /v2/search", { body: { query: "page" } })) as { readonly id: string };
  const ofSearch = `/v2/search/${searched.id}/feedback`;
  await ask("POST /v2/search/{id}/feedback", { path: ofSearch, body: { rating: "partial" } });
  await askExtract("/v2/extract");
  await askVersion1();
  await ask("GET /v2/browser/profiles");
  await ask("DELETE /v2/browser/profiles/{name}", { path: "/v2/browser/profiles/ann" });

  await askSessions();
  const word = { endpoint: "scrape", jobId: data.metadata.scrapeId, rating: "good", tags: ["a"] };
  await ask("POST /v2/feedback", { body: word });
  await ask("GET /v2/exchange/discover");
  const ofProvider = "/v2/exchange/provider-terms?provider=licensed";
  const terms = await ask("GET /v2/exchange/provider-terms", { path: ofProvider });
  const { digest } = terms as { readonly digest: string };
  const acceptance = { provider: "licensed", version: "1", digest, confirmed: true };
  await ask("POST /v2/exchange/provider-terms/accept", { body: acceptance });
  await ask("GET /v2/team/credit-usage");
  await ask("GET /v2/team/token-usage");
  const byKey = "historical?byApiKey=true";
  await ask("GET /v2/team/credit-usage/historical", { path: `/v2/team/credit-usage/${byKey}` });
  await ask("GET /v2/team/token-usage/historical", { path: `/v2/team/token-usage/${byKey}` });
  await ask("GET /v2/team/queue-status");
  await ask("GET /v2/team/activity");
  await ask("GET /v2/concurrency-check");
  await ask("PUT /v2/team/threat-protection", { body: policy });
  await ask("GET /v2/team/threat-protection");

  const made = await ask("POST /admin/api/teams", { body: { name: "other", allowance: { credits: 3 } } });
  await ask("GET /admin/api/teams");
  const ofTeam = `/admin/api/teams/${id}`;
  const changes = { flags: { zeroDataRetention: true }, limits: { concurrency: 2 }, threatPolicy: policy };
  await ask("PATCH /admin/api/teams/{id}", { path: ofTeam, body: changes });
  await ask("POST /admin/api/teams/{id}/credits", { path: `${ofTeam}/credits`, body: { add: 1 } });
  await ask("GET /admin/api/teams/{id}/ledger", { path: `${ofTeam}/ledger` });
  const restrictions = { formats: ["markdown"], endpoints: ["scrape"], requestsPerMinute: 5 };
  const key = await ask("POST /admin/api/teams/{id}/keys", {
    path: `${ofTeam}/keys`,
    body: { restrictions },
  });
  await ask("GET /admin/api/teams/{id}/keys", { path: `${ofTeam}/keys` });
  const ofKey = `/admin/api/keys/${(key as OperatorAnswer["body"]).keyId}`;
  await ask("PATCH /admin/api/keys/{id}", { path: ofKey, body: { name: "renamed" } });
  await ask("GET /admin/api/keys");
  await ask("POST /admin/api/keys/{id}/rotate", { path: `${ofKey}/rotate`, body: { graceHours: 1 } });
  await ask("DELETE /admin/api/keys/{id}", { path: ofKey });
  await ask("GET /admin/api/requests");
  await ask("GET /admin/api/feedback");
  await ask("GET /admin/api/audit");
  await ask("GET /admin/api/status");
  await ask("GET /admin/api/tool-requests");
  // Needs a request that was lost: the tests of the operator's tools have one.
  asked.add("POST /admin/api/tool-requests/{id}/resolve");
  await askOfPages(id);
  const other = (made as OperatorAnswer["body"]).teamId;
  await ask("DELETE /admin/api/teams/{id}", { path: `/admin/api/teams/${other}` });
  return [...asked].toSorted();
}

async function askVersion1(): Promise<void> {
  const { data } = (await ask("POST /v1/scrape", { body: { url } })) as {
    data: { metadata: { scrapeId: string } };
  };
  await ask("GET /v1/scrape/{id}", { path: `/v1/scrape/${data.metadata.scrapeId}` });
  await ask("POST /v1/map", { body: { url } });
  await ask("POST /v1/search", { body: { query: "page" } });
  const id = await askRuns("/v1/batch/scrape", (page) => ({ urls: [page] }));
  await ask("DELETE /v1/batch/scrape/{id}/errors", { path: `/v1/batch/scrape/${id}/errors` });
  await askExtract("/v1/extract");
  await ask("GET /v1/crawl/active");
  await ask("GET /v1/crawl/ongoing");
  const crawl = await askRuns("/v1/crawl", (page) => ({ url: page, limit: 1 }));
  await ask("DELETE /v1/crawl/{id}/errors", { path: `/v1/crawl/${crawl}/errors` });
  await ask("GET /v1/team/credit-usage");
  await ask("GET /v1/team/token-usage");
  await ask("GET /v1/team/credit-usage/historical");
  await ask("GET /v1/team/token-usage/historical");
  await ask("GET /v1/team/queue-status");
  await ask("GET /v1/concurrency-check");
}

async function askOfFiles(): Promise<void> {
  const link = await ask("POST /v2/parse/upload-url", { body: { filename: "page.html" } });
  const { uploadUrl, uploadRef } = (link as { data: { uploadUrl: string; uploadRef: string } }).data;
  const path = uploadUrl.replace(world.baseUrl, "");
  await ask("PUT /v2/parse/upload/{id}", { path, body: "<h1>Sent</h1>" });
  await ask("POST /v2/parse", { body: { uploadRef } });
  await ask("GET /v2/parse/formats");
}

async function askOfMonitors(): Promise<void> {
  const body = { name: "Watch", schedule: { text: "daily" }, targets: [{ type: "scrape", url }] };
  const { data } = (await ask("POST /v2/monitor", { body })) as { data: { id: string } };
  const path = `/v2/monitor/${data.id}`;
  // Needs a mail server: the tests of what monitors tell have one.
  for (const method of ["GET", "POST"]) asked.add(`${method} /v2/monitor-mail/{token}`);
  await ask("GET /v2/monitor");
  await ask("GET /v2/monitor/{monitorId}", { path });
  await ask("PATCH /v2/monitor/{monitorId}", { path, body: { name: "Other" } });
  const { id } = (await ask("POST /v2/monitor/{monitorId}/run", { path: `${path}/run`, body: {} })) as {
    id: string;
  };
  await ask("GET /v2/monitor/{monitorId}/checks", { path: `${path}/checks` });
  await ask("GET /v2/monitor/{monitorId}/checks/{checkId}", { path: `${path}/checks/${id}` });
  await ask("GET /v2/monitor/{monitorId}/feed", { path: `${path}/feed` });
  const own = `/admin/api/monitors/${data.id}`;
  await ask("GET /admin/api/monitors");
  await ask("GET /admin/api/monitors/{id}", { path: own });
  await ask("GET /admin/api/monitors/{id}/checks/{checkId}", { path: `${own}/checks/${id}` });
  await ask("PATCH /admin/api/monitors/{id}", { path: own, body: { status: "paused" } });
  await ask("DELETE /v2/monitor/{monitorId}", { path });
  const scraped = (await ask("POST /v2/scrape", { body: { url } })) as AnswerBody;
  const ofScrape = `/admin/api/requests/${scraped.data.metadata.scrapeId}/monitor`;
  const made = (await ask("POST /admin/api/requests/{id}/monitor", {
    path: ofScrape,
    body: { schedule: "daily" },
  })) as { data: { id: string } };
  await ask("POST /admin/api/monitors", { body: { teamId: team.teamId, request: body } });
  const watched = `/admin/api/monitors/${made.data.id}`;
  await ask("POST /admin/api/monitors/{id}/run", { path: `${watched}/run` });
  await ask("DELETE /admin/api/monitors/{id}", { path: watched });
}

/** What the operator's pages ask for, as a script does. */
async function askOfPages(teamId: string): Promise<void> {
  const headers = { "x-pergamon": "dashboard", origin: world.baseUrl };
  await ask("POST /admin/session", { body: { key: ADMIN_KEY }, headers });
  await ask("GET /admin/session");
  const { data } = (await ask("GET /admin/api/logins")) as LoginsAnswer;
  const ofLogin = `/admin/api/logins/${data[0]?.sessionId ?? ""}`;
  await ask("DELETE /admin/api/logins/{id}", { path: ofLogin });
  await ask("POST /admin/api/playground-key", { body: { teamId } });
  const { id } = (await ask("POST /admin/api/operators", { body: { name: "Ada", role: "viewer" } })) as {
    id: string;
  };
  await ask("GET /admin/api/operators");
  await ask("DELETE /admin/api/operators/{id}", { path: `/admin/api/operators/${id}` });
  await ask("GET /admin/api/teams/{id}", { path: `/admin/api/teams/${teamId}` });
  await ask("GET /admin/api/overview", { path: "/admin/api/overview?days=2" });
  await ask("GET /admin/api/failures");
  await ask("GET /admin/api/setup");
  await ask("GET /admin/api/incidents");
  await ask("GET /admin/api/names");
  await ask("GET /admin/api/running");
  await ask("GET /admin/api/nodes");
  await ask("GET /admin/api/events");
  await ask("GET /admin/api/usage");
  await ask("GET /admin/api/usage.csv");
  await ask("GET /admin/api/settings");
  await ask("GET /admin/api/audit-log");
  await ask("GET /admin/api/audit-log.jsonl");
  await ask("GET /admin/api/backups");
  await ask("POST /admin/api/backups", { body: {} });
  // What is made takes its time: the tests of backups take them away and delete them.
  for (const line of ["GET /admin/api/backups/{id}/file", "DELETE /admin/api/backups/{id}"]) asked.add(line);
  await ask("PATCH /admin/api/settings", { body: { changes: { BLOCKED_DOMAINS: "blocked.test" } } });
  await ask("POST /admin/api/test/{part}", { path: "/admin/api/test/model" });
  await ask("DELETE /admin/session");
}

async function askExtract(path: string): Promise<void> {
  const schema = { type: "object", properties: { title: { type: "string" } } };
  const { id } = (await ask(`POST ${path}`, { body: { urls: [url], schema } })) as { readonly id: string };
  await ask(`GET ${path}/{id}`, { path: `${path}/${id}` });
  const hanging = { urls: [world.site.page("/hanging", () => undefined)], schema };
  const other = (await ask(`POST ${path}`, { body: hanging })) as { readonly id: string };
  await ask(`DELETE ${path}/{id}`, { path: `${path}/${other.id}` });
}

/**
 * A run of a family: what came of it, and one that is cancelled.
 * @param bodyOf what asks for one page.
 * @returns the id of the first.
 */
async function askRuns(path: string, bodyOf: (page: string) => object): Promise<string> {
  const { id } = (await ask(`POST ${path}`, { body: bodyOf(url) })) as { readonly id: string };
  await ask(`GET ${path}/{id}`, { path: `${path}/${id}` });
  for (const part of ["errors", ...(path.startsWith("/v2/") ? ["chunks", "export"] : [])])
    await ask(`GET ${path}/{id}/${part}`, { path: `${path}/${id}/${part}` });
  const hanging = world.site.page("/hanging", () => undefined);
  const other = (await ask(`POST ${path}`, { body: bodyOf(hanging) })) as { readonly id: string };
  await ask(`DELETE ${path}/{id}`, { path: `${path}/${other.id}` });
  return id;
}

async function askAgents(): Promise<void> {
  const body = { prompt: "Find the harbour", mode: "extract" };
  const { id, threadId } = (await ask("POST /v2/agent", { body })) as Readonly<Record<string, string>>;
  await ask("GET /v2/agent");
  const isOver = async () => {
    const answer = await ask("GET /v2/agent/{id}", { path: `/v2/agent/${id}` });
    return (answer as { readonly status: string }).status;
  };
  await expect.poll(isOver, { timeout: 10_000 }).toBe("completed");
  const ofTrace = await ask("GET /v2/agent/{id}/trace", { path: `/v2/agent/${id}/trace` });
  const snapshotId = /"snapshotId":"([^"]+)"/.exec(JSON.stringify(ofTrace))?.[1];
  const ofSnapshot = `/v2/agent/${id}/snapshots/${snapshotId}`;
  await ask("GET /v2/agent/{id}/snapshots/{snapshotId}", { path: ofSnapshot });
  await ask("GET /v2/agent/threads/{id}", { path: `/v2/agent/threads/${threadId}?includeData=true` });
  await ask("GET /admin/api/jobs/{id}/steps", { path: `/admin/api/jobs/${id}/steps` });
  const endless = { prompt: "Wait for ever" };
  const other = (await ask("POST /v2/agent", { body: endless })) as { readonly id: string };
  await ask("DELETE /v2/agent/{id}", { path: `/v2/agent/${other.id}` });
}

/** What the operator asks of runs of all families. */
async function askOfJobs(teamId: string): Promise<void> {
  const { data } = (await ask("GET /admin/api/jobs")) as JobsAnswer;
  const path = `/admin/api/jobs/${data[0]?.id ?? ""}`;
  await ask("GET /admin/api/jobs/{id}", { path });
  await ask("GET /admin/api/jobs/{id}/pages", { path: `${path}/pages` });
  await ask("GET /admin/api/jobs/{id}/heat", { path: `${path}/heat` });
  await ask("GET /admin/api/jobs/{id}/documents.jsonl", { path: `${path}/documents.jsonl` });
  await ask("GET /admin/api/jobs/{id}/documents.zip", { path: `${path}/documents.zip` });
  await ask("DELETE /admin/api/jobs/{id}", { path });
  await ask("GET /admin/api/deliveries", { path: `/admin/api/deliveries?job=${data[0]?.id ?? ""}` });
  await ask("POST /admin/api/jobs/{id}/resend", { path: `${path}/resend` });
  // Needs a webhook that was delivered: the tests of the operator's jobs have one.
  asked.add("GET /admin/api/deliveries/{id}");
  asked.add("POST /admin/api/deliveries/{id}/resend");
  const ofSecret = `/admin/api/teams/${teamId}/webhook-secret`;
  await ask("GET /admin/api/teams/{id}/webhook-secret", { path: ofSecret });
  await ask("POST /admin/api/teams/{id}/webhook-secret", { path: ofSecret });
}

async function askOfStorage(teamId: string): Promise<void> {
  const profile = { url, profile: { name: "of-operator" } };
  await team.scrape({ ...profile, actions: [{ type: "wait", milliseconds: 1 }] });
  await ask("GET /admin/api/profiles");
  const ofProfile = `/admin/api/teams/${teamId}/profiles/of-operator`;
  const exported = await ask("GET /admin/api/teams/{id}/profiles/{name}/export", {
    path: `${ofProfile}/export`,
  });
  const toImport = { path: `${ofProfile}/import`, body: exported as object };
  await ask("POST /admin/api/teams/{id}/profiles/{name}/import", toImport);
  await ask("DELETE /admin/api/teams/{id}/profiles/{name}", { path: ofProfile });
  await team.scrape({ url, maxAge: 0 });
  const { data } = (await ask("GET /admin/api/cache")) as CacheAnswer;
  const id = data[0]?.id ?? "";
  await ask("GET /admin/api/cache/size");
  await ask("GET /admin/api/cache/compare", { path: `/admin/api/cache/compare?a=${id}&b=${id}` });
  await ask("DELETE /admin/api/cache/{id}", { path: `/admin/api/cache/${id}` });
  await ask("POST /admin/api/cache/purge", { body: { url } });
}

async function askOfTools(teamId: string): Promise<void> {
  const { data } = (await ask("GET /admin/api/providers")) as ProvidersAnswer;
  const { version = "", digest = "" } = data.providers.find(({ id }) => id === "licensed")?.terms ?? {};
  const ofLicensed = "/admin/api/providers/licensed";
  const [terms, trial] = [
    { teamId, version, digest },
    { teamId, capability: "say" },
  ];
  await ask("POST /admin/api/providers/{id}/terms", { path: `${ofLicensed}/terms`, body: terms });
  await ask("POST /admin/api/providers/{id}/try", { path: `${ofLicensed}/try`, body: trial });
}

async function askOfRequests(teamId: string): Promise<void> {
  const [newest, older] = (
    (await ask("GET /admin/api/requests", { path: `/admin/api/requests?team=${teamId}` })) as RequestsAnswer
  ).data;
  const id = newest?.id ?? "";
  await ask("GET /admin/api/requests/{id}", { path: `/admin/api/requests/${id}` });
  await ask("GET /admin/api/requests/{id}/answer", { path: `/admin/api/requests/${id}/answer` });
  await ask("GET /admin/api/requests/{id}/page", { path: `/admin/api/requests/${id}/page` });
  await ask("GET /admin/preview/{id}", { path: `/admin/preview/${id}` });
  const pdf = world.site.page("/a.pdf", (_request, response) => {
    response.setHeader("content-type", "application/pdf").end(writePdf({ pages: [textPage("A page")] }));
  });
  const { body: read } = await team.scrape({ url: pdf });
  const ofPage = `/admin/api/requests/${read.data.metadata.scrapeId}/pages/1.png`;
  await ask("GET /admin/api/requests/{id}/pages/{n}.png", { path: ofPage });
  const { body: shown } = await team.scrape({ url, formats: ["screenshot"] });
  const ofShown = `/admin/api/requests/${shown.data.metadata.scrapeId}/thumbnail.jpg`;
  await ask("GET /admin/api/requests/{id}/thumbnail.jpg", { path: ofShown });
  await ask("GET /admin/api/requests.jsonl");
  const ofReplay = `/admin/api/requests/${id}/replay`;
  await ask("POST /admin/api/requests/{id}/replay", { path: ofReplay, body: { body: { url } } });
  await ask("GET /admin/api/compare", { path: `/admin/api/compare?a=${id}&b=${older?.id ?? id}` });
}

async function askSessions(): Promise<void> {
  const { data } = (await ask("POST /v2/scrape", { body: { url } })) as AnswerBody;
  const path = `/v2/scrape/${data.metadata.scrapeId}/interact`;
  await ask("POST /v2/scrape/{id}/interact", { path, body: { code: "await page.title()" } });
  await ask("DELETE /v2/scrape/{id}/interact", { path });
  for (const family of ["/v2/browser", "/v2/interact"]) {
    const { id } = (await ask(`POST ${family}`, { body: {} })) as { readonly id: string };
    await ask(`GET ${family}`);
    if (family === "/v2/browser") await askOfSession(id);
    await ask(`GET ${family}/{id}`, { path: `${family}/${id}` });
    await ask(`POST ${family}/{id}/execute`, { path: `${family}/${id}/execute`, body: { code: "1" } });
    await ask(`DELETE ${family}/{id}`, { path: `${family}/${id}` });
  }
}

/** What the operator's pages ask of a session. */
async function askOfSession(id: string): Promise<void> {
  const path = `/admin/api/sessions/${id}`;
  await ask("GET /admin/api/sessions");
  await ask("GET /admin/api/sessions/{id}", { path });
  await ask("GET /admin/api/sessions/{id}/activity", { path: `${path}/activity` });
  await ask("GET /admin/api/sessions/{id}/picture.jpg", { path: `${path}/picture.jpg` });
  await ask("POST /admin/api/sessions/{id}/view", { path: `${path}/view`, body: { isInteractive: true } });
  await ask("POST /admin/api/sessions/{id}/run", { path: `${path}/run`, body: { code: "1" } });
  // Takes a session of its own: the tests of the operator's sessions have one.
  asked.add("DELETE /admin/api/sessions/{id}");
}

/** All that a scrape can answer with. */
const EVERYTHING = (page: string) => ({
  url: page,
  formats: [
    "markdown",
    "html",
    "rawHtml",
    "links",
    "images",
    "screenshot",
    { type: "attributes", selectors: [{ selector: "h1", attribute: "id" }] },
  ],
  actions: [
    { type: "screenshot" },
    { type: "pdf" },
    { type: "scrape" },
    { type: "executeJavascript", script: "({ a: [1, null] })" },
  ],
  profile: { name: "ann" },
});

const asked = new Set<string>();

interface Asking {
  readonly path?: string;
  /** Text is sent as it is, everything else as JSON. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks for an operation as whoever may. An answer that is not declared fails. */
async function ask(operation: string, { path, body, headers }: Asking = {}): Promise<unknown> {
  asked.add(operation);
  const [method = "", plain = ""] = operation.split(" ");
  const target = path ?? plain;
  const authorization = target.startsWith("/admin/") ? `Bearer ${ADMIN_KEY}` : team.headers.authorization;
  const init = {
    method,
    headers: { authorization, ...headers },
    ...(body && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  };
  const response = await fetch(world.baseUrl + target, init);
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const answer: unknown = isJson
    ? await response.json()
    : isStream
      ? await beginOf(response)
      : await response.text();
  expect([operation, response.status, answer]).toEqual([operation, 200, answer]);
  expectDeclared({ method, path: target, status: 200, body: answer });
  return answer;
}

/** The first part of an answer that has no end. */
async function beginOf(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return Buffer.from(value ?? []).toString();
}

test("every operation answers with what is declared, and nothing else", async () => {
  // A machine that is busy with other tests is not ready at once.
  const isReady = async () => (await fetch(`${world.baseUrl}/readyz`)).ok;
  await expect.poll(isReady, { timeout: 30_000, interval: 250 }).toBe(true);
  expect(await askEverything()).toEqual(routes());
}, 60_000);

test.each<readonly [string, number, string]>([
  ["POST /v2/scrape", 400, "BAD_REQUEST"],
  ["GET /v2/scrape/no-id", 400, "BAD_REQUEST"],
])("%s fails with what is declared: %i", async (line, status, code) => {
  const [method = "", path = ""] = line.split(" ");
  const response = await fetch(world.baseUrl + path, { method, headers: team.headers });
  const body = (await response.json()) as AnswerBody;
  expect([response.status, body.code]).toEqual([status, code]);
  expectDeclared({ method, path, status, body });
});

describe("an answer that is not declared is noticed", () => {
  const path = "/v2/concurrency-check";
  const declared = { success: true, concurrency: 0, maxConcurrency: 1 };

  test.each<readonly [string, number, unknown]>([
    ["a member too many", 200, { ...declared, colour: "red" }],
    ["a member that is missing", 200, { success: true, concurrency: 0 }],
    ["another type", 200, { ...declared, concurrency: "0" }],
    ["a status that the operation does not have", 418, { success: false, error: "x" }],
    ["a failure with an unknown code", 401, { success: false, code: "OOPS", error: "x" }],
    ["a failure that claims success", 401, { success: true, error: "x" }],
    ["more than the message when there was too much", 429, { success: false, error: "x" }],
  ])("%s", (_name, status, body) => {
    expect(() => expectDeclared({ method: "GET", path, status, body })).toThrow(
      "GET /v2/concurrency-check answered",
    );
    expect(() => expectDeclared({ method: "GET", path, status: 200, body: declared })).not.toThrow();
  });

  test.each([{ numPages: "3" }, { isCached: true }, { place: { country: "US" } }, { scrapeId: "x" }])(
    "metadata of a scrape: %j",
    async (extra) => {
      const { body } = await team.scrape({ url, formats: ["links"] });
      const { data } = body;
      const check = (metadata: object) => () =>
        expectDeclared({
          method: "POST",
          path: "/v2/scrape",
          status: 200,
          body: { ...body, data: { ...data, metadata } },
        });
      expect(check({ ...data.metadata, "og:title": ["a", "b"] })).not.toThrow();
      expect(check({ ...data.metadata, ...extra })).toThrow("does not declare");
    },
  );
});

test.each(["null", "[]", "1", '"x"', "true", "{", "[[]]", '{"a":1}', '{"__proto__":{"name":"x"}}'])(
  "the body %s is refused where an object is wanted, and nothing breaks",
  async (body) => {
    const lines = [
      "PUT /v2/team/threat-protection",
      "POST /v2/scrape",
      "POST /admin/api/teams",
      `PATCH /admin/api/teams/${team.teamId}`,
      `POST /admin/api/teams/${team.teamId}/credits`,
      `POST /admin/api/teams/${team.teamId}/keys`,
    ];
    for (const line of lines) {
      const [method = "", path = ""] = line.split(" ");
      const authorization = path.startsWith("/admin/") ? `Bearer ${ADMIN_KEY}` : team.headers.authorization;
      const { status } = await fetch(world.baseUrl + path, { method, headers: { authorization }, body });
      expect([line, status]).toEqual([line, 400]);
    }
  },
);
