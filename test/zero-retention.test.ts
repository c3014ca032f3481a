import type { Dirent } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Writable } from "node:stream";

import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { listenDns } from "../packages/server/src/net/loopback.suite.ts";
import { unpackBlob } from "../packages/server/src/storage/stored-blob.ts";
import {
  type ModelDouble,
  startModelDouble,
} from "../packages/server/src/storage/models/model-double.suite.ts";
import { docxFile, wordParagraph } from "./office-files.ts";
import { AgentClient } from "./agents.ts";
import { KEYED, makeTeam, operate } from "./operator.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { RunClient } from "./runs.ts";
import { keptElsewhere } from "./shared-stores/kept-bytes.ts";
import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const usualFolder = tmpdir();
let folder: string;
let world: World;
let questions: string[];
let double: ModelDouble;
let logged = "";
let count = 0;
/** Told nowhere but in the request and by the page. */
let marker: string;
let path: string;
let url: string;

beforeAll(async () => {
  // Whatever the service puts into temporary files lies below this folder, too.
  folder = await mkdtemp(join(usualFolder, "no-trace-"));
  process.env["TMPDIR"] = folder;
  questions = [];
  const nameServer = await listenDns((name, type) => {
    questions.push(name);
    if (!name.endsWith(".here.test")) return undefined;
    return type === "A" ? ["127.0.0.1"] : [];
  });
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += String(chunk);
      done();
    },
  });
  double = await startModelDouble("openai", [{ say: { text: '{"found": true, "answer": "It says so."}' } }]);
  const settings = {
    ...KEYED,
    LLM_BASE_URL: double.url,
    LLM_MODEL: "double",
    DNS_SERVERS: nameServer,
    BROWSER_EGRESS_HOST: "127.0.0.1",
    // Where the browser's program, 210 MB, is unpacked once for all tests. What it writes lies below the folder.
    CACHE_DIR: join(usualFolder, "pergamon"),
  };
  world = await openWorld(settings, pino({ level: "trace" }, sink));
});

beforeEach(() => {
  count += 1;
  marker = `marker${count}x${Math.random().toString(36).slice(2)}`;
  path = `/${marker}`;
  const image = `<img src="data:image/png;base64,aaaa" alt="${marker}"><a href="/${marker}/link">link</a>`;
  const body = `<main><h1>${marker}</h1><p>${`A sentence about ${marker}. `.repeat(40)}</p>${image}</main>`;
  url = world.site.page(path, htmlPage(body, `<title>${marker}</title>`));
});

afterAll(async () => {
  await world.close();
  double.close();
  process.env["TMPDIR"] = usualFolder;
  await rm(folder, { recursive: true, force: true });
});

/** The marker as it could be found again: in the encodings that programs store text in. */
function spellings(text: string): readonly Buffer[] {
  const bytes = Buffer.from(text);
  const inBase64 = [0, 1, 2].map((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    return Buffer.from(encoded.slice(4, -4));
  });
  const others = [bytes.toString("hex"), bytes.toString("hex").toUpperCase()];
  return [bytes, Buffer.from(text, "utf16le"), ...others.map((other) => Buffer.from(other)), ...inBase64];
}

/** Folders of processes that end meanwhile are not there any more. */
async function entriesBelow(outer: string): Promise<readonly Dirent[]> {
  const entries = await readdir(outer, { withFileTypes: true }).catch(() => []);
  const folders = entries.filter((entry) => entry.isDirectory());
  const below = await Promise.all(folders.map(({ name }) => entriesBelow(join(outer, name))));
  return [...entries, ...below.flat()];
}

/** Files, with their names and contents, and log lines that hold the marker. */
async function traces(): Promise<readonly string[]> {
  await world.app.services.records.flush();
  await world.app.services.credits.flush();
  const wanted = spellings(marker);
  const found: string[] = [];
  for (const entry of await entriesBelow(folder)) {
    const file = join(entry.parentPath, entry.name);
    if (file.includes(marker)) found.push(`name ${entry.name}`);
    if (!entry.isFile()) continue;
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    const blob = await unpackBlob(bytes).catch(() => undefined);
    const readings = blob ? [bytes, Buffer.from(blob.facts), Buffer.from(blob.body)] : [bytes];
    if (wanted.some((one) => readings.some((reading) => reading.includes(one)))) found.push(entry.name);
  }
  for (const { name, bytes } of await keptElsewhere(world.dataDir)) {
    const blob = await unpackBlob(bytes).catch(() => undefined);
    const readings = [Buffer.from(bytes), ...(blob ? [Buffer.from(blob.facts), Buffer.from(blob.body)] : [])];
    if (wanted.some((one) => readings.some((reading) => reading.includes(one)))) found.push(name);
  }
  if (wanted.some((one) => logged.includes(one.toString()))) found.push("log");
  return found;
}

