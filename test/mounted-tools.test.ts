import { randomUUID } from "node:crypto";
import { rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";

import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import type { LineTarget } from "../packages/kit/src/log/line-sink.ts";
import { openLog } from "../packages/kit/src/log/log.ts";
import { makeMcpServer } from "./mcp-double.ts";
import { openSite, type Site } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const SECRET = "hunter2-of-the-provider";
const HOSTILE = ["strange-list", "endless-list", "no-list", "old"];
const BROKEN = ["dies", "leaves", "answers-twice", "notifies", "huge", "garbage", "asks", "lies"];

const log: string[] = [];
let upstream: Site;
let mcp: McpDouble;
let world: World;
let file: string;

const LOG_TARGET: LineTarget = {
  write(bytes, done) {
    log.push(Buffer.from(bytes).toString());
    done(undefined, bytes.byteLength);
  },
  writeNow: (bytes) => void log.push(Buffer.from(bytes).toString()),
};

/** Fifty operations: forty that read, and some that do more. */
function petDocument(base: string): object {
  const word = { name: "word", in: "query", schema: { type: "string" } };
  const many = Array.from({ length: 43 }, (_, index) => [
    `/things/${index}/{id}`,
    {
      get: {
        operationId: `thing${index}`,
        summary: `Thing ${index}`,
        parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }, word],
      },
    },
  ]);
  const Pet = {
    type: "object",
    properties: { name: { type: "string" }, friend: { $ref: "#/components/schemas/Pet" } },
    required: ["name"],
  };
  const body = (contentType: string) => ({
    required: true,
    content: { [contentType]: { schema: { $ref: "#/components/schemas/Pet" } } },
  });
  const list = { type: "array", items: { type: "string" } };
  return {
    openapi: "3.0.3",
    servers: [{ url: `${base}/v1` }],
    security: [{ key: [] }],
    components: {
      schemas: { Pet },
      securitySchemes: {
        key: { type: "apiKey", in: "header", name: "X-Key" },
        inQuery: { type: "apiKey", in: "query", name: "key" },
        basic: { type: "http", scheme: "basic" },
      },
    },
    paths: {
      ...Object.fromEntries(many),
      "/pets": {
        get: {
          operationId: "listPets",
          parameters: [
            { name: "tag", in: "query", schema: list },
            { name: "id", in: "query", explode: false, schema: list },
            { name: "filter", in: "query", style: "deepObject", schema: { type: "object" } },
            { name: "X-Trace", in: "header", schema: { type: "string" } },
          ],
        },
        post: { operationId: "addPet", requestBody: body("application/json") },
        put: {
          operationId: "putPet",
          security: [{ basic: [] }],
          requestBody: body("application/x-www-form-urlencoded"),
        },
        delete: { operationId: "dropPets", security: [{ inQuery: [] }] },
        patch: {
          operationId: "showPet",
          requestBody: {
            required: true,
            content: {
              "multipart/form-data": {
                schema: {
                  type: "object",
                  properties: {
                    name: { type: "string" },
                    tags: { type: "array", items: { type: "string" } },
                    owner: { type: "object" },
                    picture: { type: "string", format: "binary" },
                  },
                },
              },
            },
          },
        },
      },
      "/text": { get: { operationId: "text", security: [] } },
      "/broken": { get: { operationId: "broken" } },
    },
  };
}

interface McpDouble {
  readonly url: string;
  /** Ends all sessions, as a server does that starts anew. */
  forget(): void;
}

/** The official library's server, over HTTP and with sessions, on a path of the site. */
function openMcpDouble(site: Site): McpDouble {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  site.page("/mcp", (request, response) => {
    void (async () => {
      const body =
        request.method === "POST" ? (JSON.parse(String(await buffer(request))) as unknown) : undefined;
      const id = request.headers["mcp-session-id"];
      let transport = typeof id === "string" ? sessions.get(id) : undefined;
      if (typeof id === "string" && !transport) return response.writeHead(404).end();
      if (!transport) {
        const made = new StreamableHTTPServerTransport({
          sessionIdGenerator: randomUUID,
          onsessioninitialized: (name) => void sessions.set(name, made),
        });
        await makeMcpServer().connect(made);
        transport = made;
      }
      return transport.handleRequest(request, response, body);
    })();
  });
  return { url: site.url("/mcp"), forget: () => sessions.clear() };
}

