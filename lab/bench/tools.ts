import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openGuard } from "../../src/platform/net/guard/guard.ts";
import { parseEgressRules } from "../../src/platform/net/guard/egress-rules.ts";
import { ServiceCalls } from "../../src/platform/net/service-call.ts";
import { openResolver } from "../../src/platform/net/guard/resolver.ts";
import { Catalogue } from "../../src/tools/catalogue/catalogue.ts";
import { discover, DiscoverOptions } from "../../src/tools/discovery/discover.ts";
import { openSecretMask } from "../../src/tools/requests/secret-mask.ts";
import { readProviders } from "../../src/tools/providers-file.ts";
import { startFixture } from "./fixture.ts";
import { runLoad } from "./load.ts";
import { articlePage } from "./page.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const PAGE_BYTES = 100_000;
const WARM_UP = 500;
const REQUESTS = 3000;
const CONNECTIONS = 8;
const ADMIN_KEY = "operator-of-the-bench";
const FINDS = 50;
const MOUNTS = 50;
/** Nothing is called in this process. */
const guard = openGuard({ rules: parseEgressRules([]), resolver: openResolver({ servers: [] }) });
const SERVICES = {
  guard,
  calls: new ServiceCalls(guard),
  secrets: {},
  programPath: "",
  mask: openSecretMask([]),
  onNote: () => undefined,
};

/** What provider tools and the Model Context Protocol cost, in processor time of the service. */
export async function benchTools(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-tools-"));
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES), "/say": '{"said":true}' });
  const file = join(folder, "providers.json");
  await writeFile(file, JSON.stringify({ providers: [shop(fixture.url, "shop", 1)] }));
  const service = await startService({
    AUTH: "keys",
    ADMIN_KEY,
    RATE_LIMIT: "10000000",
    TEAM_CONCURRENCY: "50",
    PROVIDERS_FILE: file,
  });
  try {
    const loads = await measureLoads(service, fixture.url);
    const inProcess = [await benchFinding(folder), await benchMounting(folder)];
    return [...loads, ...inProcess.flat()];
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureLoads(service: ServerProcess, site: string): Promise<readonly Figure[]> {
  const headers = { authorization: `Bearer ${await makeTeam(service.url)}` };
  const call = JSON.stringify({
    alexandria: { provider: "shop", capability: "tool-0", options: { word: "a" } },
  });
  const scrape = { url: `${site}/page` };
  const inMcp = { name: "scrape", arguments: scrape };
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: inMcp });
  const measure = (path: string, body: string, more: Readonly<Record<string, string>> = {}) =>
    cpuMs(service, { path, body, headers: { ...headers, ...more } });
  const cached = await measure("/v2/scrape", JSON.stringify(scrape));
  const called = await measure("/v2/scrape", call);
  const bareMs = await bareCallMs(new URL("/say", site));
  const replayed = await measure("/v2/scrape", call, { "x-request-id": "of-the-bench" });
  const spoken = await measure("/mcp", message);
  return [
    figure(`a provider call beyond its request (${bareMs.toFixed(2)} ms), CPU`, called - bareMs, 2),
    ratio("an answer given again, against a cached scrape, CPU", [replayed, cached], 1.5),
    ratio("a cached scrape by /mcp, against /v2/scrape, CPU", [spoken, cached], 3),
  ];
}

/** What the request to the provider costs alone, by the same client, in this process. */
async function bareCallMs(url: URL): Promise<number> {
  const rules = parseEgressRules(["127.0.0.1"]);
  const calls = new ServiceCalls(openGuard({ rules, resolver: openResolver({ servers: [] }) }));
  const ask = () =>
    calls.call({ method: "GET", url, headers: {}, maxBytes: PAGE_BYTES }, AbortSignal.timeout(60_000));
  try {
    await inRounds(WARM_UP, ask);
    const before = process.cpuUsage();
    await inRounds(REQUESTS, ask);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000 / REQUESTS;
  } finally {
    await calls.close();
  }
}

/** As many at once as there are connections in the other measurements. */
async function inRounds(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done += CONNECTIONS) {
    await Promise.all(Array.from({ length: CONNECTIONS }, work));
  }
}