test("a usual scrape is found by the search, in database, blobs and history", async () => {
  const team = await makeTeam(world);
  const { status, body } = await team.scrape({ url, maxAge: 0 });
  expect(status).toBe(200);
  const { scrapeId } = body.data.metadata;
  expect(await traces()).toEqual(expect.arrayContaining([expect.stringMatching(/^pergamon\.db/)]));
  expect((await traces()).length).toBeGreaterThan(1);
  expect((await world.get(`/v2/scrape/${scrapeId}`, team.headers)).status).toBe(200);
});

test.each([
  ["plain HTTP", {}],
  ["a browser", { waitFor: 1, actions: [{ type: "scrape" }], formats: ["markdown", "html", "links"] }],
])(
  "R6 user name and password of a URL reach the page, by %s, and are found nowhere",
  async (_name, options) => {
    const team = await makeTeam(world);
    const relative = '<p>Words of a page that is complete.</p><a href="/elsewhere">link</a>';
    world.site.page(path, htmlPage(`<main>${relative.repeat(20)}</main>`));
    const sourceURL = url;
    marker = `secret${count}x${Math.random().toString(36).slice(2)}`;
    const address = url.replace("http://", `http://user${marker}:${marker}@`);
    const { status, body } = await team.scrape({ url: address, ...options });
    expect(status).toBe(200);
    const [hit] = world.site.hits(path);
    expect(hit?.headers.authorization).toBe(`Basic ${btoa(`user${marker}:${marker}`)}`);
    expect(body.data.metadata).toMatchObject({ sourceURL, url: sourceURL });
    expect(JSON.stringify(body)).not.toContain(marker);
    const recalled = await world.get(`/v2/scrape/${body.data.metadata.scrapeId}`, team.headers);
    expect(recalled.body.data.metadata.sourceURL).toBe(sourceURL);
    expect(JSON.stringify(recalled.body)).not.toContain(marker);
    expect(await traces()).toEqual([]);
  },
);

test("R6 nor are they told by an error", async () => {
  const team = await makeTeam(world);
  const threatProtection = { mode: "manual-only", blacklist: ["127.0.0.1"] };
  const { status, body } = await team.scrape({
    url: url.replace("//", `//user:${marker}pw@`),
    threatProtection,
  });
  expect([status, body.code]).toEqual([403, "unsafe_domain_blocked"]);
  expect(body.error).not.toContain(`${marker}pw`);
  expect(body.error).toContain(url);
});