/** The server that shows all of the protocol, as its authors publish it. */
const REFERENCE = createRequire(import.meta.url).resolve(
  "@modelcontextprotocol/server-everything/dist/index.js",
);

const program = (name: string, ...args: readonly string[]) => ({
  command: process.execPath,
  args: ["--conditions=pergamon-source", "--import", "tsx", join(import.meta.dirname, name), ...args],
});

function providersOf(site: Site): readonly object[] {
  const base = site.url("");
  const facts = { description: "For tests.", domains: ["pets.test"] };
  const secret = { $secret: "KEY" };
  return [
    {
      ...facts,
      id: "pets",
      name: "Pets",
      kind: "openapi",
      document: "pets.json",
      security: { key: secret, inQuery: secret, basic: secret },
      creditsCost: 2,
      capabilities: { addPet: { creditsCost: 5, whenToUse: "Whenever a pet comes." }, ghost: {} },
    },
    {
      ...facts,
      id: "far",
      name: "Far",
      kind: "openapi",
      document: `${base}/far.json`,
      base,
      include: ["text", "thing1"],
    },
    {
      ...facts,
      id: "leaky",
      name: "Leaky",
      kind: "openapi",
      document: `${base}/leaky.json`,
      headers: { "x-key": secret },
    },
    { ...facts, id: "yaml", name: "YAML", kind: "openapi", document: `${base}/say.yaml` },
    { ...facts, id: "absent", name: "Absent", kind: "openapi", document: `${base}/absent.json` },
    {
      ...facts,
      id: "program",
      name: "Program",
      kind: "mcp",
      ...program("mcp-program.ts"),
      env: { KEY: secret },
      exclude: ["wait"],
      capabilities: { echo: { creditsCost: 3 } },
    },
    {
      ...facts,
      id: "reference",
      name: "Reference",
      kind: "mcp",
      command: process.execPath,
      args: [REFERENCE, "stdio"],
    },
    { ...facts, id: "server", name: "Server", kind: "mcp", url: `${base}/mcp`, headers: { "x-key": secret } },
    {
      ...facts,
      id: "closed",
      name: "Closed",
      kind: "mcp",
      url: `${base}/closed`,
      domains: ["pets.test", "127.0.0.1"],
    },
    { ...facts, id: "nowhere", name: "Nowhere", kind: "mcp", url: "http://10.0.0.1/mcp" },
    { ...facts, id: "missing", name: "Missing", kind: "mcp", command: "/no/such/program" },
    ...[...HOSTILE, ...BROKEN].map((id) => ({
      ...facts,
      id,
      name: id,
      kind: "mcp",
      ...program("mcp-hostile.ts", id),
    })),
  ];
}

beforeAll(async () => {
  upstream = await openSite();
  mcp = openMcpDouble(upstream);
  const base = upstream.url("");
  upstream.page("/far.json", (_request, response) =>
    response.end(JSON.stringify(petDocument("http://10.0.0.1"))),
  );
  upstream.page("/closed", (_request, response) => response.writeHead(401).end());
  upstream.page("/say.yaml", (_request, response) =>
    response.end(`openapi: 3.1.0\npaths:\n  /v1/text:\n    get: { operationId: text }\n`),
  );
  upstream.page("/leaky.json", (_request, response) =>
    response.end(JSON.stringify({ ...petDocument("https://evil.test"), security: [] })),
  );
  upstream.page("/v1/pets", (request, response) => {
    void (async () => {
      const sent = await buffer(request);
      const { method, url, headers } = request;
      const type = headers["content-type"];
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({
          method,
          url,
          type,
          sent: sent.toString(),
          key: headers["x-key"],
          auth: headers.authorization,
          trace: headers["x-trace"],
        }),
      );
    })();
  });
  upstream.page("/v1/things/7/a%2Fb", (_request, response) => response.end('{"is":7}'));
  upstream.page("/v1/text", (_request, response) =>
    response.setHeader("content-type", "text/plain").end("words"),
  );
  upstream.page("/v1/broken", (_request, response) => response.writeHead(500).end(SECRET));
  const folder = testFolder();
  await writeFile(join(folder, "pets.json"), JSON.stringify(petDocument(base)));
  file = join(folder, "providers.json");
  await writeFile(file, JSON.stringify({ providers: providersOf(upstream) }));
  const settings = { PROVIDERS_FILE: file, PROVIDER_SECRETS: JSON.stringify({ KEY: SECRET }) };
  const noted = await openLog({ level: "info", format: "json", target: LOG_TARGET });
  world = await openWorld(settings, noted);
});

