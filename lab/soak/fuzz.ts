import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { addFuzzPages } from "../../test/fuzz-pages.ts";
import { fuzzRequests } from "../../test/fuzzed-requests.ts";
import { openSite } from "../../test/site.ts";
import { startSoakService } from "../../test/service-process.ts";

/** Of the test come seeds below. */
const FIRST_SEED = 1_000_000;
/** Without a browser that answers: waiting for pages is not part of this. */
const SETTINGS = { AUTH: "open", TEAM_CONCURRENCY: "off", BROWSER_URLS: "ws://127.0.0.1:1" };

interface FuzzOrder {
  readonly requests: number;
  readonly command: readonly string[];
}

/** Sends a running service bodies made at random. @returns what it answered, and what should not be. */
export async function fuzzService({ requests, command }: FuzzOrder): ReturnType<typeof fuzzRequests> {
  const dataDir = await mkdtemp(join(tmpdir(), "fuzz-"));
  const site = await openSite();
  const service = await startSoakService({ command, dataDir, settings: SETTINGS });
  try {
    const pages = addFuzzPages(site);
    const sent = { baseUrl: service.url, pages, firstSeed: FIRST_SEED, count: requests };
    const report = await fuzzRequests(sent);
    await service.stop();
    return report;
  } finally {
    await site.close();
    await service.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}