describe("batches", () => {
  async function batch(body: Readonly<Record<string, unknown>>) {
    const team = await makeTeam(world, { credits: 50 });
    const runs = new RunClient(world, team.headers);
    const id = await runs.batch(body);
    return { runs, team, id, done: await runs.endedBatch(id) };
  }

  test("R6 keep no user name and password of their URLs, nor those of their options", async () => {
    const sourceURL = url;
    const nowhere = `http://user:PASSWORD@127.0.0.9:1/nowhere`;
    marker = `secret${count}x${Math.random().toString(36).slice(2)}`;
    const address = url.replace("http://", `http://user${marker}:${marker}@`);
    const hanging = world.site.page(`/hanging/${count}`, () => undefined).replace("//", `//${marker}@`);
    const team = await makeTeam(world, { credits: 50 });
    const runs = new RunClient(world, team.headers);
    const id = await runs.batch({
      urls: [address, nowhere.replace("PASSWORD", marker), hanging],
      headers: { cookie: `session=${marker}` },
      webhook: { url: "http://127.0.0.9:1/", headers: { authorization: marker } },
    });
    await expect.poll(async () => (await runs.ask(`GET /v2/batch/scrape/${id}`)).body.data.length).toBe(1);
    await expect
      .poll(async () => (await runs.ask(`GET /v2/batch/scrape/${id}/errors`)).body.errors.length)
      .toBe(1);
    expect(await traces()).toEqual([]);
    const { body, text } = await runs.ask(`GET /v2/batch/scrape/${id}`);
    expect(body.data[0]?.metadata.sourceURL).toBe(sourceURL);
    expect(text + (await runs.ask(`GET /v2/batch/scrape/${id}/errors`)).text).not.toContain(marker);
    await runs.ask(`DELETE /v2/batch/scrape/${id}`);
  });

  test("F-52 without retention leave no trace", async () => {
    const lost = `http://127.0.0.9:1/${marker}`;
    const { runs, team, id, done } = await batch({ urls: [url, url, lost], zeroDataRetention: true });
    expect(done).toMatchObject({ status: "completed", total: 2, completed: 2, creditsUsed: 4 });
    expect(done.data.every(({ markdown }) => markdown.includes(marker))).toBe(true);
    const second = await runs.ask(`GET /v2/batch/scrape/${id}?skip=1&limit=1`);
    expect(second.body.data).toEqual([done.data[1]]);
    const { errors } = (await runs.ask(`GET /v2/batch/scrape/${id}/errors`)).body;
    expect(errors).toMatchObject([{ url: lost }]);
    expect(await team.remaining()).toBe(46);
    expect(await traces()).toEqual([]);
  });

  test("F-52 in lockdown leave no trace", async () => {
    const { runs, id } = await batch({ urls: [url], lockdown: true });
    const { errors } = (await runs.ask(`GET /v2/batch/scrape/${id}/errors`)).body;
    expect(errors).toMatchObject([{ url, code: "SCRAPE_LOCKDOWN_CACHE_MISS" }]);
    expect(await traces()).toEqual([]);
  });
});