interface Result {
  readonly data: unknown;
  readonly creditsCost: number;
  readonly error?: { readonly code: string; readonly message: string; readonly status?: number };
}

interface Answer {
  readonly code?: string;
  readonly data: { readonly alexandria: readonly Result[] };
  readonly details?: Answer["data"];
}

async function ask(alexandria: object, timeout = 60_000): Promise<Answer> {
  const answer = await fetch(`${world.baseUrl}/v2/scrape`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ alexandria, timeout }),
  });
  return (await answer.json()) as Answer;
}

async function call(name: string, options: object = {}, timeout?: number): Promise<Result> {
  const [provider = "", capability = ""] = name.split(" ");
  const answer = await ask({ provider, capability, options }, timeout);
  // What became of calls whose outcome is unknown is told besides.
  const [first] = (answer.details ?? answer.data)?.alexandria ?? [];
  if (!first) throw new Error(JSON.stringify(answer));
  return first;
}

interface Item {
  readonly capability: string;
  readonly creditsCost: number;
  readonly options: readonly { readonly name: string; readonly type: string }[];
}

async function toolsOf(provider: string): Promise<readonly Item[]> {
  // A busy machine takes longer to start a program than callers wait for its list.
  await world.app.tools.catalogue.learn(30_000, ({ id }) => id === provider);
  const { data } = await call("firecrawl find-tools", {
    providers: [provider],
    level: "tools",
    expand: "options",
    limit: 50,
  });
  return (data as { readonly items: readonly Item[] }).items;
}

function stateOf(provider: string) {
  return world.app.tools.catalogue.provider(provider)?.listing?.state;
}

