import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { makeTeam, operate, type SoakService, startSoakService } from "./service-process.ts";
import {
  findPostgres,
  type PostgresServer,
  startPostgres,
} from "../packages/server/src/storage/database/postgres-server.suite.ts";
import { build, builtProgram } from "./built.ts";
import { RunClient } from "./runs.ts";
import { htmlPage, openSite, type Site } from "./site.ts";

const programs = findPostgres();
const SECRET_KEY = randomBytes(32).toString("base64");
const KILLS = 3;
const PAGES = 60;
const CREDITS = 500;

describe.runIf(programs)("two machines over Postgres", () => {
  const folder = testFolder();
  let database: PostgresServer;
  let site: Site;
  let services: [SoakService, SoakService];

  /** With a folder of its own: only the database and the blobs are shared. */
  function start(name: string): Promise<SoakService> {
    const settings = {
      DATABASE_URL: database.url("machines"),
      BLOBS_URL: `file:${join(folder, "blobs")}`,
      SECRET_KEY,
      HOST_CONCURRENCY: "10",
    };
    return startSoakService({ command: builtProgram, dataDir: join(folder, name), settings });
  }

  beforeAll(async () => {
    await build();
    database = await startPostgres(programs ?? "");
    site = await openSite();
    services = await Promise.all([start("one"), start("other")]);
  }, 120_000);

  afterAll(async () => {
    await Promise.all(services.map((service) => service.kill()));
    await database.stop();
    await site.close();
  });

  async function scrape(service: SoakService, apiKey: string, request: object) {
    const response = await fetch(`${service.url}/v2/scrape`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}` },
      body: JSON.stringify(request),
    });
    return response.status;
  }

  async function entriesOf(service: SoakService, teamId: string): Promise<number> {
    const ledger = (await operate(service.url, `teams/${teamId}/ledger?limit=1000`)) as {
      readonly data: readonly { readonly to: string }[];
    };
    return ledger.data.filter(({ to }) => to === "used").length;
  }

  test("never answer for more credits than there are", async () => {
    const url = site.page("/page", htmlPage("<main><h1>Page</h1></main>"));
    const { apiKey, teamId } = await makeTeam(services[0].url, { name: "team", credits: 5 });
    const statuses = await Promise.all(
      Array.from({ length: 50 }, (_request, index) =>
        scrape(services[index % 2] as SoakService, apiKey, { url, ...(index % 4 < 2 && { maxAge: 0 }) }),
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 402)).toHaveLength(45);
    expect(await entriesOf(services[1], teamId)).toBe(5);
  }, 120_000);

  test("what one is told about keys and credits holds in the other", async () => {
    const [one, other] = services;
    const url = site.page("/told", htmlPage("<main><h1>Told</h1></main>"));
    const { apiKey, teamId } = await makeTeam(one.url, { name: "team", credits: 1 });
    expect(await scrape(other, apiKey, { url })).toBe(200);
    expect(await scrape(other, apiKey, { url })).toBe(402);
    await operate(one.url, `teams/${teamId}/credits`, { add: 5 });
    await expect.poll(() => scrape(other, apiKey, { url })).toBe(200);
    await operate(one.url, `teams/${teamId}`, undefined, "DELETE");
    await expect.poll(() => scrape(other, apiKey, { url })).toBe(401);
  }, 120_000);

  test("keep the limits of a team together", async () => {
    const limits = { concurrency: 3, requestsPerMinute: 20 };
    const { apiKey } = await makeTeam(services[0].url, { name: "team", limits });
    let running = 0;
    let most = 0;
    const url = site.page("/limited", (_request, response) => {
      running += 1;
      most = Math.max(most, running);
      setTimeout(() => {
        running -= 1;
        response.end(htmlPage("<main><h1>Limited</h1></main>"));
      }, 100);
    });
    const statuses = await Promise.all(
      Array.from({ length: 32 }, (_request, index) =>
        scrape(services[index % 2] as SoakService, apiKey, { url: `${url}?${index}`, maxAge: 0 }),
      ),
    );
    const passed = statuses.filter((status) => status === 200).length;
    // One more passes each three seconds, which the last may come late by.
    expect([20, 21, 22]).toContain(passed);
    expect(statuses.filter((status) => status === 429)).toHaveLength(32 - passed);
    expect(most).toBe(limits.concurrency);
  }, 120_000);

  test("keep the delay together that a site asks of crawls", async () => {
    const polite = await openSite();
    const beganMs: number[] = [];
    const paths = Array.from({ length: 6 }, (_, index) => `/polite/${index}`);
    const links = paths.map((path) => `<a href="${path}">${path}</a>`).join(" ");
    for (const path of ["/polite", ...paths])
      polite.page(path, (_request, response) => {
        beganMs.push(performance.now());
        response.end(htmlPage(`<main><h1>${path}</h1>${links}</main>`));
      });
    polite.page("/robots.txt", (_request, response) => response.end("User-agent: *\nCrawl-delay: 0.4"));
    const runs = await Promise.all(
      services.map(async ({ url }) => {
        const { apiKey } = await makeTeam(url, { name: "team" });
        const client = new RunClient({ baseUrl: url }, { authorization: `Bearer ${apiKey}` });
        const scrapeOptions = { maxAge: 0 };
        const body = { url: polite.url("/polite"), sitemap: "skip", scrapeOptions };
        return { client, id: (await client.ask("POST /v2/crawl", body)).body.id };
      }),
    );
    for (const { client, id } of runs) expect((await client.ended(`/v2/crawl/${id}`)).completed).toBe(7);
    expect(beganMs).toHaveLength(14);
    // Each for itself would need half as long.
    expect((beganMs.at(-1) ?? 0) - (beganMs[0] ?? 0)).toBeGreaterThan(12 * 400);
    await polite.close();
  }, 120_000);

  test("a batch of which machines and the database are killed is whole, and paid once", async () => {
    const { apiKey, teamId } = await makeTeam(services[1].url, { name: "team", credits: CREDITS });
    const urls = Array.from({ length: PAGES }, (_, index) =>
      site.page(`/slow/${index}`, (_request, response) => {
        setTimeout(() => response.end(htmlPage(`<main><h1>${index}</h1></main>`)), 200).unref();
      }),
    );
    const headers = { authorization: `Bearer ${apiKey}` };
    const runs = () => new RunClient({ baseUrl: services[1].url }, headers);
    const id = await runs().batch({ urls, maxAge: 0 });
    for (let kill = 0; kill < KILLS; kill += 1) {
      await pause(500);
      await services[0].kill();
      if (kill === 1) {
        await database.crash();
        await database.start();
      }
      services[0] = await start("one");
    }
    const done = await runs().endedBatch(id);
    expect(done).toMatchObject({ status: "completed", completed: PAGES, creditsUsed: PAGES });
    const documents = await runs().all(`/v2/batch/scrape/${id}`);
    expect(new Set(documents.map(({ metadata }) => metadata.sourceURL))).toEqual(new Set(urls));
    expect(documents).toHaveLength(PAGES);
    expect(await entriesOf(services[0], teamId)).toBe(PAGES);
  }, 240_000);
});
