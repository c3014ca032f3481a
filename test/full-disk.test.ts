import { afterAll, beforeAll, expect, test } from "vitest";

import { testFolder } from "../packages/kit/src/test-folder.suite.ts";
import { makeTeam, operate, type SoakService, startSoakService } from "./service-process.ts";
import { build, builtProgram } from "./built.ts";
import { openSite } from "./site.ts";

/** No file may grow beyond 2400 KiB: for the database that is like a disk that is full. */
const SMALL_DISK = ["bash", "-c", 'ulimit -f 2400; exec "$0" "$@"'];
const MAX_SCRAPES = 600;

const dataDir = testFolder();
const services: SoakService[] = [];

beforeAll(async () => {
  await build();
}, 120_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
});

async function start(launcher: readonly string[] = []): Promise<SoakService> {
  const service = await startSoakService({ command: builtProgram, dataDir, launcher });
  services.push(service);
  return service;
}

interface Ledger {
  readonly data: readonly { readonly id: string; readonly to: string; readonly amount: number }[];
}

test("M20 with a full disk nothing is done that cannot be charged, and nothing is lost", async () => {
  const site = await openSite();
  const url = site.page("/page", "<h1>Page</h1>");
  const full = await start(SMALL_DISK);
  const team = await makeTeam(full.url, { name: "team", credits: 10_000 });
  const headers = { authorization: `Bearer ${team.apiKey}` };
  const scrape = async (base: string, request: object) => {
    const response = await fetch(`${base}/v2/scrape`, {
      method: "POST",
      headers,
      body: JSON.stringify(request),
    });
    const { data, code } = (await response.json()) as {
      readonly data?: { readonly metadata: { readonly scrapeId: string } };
      readonly code?: string;
    };
    return {
      status: response.status,
      code,
      id: data?.metadata.scrapeId,
      retryAfter: response.headers.get("retry-after"),
    };
  };

  const started = await fetch(`${full.url}/v2/batch/scrape`, {
    method: "POST",
    headers,
    body: JSON.stringify({ urls: [url, `${url}?2`] }),
  });
  const { id: batchId } = (await started.json()) as { readonly id: string };
  const batch = `${full.url}/v2/batch/scrape/${batchId}`;
  const state = async () => (await (await fetch(batch, { headers })).json()) as object;
  await expect.poll(state, { timeout: 20_000 }).toMatchObject({ status: "completed", completed: 2 });
  const exported = async () => {
    const response = await fetch(`${batch}/export`, { headers });
    return { status: response.status, lines: (await response.text()).split("\n").length };
  };

  const answered: string[] = [];
  let refused: Awaited<ReturnType<typeof scrape>> | undefined;
  for (let count = 0; count < MAX_SCRAPES && !refused; count += 1) {
    const answer = await scrape(full.url, { url });
    if (answer.id === undefined) refused = answer;
    else answered.push(answer.id);
  }
  expect(refused).toMatchObject({
    status: 503,
    code: "billing_unavailable",
    retryAfter: expect.stringMatching(/^\d+$/),
  });
  // A little may still fit in.
  const visits: number[] = [];
  while (visits.length < 20) {
    const before = site.hits("/page").length;
    const fresh = await scrape(full.url, { url, maxAge: 0 });
    // Neither the charge nor the page can be written: which of them is missed first depends on what still fits in.
    expect([fresh.status, fresh.code]).toEqual([
      503,
      expect.stringMatching(/^(billing_unavailable|OVERLOADED)$/),
    ]);
    visits.push(site.hits("/page").length - before);
  }
  expect(visits.slice(-10)).toEqual(Array.from({ length: 10 }, () => 0));
  // What is stored is read whole.
  expect(await exported()).toEqual({ status: 200, lines: 3 });
  expect((await fetch(`${full.url}/healthz`)).status).toBe(200);
  expect((await fetch(`${full.url}/readyz`)).status).toBe(503);
  await full.kill();

  const again = await start();
  expect(await scrape(again.url, { url, maxAge: 0 })).toMatchObject({ status: 200 });
  const { data } = (await operate(again.url, `teams/${team.teamId}/ledger?limit=1000`)) as Ledger;
  const charged = data.filter(({ to }) => to === "used").map(({ id }) => id);
  expect(charged).toEqual(expect.arrayContaining(answered));
  // The pages of the batch, and the last one.
  expect(charged).toHaveLength(answered.length + 3);
  await site.close();
}, 120_000);