describe("A53 zero data retention", () => {
  const formats = ["markdown", "html", "rawHtml", "links", "images"];
  const attributes = { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] };

  test.each<readonly [string, object]>([
    ...formats.map((type) => [type, { formats: [type] }] as const),
    ["attributes", { formats: [attributes] }],
    ["rawBase64", { formats: ["rawBase64"] }],
    ["headers and cookies", { headers: { "x-secret": "MARKER", cookie: "session=MARKER" } }],
    ["no cache", { maxAge: 0, storeInCache: true }],
    ["labels", { origin: "MARKER", integration: "MARKER" }],
  ])("of %s leaves no trace", async (_name, options) => {
    const team = await makeTeam(world, { credits: 50 });
    const marked = JSON.parse(JSON.stringify(options).replaceAll("MARKER", marker)) as object;
    const { status, body } = await team.scrape({ url, zeroDataRetention: true, ...marked });
    expect([status, body.error]).toEqual([200, undefined]);
    expect(world.site.hits(path)).not.toEqual([]);
    expect(body.data.metadata.creditsUsed).toBe(2);
    const { scrapeId } = body.data.metadata;
    expect((await world.get(`/v2/scrape/${scrapeId}`, team.headers)).status).toBe(404);
    expect((await operate(world, `GET requests?team=${team.teamId}`)).body.data).toEqual([]);
    expect(await team.remaining()).toBe(48);
    expect(await traces()).toEqual([]);
  });

  test.each<readonly [string, () => Buffer]>([
    ["a PDF", () => markedPdf(1)],
    ["an office document", () => docxFile(wordParagraph(`Words about ${marker}.`))],
  ])("P01 of %s leaves no trace", async (_name, make) => {
    const { body } = await scrapeFile(make(), 30_000);
    expect(body.data.markdown).toContain(marker);
    expect(await traces()).toEqual([]);
  });

  test("P01 of a PDF that takes too long leaves no trace, and is not gone on with", async () => {
    const { body } = await scrapeFile(markedPdf(3000), 2000);
    expect(body.code).toMatch(/^SCRAPE_(PDF_INSUFFICIENT_TIME_ERROR|TIMEOUT)$/);
    expect(JSON.stringify(body)).not.toContain("processing_continues");
    expect(await traces()).toEqual([]);
  });

  async function scrapeFile(file: Buffer, timeout: number) {
    const team = await makeTeam(world, { credits: 10_000 });
    world.site.page(path, (_request, response) => response.writeHead(200).end(file));
    const parsers = [{ type: "pdf", mode: "fast" }];
    return team.scrape({ url, parsers, timeout, zeroDataRetention: true });
  }

  function markedPdf(pages: number): Buffer {
    const page = textPage(...Array.from({ length: 40 }, (_, line) => `Line ${line} about ${marker}.`));
    return writePdf({ pages: Array<typeof page>(pages).fill(page), info: { Title: marker } });
  }

  test.each<readonly [string, () => unknown]>([
    ["a refused connection", () => ({ url: `http://127.0.0.9:1/${marker}` })],
    ["an unknown name", () => ({ url: `http://${marker}.test/` })],
    ["a private target", () => ({ url: `http://10.0.0.1/${marker}` })],
    ["a page that never comes", () => ({ url: hangingPage(), timeout: 1000 })],
    ["a connection that breaks", () => ({ url: brokenPage() })],
    ["a file that cannot be read", () => ({ url: filePage() })],
    ["a body that does not fit", () => ({ url, [marker]: true })],
    ["a wrong value", () => ({ url: `ftp://${marker}`, waitFor: marker })],
    ["no cached copy", () => ({ url, minAge: 1000 })],
  ])("of %s leaves no trace", async (_name, request) => {
    const team = await makeTeam(world, { credits: 50 });
    const { status } = await team.scrape({ ...(request() as object), zeroDataRetention: true });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(await traces()).toEqual([]);
  });

  function hangingPage(): string {
    return world.site.page(`${path}/hangs`, () => undefined);
  }

  function brokenPage(): string {
    return world.site.page(`${path}/breaks`, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "100000" });
      response.write(marker, () => response.socket?.resetAndDestroy());
    });
  }

  function filePage(): string {
    return world.site.page(`${path}/file`, (_request, response) => {
      response.writeHead(200, { "content-type": "application/zip" }).end(`PK\u0003\u0004${marker}`);
    });
  }

  test("of a team that is forced to it applies without being asked for", async () => {
    const team = await makeTeam(world, { flags: { zeroDataRetention: "forced" } });
    const { body } = await team.scrape({ url });
    expect(body.data.metadata.creditsUsed).toBe(2);
    const again = await world.get(`/v2/scrape/${body.data.metadata.scrapeId}`, team.headers);
    expect(again.status).toBe(400);
    expect(await traces()).toEqual([]);
  });

  test("is refused to a team that may not have it", async () => {
    const team = await makeTeam(world, { flags: { zeroDataRetention: false } });
    const { status, body } = await team.scrape({ url, zeroDataRetention: true });
    expect(status).toBe(403);
    expect(body.error).toMatch(/^Zero Data Retention \(ZDR\) is not enabled for your team\. /);
    expect((await team.scrape({ url })).status).toBe(200);
  });

  test("may be answered from what others had cached", async () => {
    const team = await makeTeam(world);
    await team.scrape({ url });
    const { body } = await team.scrape({ url, zeroDataRetention: true });
    expect(body.data.metadata).toMatchObject({ cacheState: "hit", creditsUsed: 2 });
    expect(world.site.hits(path)).toHaveLength(1);
  });
});

describe("language models", () => {
  const ask = () => ({ type: "question", question: `What is said of ${marker}?` });

  test("of a usual scrape are asked, and what they were sent is in no log", async () => {
    const team = await makeTeam(world);
    const { body } = await team.scrape({ url, maxAge: 0, formats: [ask()] });
    expect(body.data).toMatchObject({
      answer: "It says so.",
      metadata: { answeredBy: ["question: double"] },
    });
    expect(double.requests.at(-1)?.body).toContain(marker);
    expect(await traces()).toEqual(expect.arrayContaining([expect.stringMatching(/^pergamon\.db/)]));
    expect(logged).not.toMatch(/Answer a question|What is said of|It says so/);
  });

  const everything = () => ({
    url,
    formats: [
      "markdown",
      "summary",
      "menu",
      ask(),
      { type: "highlights", query: marker },
      { type: "json", prompt: `What is ${marker}?` },
    ],
    onlyCleanContent: true,
    checkPromptInjection: true,
    redactPII: { mode: "aggressive" },
  });

  test("see nothing of a page under zero data retention, and nothing is left", async () => {
    const team = await makeTeam(world);
    const asked = double.requests.length;
    const { body } = await team.scrape({ ...everything(), zeroDataRetention: true });
    expect(double.requests).toHaveLength(asked);
    expect(body.data.metadata).not.toHaveProperty("answeredBy");
    expect(body.data.warning).toContain("Query mode is not supported with zero data retention.");
    expect(await traces()).toEqual([]);
  });

  test("see nothing of a page in lockdown", async () => {
    const team = await makeTeam(world);
    expect((await team.scrape({ url })).status).toBe(200);
    const asked = double.requests.length;
    const { status, body } = await team.scrape({ ...everything(), lockdown: true });
    expect([status, body.data.metadata.cacheState]).toEqual([200, "hit"]);
    expect(double.requests).toHaveLength(asked);
  });
});