describe("an OpenAPI document of fifty operations", () => {
  test("is found, called and answered through the official client", async () => {
    const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "" });
    const found = await client.findTools({ providers: ["pets"], level: "tools", limit: 50 });
    expect((found as { readonly total: number }).total).toBe(50);
    const wanted = { provider: "pets", capability: "thing7", options: { id: "a/b", word: "x" } };
    const called = (await client.scrape({ alexandria: wanted } as never)) as unknown as Answer["data"];
    expect(called).toMatchObject({ alexandria: [{ data: { is: 7 }, creditsCost: 2 }], creditsCost: 2 });
    expect(upstream.hits("/v1/things/7/a%2Fb?word=x").at(-1)?.headers["x-key"]).toBe(SECRET);
  });

  test("writes parameters where and how the document says", async () => {
    const options = { tag: ["a", "b&c"], id: ["1", "2"], filter: { age: 3 }, "X-Trace": "é\r\nx: y" };
    expect((await call("pets listPets", options)).data).toMatchObject({
      method: "GET",
      url: "/v1/pets?tag=a&tag=b%26c&id=1%2C2&filter%5Bage%5D=3",
      trace: "%C3%A9%0D%0Ax: y",
    });
  });

  test("sends bodies as JSON or as a form, and secrets as its schemes say", async () => {
    const pet = { name: "Rex", friend: { name: "Tom" } };
    const added = await call("pets addPet", pet);
    expect(added).toMatchObject({ creditsCost: 5, data: { type: "application/json", key: "***" } });
    expect(upstream.hits("/v1/pets").at(-1)?.headers["x-key"]).toBe(SECRET);
    expect(JSON.parse((added.data as { readonly sent: string }).sent)).toEqual(pet);
    expect((await call("pets putPet", { name: "R x" })).data).toMatchObject({
      method: "PUT",
      sent: "name=R+x",
      auth: "Basic ***",
    });
    expect(upstream.hits("/v1/pets").at(-1)?.headers["authorization"]).toBe(
      `Basic ${Buffer.from(SECRET).toString("base64")}`,
    );
    expect((await call("pets dropPets")).data).toMatchObject({
      method: "DELETE",
      url: "/v1/pets?key=***",
    });
  });

  test("sends forms with files, whose names break nothing", async () => {
    const picture = { base64: "aGk=", name: 'a"\r\nx: y.png', type: "image/png" };
    const options = { name: "R x", tags: ["a", "b"], owner: { id: 1 }, picture };
    const { type, sent } = (await call("pets showPet", options)).data as { type: string; sent: string };
    const form = await new Response(sent, { headers: { "content-type": type } }).formData();
    expect([form.get("name"), form.getAll("tags")]).toEqual(["R x", ["a", "b"]]);
    const [owner, shown] = [form.get("owner"), form.get("picture")] as File[];
    expect([owner?.type, await owner?.text()]).toEqual(["application/json", '{"id":1}']);
    expect([shown?.type, shown?.name, await shown?.text()]).toEqual(["image/png", picture.name, "hi"]);
    const wrong = await call("pets showPet", { picture: { base64: "é" } });
    expect(wrong.error?.code).toBe("invalid_options");
  });

  test("has its options checked, circles included, and tells them", async () => {
    const wrong = await call("pets addPet", { name: "Rex", friend: { friend: { name: 1 } } });
    expect(wrong).toMatchObject({ creditsCost: 0, error: { code: "invalid_options" } });
    const add = (await toolsOf("pets")).find(({ capability }) => capability === "addPet");
    expect(add?.options).toMatchObject([
      { name: "name", type: "string", required: true },
      { name: "friend", type: "object" },
    ]);
  });

  test("returns text as text, and of a failure the status alone", async () => {
    expect((await call("pets text")).data).toBe("words");
    const failed = await call("pets broken");
    expect(failed.error).toEqual({
      code: "upstream_error",
      status: 500,
      message: "The provider answered with status 500.",
    });
  });

  test("can come from the network, and sends requests where the operator says", async () => {
    expect((await toolsOf("far")).map(({ capability }) => capability)).toEqual(["text"]);
    expect(stateOf("far")?.leftOut).toEqual([expect.stringContaining("thing1: it requires a secret")]);
    expect((await call("far text")).error?.status).toBe(404);
  });

  test("can be written in YAML", async () => {
    expect((await call("yaml text")).data).toBe("words");
  });

  test("that comes from the network does not send secrets elsewhere", async () => {
    expect(await toolsOf("leaky")).toEqual([]);
    expect(stateOf("leaky")?.leftOut).toContainEqual(expect.stringContaining("set base"));
  });

  test("that is not there makes its provider unavailable, which is told, and others are not touched", async () => {
    expect((await ask({ provider: "absent", capability: "x" })).code).toBe("provider_unavailable");
    expect(stateOf("absent")).toMatchObject({
      status: "unreachable",
      reason: expect.stringContaining("404"),
    });
    expect((await ask({ provider: "pets", capability: "ghost" })).code).toBe("unknown_provider");
    expect(stateOf("pets")?.leftOut).toContain("ghost: not declared by the provider");
  });
});

describe.each(["program", "server"])("an MCP server mounted as a %s", (provider) => {
  test("has its tools listed and called", async () => {
    const tools = await toolsOf(provider);
    expect(tools.map(({ capability }) => capability)).toEqual(
      expect.arrayContaining(["add", "echo", "fail"]),
    );
    expect(tools.find(({ capability }) => capability === "add")?.options).toMatchObject([
      { name: "a", type: "number", required: true },
      { name: "b", type: "number" },
    ]);
    expect(world.app.tools.catalogue.find(provider, "add")?.capability.readOnly).toBe(true);
    expect(world.app.tools.catalogue.find(provider, "echo")?.capability.readOnly).toBe(false);
  });

  test.each([
    ["add", { a: 1 }, { sum: 2 }],
    ["echo", { word: "hello" }, "hello"],
    ["json", {}, { is: "json" }],
  ])("%s returns its data", async (tool, options, data) => {
    expect((await call(`${provider} ${tool}`, options)).data).toEqual(data);
  });

  test("tells a failure in the server's words, without secrets", async () => {
    const failed = await call(`${provider} fail`, { word: `No: ${SECRET}` });
    expect(failed).toMatchObject({ creditsCost: 0, error: { code: "upstream_error", message: "No: ***" } });
  });

  test("checks options before they are sent", async () => {
    expect((await call(`${provider} add`, { a: "1" })).error?.message).toBe("a: must be number");
  });

  test("tells of a tool that came later", async () => {
    expect((await ask({ provider, capability: "grown" })).code).toBe("unknown_provider");
    await call(`${provider} grow`);
    await expect
      .poll(async () => (await ask({ provider, capability: "grown" })).code, { timeout: 10_000 })
      .toBeUndefined();
  });
});

