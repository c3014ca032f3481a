import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { startFixture } from "./fixture.ts";
import { runLoad } from "./load.ts";
import { articlePage } from "./page.ts";
import { type ServerProcess, startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const SEARCHES = 1000;
const SCRAPES = 4000;
/** Runs alternate, so that noise of the machine meets both versions. */
const ROUNDS = 3;
const CONNECTIONS = 4;
const PAGE_BYTES = 10_000;
const RESULTS = Array.from({ length: 10 }, (_, index) => ({
  url: `https://site-${index}.test/pages/${index}`,
  title: `Result ${index} of a search`,
  content: `What an engine says of the page behind result ${index}, in a sentence or two. `.repeat(2),
}));

/** What the service spends on a search in addition to its engine, and on speaking version 1. */
export async function benchSearchAnswers(): Promise<readonly Figure[]> {
  const engine = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ results: RESULTS }));
  });
  await new Promise<void>((resolve) => engine.listen(0, "127.0.0.1", resolve));
  const { port } = engine.address() as AddressInfo;
  const fixture = await startFixture({ "/page": articlePage(PAGE_BYTES) });
  const service = await startService({ SEARCH_URL: `searxng+http://127.0.0.1:${port}` });
  try {
    const search = { path: "/v2/search", body: JSON.stringify({ query: "harbour of Elmstad", limit: 10 }) };
    // Version 1 takes nothing from the cache by default.
    const scrape = JSON.stringify({ url: `${fixture.url}/page`, maxAge: 86_400_000 });
    const searchMs = await costOf(service, search, SEARCHES);
    const versions: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const second = await costOf(service, { path: "/v2/scrape", body: scrape }, SCRAPES);
      versions.push((await costOf(service, { path: "/v1/scrape", body: scrape }, SCRAPES)) - second);
    }
    const version1Ms = versions.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
    return [
      figureOf("a search of ten results, its engine's request included, CPU", searchMs, 3),
      figureOf("version 1 beyond version 2, a cached scrape, CPU", version1Ms, 0.1),
    ];
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
    engine.closeAllConnections();
    engine.close();
  }
}

/** Processor time of the service for a request, once it is warm. */
async function costOf(
  service: ServerProcess,
  { path, body }: { readonly path: string; readonly body: string },
  requests: number,
): Promise<number> {
  const load = { url: `${service.url}${path}`, body, connections: CONNECTIONS };
  await runLoad({ ...load, requests: requests / 4 });
  const before = service.cpuMs();
  await runLoad({ ...load, requests });
  return (service.cpuMs() - before) / requests;
}

function figureOf(name: string, ms: number, limitMs: number): Figure {
  return { name, value: `${ms.toFixed(3)} ms`, limit: `${limitMs} ms`, isMet: ms <= limitMs };
}
