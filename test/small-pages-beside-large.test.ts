import { beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { build, builtProgram } from "./built.ts";
import { startSoakService } from "./service-process.ts";
import { htmlPage, openSite } from "./site.ts";

const LARGE_BYTES = 20 * 1024 * 1024;
/** As many as come while the large page is read, but no more. */
const MAX_SMALL = 1000;
const MIN_SMALL = 30;
const ALONE = 100;
const MAX_WAIT_MS = 100;

beforeAll(build, 120_000);

test.runIf(process.platform === "linux")(
  "small pages wait no longer than 100 ms more while a page of 20 MB is read",
  async () => {
    const site = await openSite();
    const dataDir = testFolder();
    const settings = { AUTH: "open", LOG_LEVEL: "silent" };
    const service = await startSoakService({ command: builtProgram, dataDir, settings });
    try {
      const small = site.page("/small", htmlPage("<main><h1>Small</h1><p>Next to nothing.</p></main>"));
      const paragraph =
        "<p>Words of a page that is far too <a href='/x'>long</a>, <b>again</b> and again.</p>";
      const large = site.page("/large", htmlPage(paragraph.repeat(LARGE_BYTES / paragraph.length)));
      const scrape = async (url: string) => {
        const body = JSON.stringify({ url, maxAge: 0, storeInCache: false, timeout: 240_000 });
        const startedMs = performance.now();
        const answer = await fetch(`${service.url}/v2/scrape`, { method: "POST", body });
        expect([answer.status, (await answer.text()).slice(0, 15)]).toEqual([200, '{"success":true']);
        return performance.now() - startedMs;
      };
      const alone: number[] = [];
      for (let count = 0; count < ALONE; count += 1) alone.push(await scrape(small));

      const state = { isRead: false };
      const reading = scrape(large).finally(() => (state.isRead = true));
      const beside: number[] = [];
      while (!state.isRead && beside.length < MAX_SMALL) beside.push(await scrape(small));
      await reading;
      expect(beside.length).toBeGreaterThan(MIN_SMALL);
      expect(medianOf(beside) - medianOf(alone)).toBeLessThan(MAX_WAIT_MS);
    } finally {
      await Promise.all([service.stop(), site.close()]);
    }
  },
  300_000,
);

/** The machine is busy with other tests: single requests wait for those. */
function medianOf(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.POSITIVE_INFINITY;
}