test("A77 an agent without retention answers from memory, with its thread, trace and snapshots, and leaves no trace", async () => {
  const team = await makeTeam(world, { credits: 50 });
  const agents = new AgentClient(world, team.headers);
  const read = JSON.stringify({ tool: "scrape", input: { url } });
  const end = JSON.stringify({ tool: "done", input: { answer: { word: marker }, sources: [url] } });
  double.says([{ reply: (asked) => ({ text: asked.includes("There are no results yet") ? read : end }) }]);
  const body = { prompt: `What of ${marker}?`, zeroDataRetention: true };
  const ended = await agents.run(body);
  expect(ended).toMatchObject({ status: "completed", data: { word: marker }, sources: [url] });
  const [place] = ended.citations["word"] ?? [];
  const snapshot = await agents.ask(`GET /v2/agent/${ended.jobId}/snapshots/${place?.snapshotId}`);
  expect(snapshot.body.snapshot).toContain(marker);
  expect((await agents.ask(`GET /v2/agent/${ended.jobId}/trace`)).body.events.length).toBeGreaterThan(5);
  const { threadId } = ended;
  expect(await agents.run({ ...body, threadId })).toMatchObject({ threadId, threadTurn: 2 });
  const usual = await agents.ask("POST /v2/agent", { prompt: "And now?", threadId });
  expect([usual.status, usual.body.error]).toEqual([
    400,
    expect.stringMatching(/differ in zero data retention/),
  ]);
  expect((await agents.ask("GET /v2/agent")).body.agents).toEqual([]);
  expect(await traces()).toEqual([]);
});

test("C-38 a name that does not resolve costs nothing", async () => {
  const team = await makeTeam(world, { credits: 5 });
  const { body } = await team.scrape({ url: `http://www.${marker}.test/` });
  expect(body.code).toBe("SCRAPE_DNS_RESOLUTION_ERROR");
  expect(await team.remaining()).toBe(5);
});

type Call = readonly [line: string, body: (url: string) => object];
const tool = (name: string, input: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: input },
});
const CALLS: readonly Call[] = [
  ["POST /v2/scrape", (page) => ({ url: page })],
  ["POST /v2/scrape", (page) => ({ url: page, waitFor: 1 })],
  ["POST /v2/scrape", (page) => ({ url: page, formats: ["links", "branding"], mobile: true })],
  ["POST /v2/batch/scrape", (page) => ({ urls: [page, page], webhook: "http://127.0.0.9:1/" })],
  ["POST /v2/map", (page) => ({ url: page })],
  ["POST /v2/search", (page) => ({ query: page, includeDomains: [new URL(page).hostname] })],
  ["POST /v2/extract", (page) => ({ urls: [page], prompt: "What is it?" })],
  ["POST /v2/agent", (page) => ({ prompt: "What is it?", urls: [page] })],
  [
    "POST /v2/monitor",
    (page) => ({ name: "n", schedule: { text: "daily" }, targets: [{ type: "scrape", urls: [page] }] }),
  ],
  ["POST /v1/scrape", (page) => ({ url: page })],
  ["POST /v1/batch/scrape", (page) => ({ urls: [page] })],
  ["POST /v1/map", (page) => ({ url: page })],
  ["POST /mcp", (page) => tool("scrape", { url: page })],
  ["POST /mcp", (page) => tool("map", { url: page })],
  ["POST /mcp", (page) => tool("batch", { urls: [page] })],
];
/** A host whose robots.txt cannot be read is asked again for a minute. */
const CRAWLS: readonly Call[] = [
  ["POST /v2/crawl", (page) => ({ url: page, limit: 3 })],
  ["POST /v1/crawl", (page) => ({ url: page, limit: 3 })],
  ["POST /mcp", (page) => tool("crawl", { url: page, options: { limit: 3 } })],
];

