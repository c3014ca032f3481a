import { startFixture } from "./fixture.ts";
import { processTree } from "../../test/process-tree.ts";
import { startService } from "./processes.ts";
import type { Figure } from "./report.ts";

const REQUESTS_OF_PAGE = 100;
const WARM_UP = 5;
const PAGES = 10;
const ROUNDS = 8;
/** Source: the speed goals of the browser engine. */
const LIMIT_PERCENT = 5;

/** What looking for advertisements costs on a page that has none. */
export async function benchAdBlocking(): Promise<readonly Figure[]> {
  const paths = Array.from({ length: REQUESTS_OF_PAGE }, (_, index) => `/part-${index}.js`);
  const parts = Object.fromEntries(paths.map((path) => [path, "window.loaded = (window.loaded || 0) + 1;"]));
  const words = "<p>Words of a page that is long enough to count.</p>".repeat(60);
  const page = `<!doctype html><h1>Page</h1>${words}${paths.map((path) => `<script src="${path}"></script>`).join("")}`;
  const fixture = await startFixture({ "/page": page, ...parts });
  const service = await startService();
  const tree = processTree(service.pid);
  const cpuMsWith = async (blockAds: boolean, pages: number) => {
    const before = tree.cpuMs();
    for (let number = 0; number < pages; number += 1) {
      await scrape(service.url, { url: `${fixture.url}/page`, blockAds, maxAge: 0, waitFor: 1 });
    }
    return tree.cpuMs() - before;
  };
  try {
    await cpuMsWith(true, WARM_UP);
    const sums = { blocking: 0, plain: 0 };
    for (let round = 0; round < ROUNDS; round += 1) {
      // The order changes, so that a machine that gets busier or idler favours neither.
      const order = round % 2 === 0 ? (["blocking", "plain"] as const) : (["plain", "blocking"] as const);
      for (const kind of order) sums[kind] += await cpuMsWith(kind === "blocking", PAGES);
    }
    return [figureOf(sums.blocking, sums.plain)];
  } finally {
    await Promise.all([service.stop(), fixture.stop()]);
  }
}

async function scrape(serviceUrl: string, body: object): Promise<void> {
  const response = await fetch(`${serviceUrl}/v2/scrape`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
}

function figureOf(blocking: number, plain: number): Figure {
  const percent = (blocking / plain - 1) * 100;
  const perPage = (blocking / (PAGES * ROUNDS)).toFixed(0);
  return {
    name: `blockAds on a page with ${REQUESTS_OF_PAGE} requests: processor time`,
    value: `${percent >= 0 ? "+" : ""}${percent.toFixed(1)} % (${perPage} ms)`,
    limit: `+${LIMIT_PERCENT} %`,
    isMet: percent <= LIMIT_PERCENT,
  };
}