interface Run {
  readonly path: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

async function cpuMs(service: ServerProcess, { path, body, headers }: Run): Promise<number> {
  const load = { url: `${service.url}${path}`, body, headers };
  // One alone, so that there is something to give again.
  await runLoad({ ...load, connections: 1, requests: 1 });
  await runLoad({ ...load, connections: CONNECTIONS, requests: WARM_UP });
  const before = service.cpuMs();
  await runLoad({ ...load, connections: CONNECTIONS, requests: REQUESTS });
  return (service.cpuMs() - before) / REQUESTS;
}

async function makeTeam(url: string): Promise<string> {
  const response = await fetch(`${url}/admin/api/teams`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_KEY}` },
    body: JSON.stringify({ name: "bench", credits: 1_000_000_000, flags: { providerTools: true } }),
  });
  return ((await response.json()) as { readonly apiKey: string }).apiKey;
}

function shop(base: string, id: string, tools: number): object {
  const options = { type: "object", properties: { word: { type: "string" } } };
  const capabilities = Array.from({ length: tools }, (_, index) => ({
    id: `tool-${index}`,
    description: `Tells what number ${index} of the shop ${id} costs, and whether there are any left today.`,
    options,
    request: { path: "/say" },
  }));
  return { id, name: id, kind: "http", description: "Of the bench.", base, capabilities };
}

/** Among a thousand capabilities. */
async function benchFinding(folder: string): Promise<readonly Figure[]> {
  const file = join(folder, "many.json");
  const shops = Array.from({ length: 20 }, (_, index) => shop("http://a.test", `shop-${index}`, 50));
  await writeFile(file, JSON.stringify({ providers: shops }));
  const catalogue = new Catalogue([]);
  catalogue.replace(readProviders(file, SERVICES).map(({ provider }) => provider));
  const options = DiscoverOptions.parse({ query: "what does shop-7 have left", expand: "options" });
  for (let index = 0; index < FINDS; index += 1) await discover(options, catalogue);
  const before = process.cpuUsage();
  for (let index = 0; index < FINDS; index += 1) await discover(options, catalogue);
  const { user, system } = process.cpuUsage(before);
  return [figure("find-tools among 1,000 capabilities, CPU", (user + system) / 1000 / FINDS, 5)];
}

/** What a start does more with fifty mounts than with none: programs and documents are opened at first use. */
async function benchMounting(folder: string): Promise<readonly Figure[]> {
  const [few, many] = [join(folder, "few.json"), join(folder, "mounts.json")];
  const mounts = Array.from({ length: MOUNTS }, (_, index) => ({
    id: `mount-${index}`,
    name: "Mount",
    description: "Of the bench.",
    ...(index % 2 === 0
      ? { kind: "mcp", url: "http://a.test/mcp" }
      : { kind: "openapi", document: "http://a.test/openapi.json" }),
  }));
  await writeFile(few, JSON.stringify({ providers: [shop("http://a.test", "shop", 1)] }));
  await writeFile(many, JSON.stringify({ providers: mounts }));
  // What the service has loaded in any case for the providers that come along.
  readProviders(few, SERVICES);
  globalThis.gc?.();
  const before = { cpu: process.cpuUsage(), bytes: process.memoryUsage().heapUsed };
  const mounted = readProviders(many, SERVICES);
  const { user, system } = process.cpuUsage(before.cpu);
  const megabytes = (process.memoryUsage().heapUsed - before.bytes) / 1e6;
  return [
    figure(`${mounted.length} mounts at the start, CPU`, (user + system) / 1000, 5),
    {
      name: `${mounted.length} mounts at the start, memory`,
      value: `${megabytes.toFixed(2)} MB`,
      limit: "≤ 1 MB",
      isMet: megabytes <= 1,
    },
  ];
}

function figure(name: string, ms: number, limitMs: number): Figure {
  return { name, value: `${ms.toFixed(2)} ms`, limit: `≤ ${limitMs} ms`, isMet: ms <= limitMs };
}

function ratio(name: string, [ours, other]: readonly [number, number], limit: number): Figure {
  const value = `${(ours / other).toFixed(2)} (${ours.toFixed(2)} against ${other.toFixed(2)} ms)`;
  return { name, value, limit: `≤ ${limit}`, isMet: ours / other <= limit };
}