describe.each<readonly [string, () => string, readonly Call[]]>([
  ["that answers", () => `http://${marker}.here.test:${new URL(url).port}${path}`, [...CALLS, ...CRAWLS]],
  ["that refuses connections", () => `http://${marker}.here.test:1/`, CALLS],
  ["that is not found", () => `http://${marker}.test/`, [...CALLS, ...CRAWLS]],
])("the name of a host %s is told nowhere under zero data retention", (_name, address, calls) => {
  test.each(calls)("by %s", async (line, body) => {
    const team = await makeTeam(world, { credits: 1000, flags: { zeroDataRetention: "forced" } });
    const client = new RunClient(world, team.headers);
    const { body: answer } = await client.ask(line, body(address()));
    if (/crawl|batch/.test(line)) await client.ended(`${line.slice("POST ".length)}/${answer.id}`);
    expect(await traces()).toEqual([]);
  });
});

test("A45 lockdown leaves no trace, and asks no name server", async () => {
  const team = await makeTeam(world);
  const asked = questions.length;
  const { status } = await team.scrape({ url: `http://www.${marker}.test/${marker}`, lockdown: true });
  expect(status).toBe(404);
  expect(questions.length).toBe(asked);
  const { body } = await world.get("/v2/team/activity", team.headers);
  expect(body.data).toEqual([]);
  expect(await traces()).toEqual([]);
});

test.each<readonly [string, object, string]>([
  [
    "summary",
    { formats: ["markdown", "summary"] },
    "Summary mode is not supported with zero data retention.",
  ],
  [
    "json",
    { formats: ["markdown", { type: "json", prompt: "What is it about?" }] },
    "JSON mode is not supported with zero data retention.",
  ],
  [
    "changeTracking",
    { formats: ["markdown", "changeTracking"] },
    "Change tracking is not supported with zero data retention.",
  ],
])(
  "A53 C-40 zero data retention leaves %s out, with a warning and without its price",
  async (field, options, warning) => {
    const team = await makeTeam(world, { credits: 5 });
    const { status, body } = await team.scrape({ url, zeroDataRetention: true, ...options });
    expect([status, body.data.warning]).toEqual([200, warning]);
    expect(body.data.markdown).toContain(marker);
    expect(body.data).not.toHaveProperty(field);
    expect(body.data.metadata.creditsUsed).toBe(2);
    expect(await team.remaining()).toBe(3);
    expect(await traces()).toEqual([]);
  },
);

test("A53 zero data retention leaves nothing of page data, nor of what was redacted, anywhere", async () => {
  const team = await makeTeam(world);
  const name = `Product ${marker}`;
  const offer = { "@type": "Offer", price: "24.50", priceCurrency: "EUR" };
  const sold = JSON.stringify({ "@type": "Product", name, sku: marker, offers: offer });
  const body = `<main><h1>${name}</h1><p>Write to ${marker}@shop.test. €24.50</p><button>Add to cart</button></main>`;
  world.site.page(path, htmlPage(`${body}<script type="application/ld+json">${sold}</script>`));
  const formats = ["markdown", "product", "menu", { type: "changeTracking", modes: ["git-diff"] }];
  for (const redactPII of [true, { replaceStyle: "mask" }]) {
    const { status, body: answer } = await team.scrape({ url, formats, redactPII, zeroDataRetention: true });
    expect([status, answer.data.product?.variants[0]?.sku]).toEqual([200, marker]);
    expect(answer.data.markdown).not.toContain(`${marker}@shop.test`);
    expect(await traces()).toEqual([]);
  }
  // What is asked for next has no earlier version to differ from.
  const next = await team.scrape({ url, formats });
  expect(next.body.data.changeTracking).toMatchObject({ changeStatus: "new", previousScrapeAt: null });
  expect((await traces()).length).toBeGreaterThan(0);
});

