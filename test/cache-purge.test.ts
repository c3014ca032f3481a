import { beforeAll, expect, test } from "vitest";

import { KEYED, makeTeam, operate, type TestTeam } from "./operator.ts";
import { htmlPage } from "./site.ts";
import { useWorld } from "./use-world.ts";

const world = useWorld(KEYED);
let team: TestTeam;

beforeAll(async () => {
  team = await makeTeam(world);
});

const SECRET = "/page?token=s3cr3t-of-the-page";

/** Scrapes the page of a path. @returns the id of the request */
async function scrape(path: string): Promise<string> {
  const url = world.site.page(path, htmlPage("<main><h1>Page</h1><p>Words.</p></main>"));
  return (await team.scrape({ url })).body.data.metadata.scrapeId;
}

async function cached(): Promise<readonly { readonly id: string; readonly url: string }[]> {
  return (await operate(world, "GET cache")).body.data as never;
}

const purge = (body: object) => operate(world, "POST cache/purge", body);

test("a page whose address has a secret is purged by the id of a version or of a request, not by the address shown", async () => {
  await scrape("/other");
  await scrape(SECRET);
  const shown = (await cached()).find(({ url }) => url.includes("token"));
  expect(shown?.url).toMatch(/token=\*{3}$/);
  expect((await purge({ url: shown?.url })).body).toMatchObject({ removed: 0 });
  expect((await purge({ id: shown?.id })).body).toEqual({ success: true, removed: 1, isCut: false });

  const request = await scrape(SECRET);
  expect((await purge({ request })).body).toMatchObject({ removed: 1 });
  expect((await cached()).map(({ url }) => url)).toEqual([world.site.url("/other")]);
  for (const unknown of [{ id: shown?.id }, { request: "none" }])
    expect((await purge(unknown)).status).toBe(404);
});

test("all pages of a host go, its start page and those with a query alone, too", async () => {
  for (const path of ["/", "/?page=2", "/a/b"]) await scrape(path);
  const { host } = new URL(world.site.url("/"));
  expect((await purge({ host: "other.test" })).body).toMatchObject({ removed: 0 });
  expect((await purge({ host: "[" })).status).toBe(400);
  await purge({ host });
  expect(await cached()).toEqual([]);
});
