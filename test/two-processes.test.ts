import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, test } from "vitest";

import { makeTeam, operate, type SoakService, startSoakService } from "../soak/service.ts";
import { build, builtProgram } from "./built.ts";
import { openSite, type Site } from "./site.ts";

let dataDir: string;
let site: Site;
let services: readonly SoakService[];

beforeAll(async () => {
  await build();
  dataDir = await mkdtemp(join(tmpdir(), "two-processes-"));
  site = await openSite();
  const start = () => startSoakService({ command: builtProgram, dataDir });
  services = await Promise.all([start(), start()]);
}, 120_000);

afterAll(async () => {
  await Promise.all(services.map((service) => service.kill()));
  await site.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function scrape(service: SoakService, apiKey: string, request: object) {
  const response = await fetch(`${service.url}/v2/scrape`, {
    method: "POST",
    headers: { authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(request),
  });
  const { data, code } = (await response.json()) as { readonly data?: object; readonly code?: string };
  return { status: response.status, code, isAnswered: data !== undefined };
}

test("M22 two services on one folder never answer for more credits than there are", async () => {
  const [one, other] = services as [SoakService, SoakService];
  const url = site.page("/page", "<h1>Page</h1>");
  for (let round = 0; round < 3; round += 1) {
    const { apiKey, teamId } = await makeTeam(one.url, { name: "team", credits: 20 });
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_request, index) =>
        scrape(index % 2 === 0 ? one : other, apiKey, { url, ...(index % 3 === 0 && { maxAge: 0 }) }),
      ),
    );
    expect(answers.filter(({ isAnswered }) => isAnswered)).toHaveLength(20);
    const refused = answers.filter(({ isAnswered }) => !isAnswered);
    for (const answer of refused) expect(answer).toMatchObject({ status: 402, code: "insufficient_credits" });
    const ledger = (await operate(other.url, `teams/${teamId}/ledger`)) as {
      readonly data: { readonly to: string }[];
    };
    expect(ledger.data.filter(({ to }) => to === "used")).toHaveLength(20);
  }
}, 60_000);

test("what one service is told about keys, credits and policies holds in the other at once", async () => {
  const [one, other] = services as [SoakService, SoakService];
  const url = site.page("/page", "<h1>Page</h1>");
  const { apiKey, teamId } = await makeTeam(one.url, { name: "team", credits: 1 });
  expect((await scrape(other, apiKey, { url })).status).toBe(200);
  expect((await scrape(other, apiKey, { url })).status).toBe(402);
  await operate(one.url, `teams/${teamId}/credits`, { add: 5 });
  expect((await scrape(other, apiKey, { url })).status).toBe(200);
  await operate(
    one.url,
    `teams/${teamId}`,
    { threatPolicy: { mode: "manual-only", blacklist: ["127.0.0.1"] } },
    "PATCH",
  );
  expect((await scrape(other, apiKey, { url })).code).toBe("unsafe_domain_blocked");
  await operate(one.url, `teams/${teamId}`, undefined, "DELETE");
  expect((await scrape(other, apiKey, { url })).status).toBe(401);
}, 60_000);