test("the reference server is found, called and answered through the official client", async () => {
  expect((await toolsOf("reference")).length).toBeGreaterThan(5);
  const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "" });
  const found = (await client.findTools({ providers: ["reference"], capabilities: ["get-sum"] })) as {
    readonly items: readonly { readonly execute: object }[];
  };
  const wanted = { ...found.items[0]?.execute, options: { a: 2, b: 3 } };
  const called = (await client.scrape({ alexandria: wanted } as never)) as unknown as Answer["data"];
  expect(called).toMatchObject({
    alexandria: [{ capability: "get-sum", data: "The sum of 2 and 3 is 5.", creditsCost: 1 }],
  });
  const place = { location: "New York" };
  expect((await call("reference get-structured-content", place)).data).toMatchObject({
    conditions: expect.any(String) as string,
  });
  const environment = (await call("reference get-env")).data;
  expect(Object.keys(environment as object)).toEqual(["PATH"]);
});

describe("a program", () => {
  test("knows of the environment what it is told, and what it prints is in the log, without secrets", async () => {
    const { data } = await call("program environment");
    expect(
      Object.keys(data as object).filter(
        (name) => !name.startsWith("_") && name !== "PWD" && name !== "SHLVL",
      ),
    ).toEqual(["PATH", "KEY"]);
    await expect.poll(() => log.find((line) => line.includes("The key is"))).toContain("The key is ***.");
    expect(log.join("")).not.toContain(SECRET);
  });

  test("that dies in the middle of a call leaves that unknown, and is started again", async () => {
    const died = await call("program die");
    expect(died).toMatchObject({ creditsCost: 0, error: { code: "outcome_unknown" } });
    expect((await call("program add", { a: 3 })).data).toEqual({ sum: 4 });
  });

  test("that ends at once after a long answer has it read", async () => {
    const { data, error } = await call("leaves good");
    expect(error).toBeUndefined();
    expect(String(data).length).toBe(3 * 1024 * 1024);
  });

  test("prices are the operator's, and what is excluded is not there", async () => {
    expect((await call("program echo", { word: "a" })).creditsCost).toBe(3);
    expect((await ask({ provider: "program", capability: "wait" })).code).toBe("unknown_provider");
  });

  test("that cannot be started is unavailable", async () => {
    expect((await ask({ provider: "missing", capability: "x" })).code).toBe("provider_unavailable");
    expect(stateOf("missing")?.reason).toBe("/no/such/program cannot be started.");
  });
});

describe("a server over HTTP", () => {
  test("that has forgotten its sessions is greeted again", async () => {
    await call("server add", { a: 1 });
    mcp.forget();
    expect((await call("server add", { a: 1 })).data).toEqual({ sum: 2 });
    expect(upstream.hits("/mcp").at(-1)?.headers).toMatchObject({
      "x-key": SECRET,
      "mcp-protocol-version": "2025-06-18",
    });
  });

  test("that wants a sign-in is unavailable, and the operator is told what to do", async () => {
    expect((await ask({ provider: "closed", capability: "x" })).code).toBe("provider_unavailable");
    expect(stateOf("closed")?.reason).toMatch(/status 401.*set a token as the authorization header/);
  });

  test("that does not answer is left when the time is over", async () => {
    expect((await call("server wait", {}, 1000)).error?.code).toBe("timeout");
  });

  test("at a private address is refused by the guard", async () => {
    expect((await ask({ provider: "nowhere", capability: "x" })).code).toBe("provider_unavailable");
  });
});