test.each<readonly [string, object]>([
  ["audio", { formats: ["audio"] }],
  ["screenshot", { formats: ["screenshot"] }],
  ["screenshot", { actions: [{ type: "screenshot" }] }],
  ["pdf", { actions: [{ type: "pdf" }] }],
  ["profile", { profile: { name: "ann" } }],
])("A53 zero data retention is violated by %s: %j", async (feature, options) => {
  const team = await makeTeam(world, { credits: 5 });
  const { status, body } = await team.scrape({ url, zeroDataRetention: true, ...options });
  expect([status, body.code]).toEqual([400, "SCRAPE_ZDR_VIOLATION_ERROR"]);
  expect(body.error).toMatch(
    `The feature "${feature}" is not available when using Zero Data Retention (ZDR) mode.`,
  );
  expect(world.site.hits(path)).toEqual([]);
  expect(await team.remaining()).toBe(5);
  expect(await traces()).toEqual([]);
});

// Last, because they start a browser, whose folder is searched then, too.
describe("A53 zero data retention of a browser", () => {
  const keep = `
    localStorage.setItem("MARKER", "MARKER"); sessionStorage.setItem("a", "MARKER");
    document.cookie = "a=MARKER; max-age=3600";
    const cache = await caches.open("MARKER"); await cache.put("/MARKER/cached", new Response("MARKER"));
    await new Promise((done) => { const opening = indexedDB.open("MARKER"); opening.onupgradeneeded = () =>
      opening.result.createObjectStore("s").add("MARKER", 1); opening.onsuccess = done; });
    history.pushState({}, "", "/MARKER/pushed"); console.error("MARKER"); return "MARKER";`;
  const download = `const link = document.createElement("a"); link.download = "MARKER.txt";
    link.href = URL.createObjectURL(new Blob(["MARKER"])); link.click(); await new Promise((done) => setTimeout(done, 300));`;

  test.each<readonly [string, object, number]>([
    ["a wait", { waitFor: 1 }, 200],
    ["a phone", { mobile: true }, 200],
    [
      "actions",
      {
        formats: ["markdown", "html", "rawHtml", "links", "images"],
        actions: [
          { type: "wait", selector: "h1" },
          {
            type: "executeJavascript",
            script: "document.querySelector('main').prepend(document.createElement('input'))",
          },
          { type: "click", selector: "input" },
          { type: "write", text: "MARKER" },
          { type: "press", key: "Enter" },
          { type: "scroll" },
          { type: "scrape" },
          { type: "executeJavascript", script: `return (async () => {${keep}})()` },
        ],
      },
      200,
    ],
    [
      "a download",
      { actions: [{ type: "executeJavascript", script: `return (async () => {${download}})()` }] },
      200,
    ],
    ["an action that fails", { actions: [{ type: "click", selector: "#MARKER" }] }, 500],
    [
      "a script that fails",
      { actions: [{ type: "executeJavascript", script: "throw new Error('MARKER')" }] },
      500,
    ],
    ["a time that is too short", { waitFor: 600, timeout: 1200, headers: { "x-a": "MARKER" } }, 408],
    ["a profile that is only read", { profile: { name: "MARKER", saveChanges: false } }, 200],
  ])(
    "with %s leaves no trace",
    async (_name, options, wanted) => {
      const team = await makeTeam(world);
      const marked = JSON.parse(JSON.stringify(options).replaceAll("MARKER", marker)) as object;
      const slow = wanted === 408 ? slowPage() : url;
      const { status, body } = await team.scrape({ url: slow, zeroDataRetention: true, ...marked });
      expect([status, body.success]).toEqual([wanted, wanted === 200]);
      expect(await traces()).toEqual([]);
    },
    120_000,
  );

  function slowPage(): string {
    return world.site.page(`${path}/slow`, (_request, response) => {
      response.write(`<h1>${marker}</h1>`);
    });
  }
});

test("an operator who turns it off allows it to single teams", async () => {
  const strict = await openWorld({ ...KEYED, ZERO_DATA_RETENTION: "off" });
  const target = strict.site.page("/page", htmlPage("<h1>Page</h1>"));
  const [usual, chosen] = [
    await makeTeam(strict, { credits: 9 }),
    await makeTeam(strict, { credits: 9, flags: { zeroDataRetention: "allowed" } }),
  ];
  const request = { url: target, zeroDataRetention: true };
  expect([(await usual.scrape(request)).status, (await chosen.scrape(request)).status]).toEqual([403, 200]);
  expect((await usual.scrape({ url: target })).status).toBe(200);
  await strict.close();
});