test("a scrape that asks for tools of its domain tells when some cannot be known", async () => {
  const url = world.site.page("/of-closed", "<h1>Page</h1>");
  const told = "Some tool discovery results are unavailable.";
  const { status, body } = await world.scrape({ url, domainTools: true });
  expect([status, body.data?.tools, body.data?.warning]).toEqual([200, [], told]);
  const { body: other } = await world.scrape({ url, domainTools: true, formats: ["audio", "markdown"] });
  expect(other.data).toMatchObject({ tools: [], warning: expect.stringMatching(/\. Some tool discovery/) });
});

describe("a hostile server", () => {
  test("that lists what are no tools has the others left out", async () => {
    expect((await toolsOf("strange-list")).map(({ capability }) => capability)).toEqual(["good", "circle"]);
    expect(stateOf("strange-list")?.leftOut).toHaveLength(8);
  });

  test("whose list has no end is cut", async () => {
    await toolsOf("endless-list");
    expect(world.app.tools.catalogue.provider("endless-list")?.capabilities).toHaveLength(500);
  });

  test.each(["no-list", "old"])("that is %s is unavailable", async (provider) => {
    expect((await ask({ provider, capability: "good" })).code).toBe("provider_unavailable");
    expect(stateOf(provider)?.reason).toBe("The server's answer does not follow the protocol.");
  });

  test.each([
    ["dies", { error: { code: "outcome_unknown" } }],
    ["answers-twice", { data: "first" }],
    ["notifies", { error: { code: "upstream_error", message: expect.stringContaining("keeps sending") } }],
    ["huge", { error: { code: "response_too_large" } }],
    ["garbage", { error: { code: "upstream_error" } }],
    ["asks", { data: "asked" }],
    ["lies", { error: { code: "invalid_options", message: "There is no such tool." } }],
  ])("that %s harms nobody else", async (provider, expected) => {
    expect(await call(`${provider} good`)).toMatchObject(expected);
    expect((await call(`pets text`)).data).toBe("words");
  });
});

describe("the operator's file", () => {
  const put = async (text: string) => {
    await writeFile(`${file}.new`, text);
    await rename(`${file}.new`, file);
  };
  const lastLine = (words: string) => log.findLast((line) => line.includes(words)) ?? "";

  test("is read again when it has changed; what stayed as it was goes on", async () => {
    const [pets, ...others] = providersOf(upstream);
    const before = world.app.tools.catalogue.provider("program");
    const kept = others.filter((entry) => (entry as { id: string }).id !== "absent");
    const added = { ...pets, id: "animals" };
    await put(JSON.stringify({ providers: [{ ...pets, name: "All pets" }, ...kept, added] }));
    await expect
      .poll(() => lastLine("was reloaded"), { timeout: 10_000 })
      .toContain('"added":["animals"],"changed":["pets"],"removed":["absent"]');
    expect((await ask({ provider: "absent", capability: "x" })).code).toBe("unknown_provider");
    expect((await call("animals text")).data).toBe("words");
    expect(world.app.tools.catalogue.provider("program")).toBe(before);
  });

  test.each([
    ['{"providers":[{"id":"x"', "is not valid JSON"],
    [JSON.stringify({ providers: [{ id: "x", kind: "ftp" }] }), "contains errors"],
    [
      JSON.stringify({ providers: [{ id: "x", name: "X", description: "x", kind: "mcp" }] }),
      "needs either command or url",
    ],
    [
      JSON.stringify({ providers: [{ id: "x", name: "X", description: "x", kind: "mcp", command: "npx" }] }),
      "must be an absolute path",
    ],
    [
      JSON.stringify({
        providers: [{ id: "x", name: "X", description: "x", kind: "openapi", document: "no.json" }],
      }),
      "does not exist",
    ],
    [
      JSON.stringify({
        providers: [
          {
            id: "x",
            name: "X",
            description: "x",
            kind: "mcp",
            url: "http://a.test",
            headers: { a: { $secret: "NO" } },
          },
        ],
      }),
      "PROVIDER_SECRETS has no NO",
    ],
  ])("with mistakes is refused as a whole: %s", async (text, words) => {
    await put(text);
    await expect.poll(() => lastLine("is invalid"), { timeout: 10_000 }).toContain(words);
    expect((await call("animals text")).data).toBe("words");
  });
});
