import { rm } from "node:fs/promises";

import { FirecrawlClient } from "firecrawl";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { openDatabase } from "../../src/platform/database/drivers.ts";
import { KEYED, type TestTeam, makeTeam, operate } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World;
let count = 0;
let path: string;
let url: string;

beforeAll(async () => {
  world = await openWorld(KEYED);
});

afterAll(() => world.close());

beforeEach(() => {
  count += 1;
  path = `/tracked-${count}`;
});

/** Puts a page there. */
function says(text: string, status = 200): void {
  const html = htmlPage(`<main><h1>Shop</h1><p>${text}</p><p>The shop opens at nine on all days.</p></main>`);
  url = world.site.page(path, (_request, response) => {
    response.writeHead(status, { "content-type": "text/html" }).end(html);
  });
}

async function track(team: TestTeam, options: object = {}, request: object = {}) {
  const formats = ["markdown", { type: "changeTracking", modes: ["git-diff"], ...options }];
  const { status, body } = await team.scrape({ url, formats, ...request });
  return { status, body, tracked: status === 200 ? body.data.changeTracking : undefined };
}

describe("A51 change tracking", () => {
  test("tells new, same, changed with the diff, removed, and changed when the page is back", async () => {
    const team = await makeTeam(world);
    says("An umbrella is 10 euro.");
    const first = await track(team);
    expect(first.tracked).toEqual({ previousScrapeAt: null, changeStatus: "new", visibility: "visible" });
    expect(first.body.data.metadata).toMatchObject({ creditsUsed: 1 });
    expect(first.body.data.metadata).not.toHaveProperty("cacheState");

    const same = await track(team);
    expect(same.tracked).toMatchObject({ changeStatus: "same" });
    expect(same.tracked).not.toHaveProperty("diff");
    expect(Date.parse(same.tracked?.previousScrapeAt ?? "")).toBeGreaterThan(Date.now() - 60_000);

    says("An umbrella is 12 euro.");
    const changed = await track(team);
    expect(changed.tracked).toMatchObject({
      changeStatus: "changed",
      diff: "@@ -1,5 +1,5 @@\n # Shop\n \n-An umbrella is 10 euro.\n+An umbrella is 12 euro.\n \n The shop opens at nine on all days.\n\\ No newline at end of file\n",
    });

    says("This page is gone.", 404);
    expect((await track(team)).tracked).toMatchObject({ changeStatus: "removed" });
    says("An umbrella is 12 euro.");
    expect((await track(team)).tracked).toMatchObject({ changeStatus: "changed" });
  });

  test("keeps tags, teams and URLs apart", async () => {
    const [team, other] = [await makeTeam(world), await makeTeam(world)];
    says("Text of the page.");
    await track(team);
    expect((await track(team, { tag: "daily" })).tracked).toMatchObject({ changeStatus: "new" });
    expect((await track(team, { tag: "daily" })).tracked).toMatchObject({ changeStatus: "same" });
    expect((await track(other)).tracked).toMatchObject({ changeStatus: "new" });
    expect((await track(team, {}, { url: `${url}?a=1` })).tracked).toMatchObject({ changeStatus: "new" });
  });

  test("without modes tells the status alone", async () => {
    const team = await makeTeam(world);
    says("One.");
    await track(team, { modes: [] });
    says("Two.");
    const { tracked } = await track(team, { modes: [] });
    expect(tracked).toMatchObject({ changeStatus: "changed" });
    expect(tracked).not.toHaveProperty("diff");
  });

  test("of a page that is missing from the start tells that it is removed", async () => {
    says("Nothing here.", 404);
    const { tracked } = await track(await makeTeam(world));
    expect(tracked).toMatchObject({ changeStatus: "removed", previousScrapeAt: null });
  });

  test("compares long pages on a thread", async () => {
    const team = await makeTeam(world);
    const lines = Array.from({ length: 3000 }, (_, at) => `Line ${at} of the page.`);
    says(lines.join("</p><p>"));
    await track(team, {}, { onlyMainContent: false });
    says(lines.with(1500, "Another line.").join("</p><p>"));
    const { tracked } = await track(team, {}, { onlyMainContent: false });
    expect(tracked?.diff).toContain("-Line 1500 of the page.\n+Another line.\n");
  });

  test("in mode json is not available yet, and takes no credits", async () => {
    const team = await makeTeam(world, { credits: 10 });
    says("Text.");
    const { status, body } = await track(team, { modes: ["git-diff", "json"] });
    expect({ status, code: body.code }).toEqual({ status: 501, code: "NOT_IMPLEMENTED" });
    expect(body.error).toBe("The json mode of the changeTracking format is not available yet.");
  });
});

test("a scrape that fails leaves no version", async () => {
  const team = await makeTeam(world);
  world.site.page(path, (_request, response) => response.socket?.destroy());
  url = world.site.url(path);
  expect((await track(team)).status).toBe(500);
  says("Now it is there.");
  expect((await track(team)).tracked).toMatchObject({ changeStatus: "new", previousScrapeAt: null });
});

test("two scrapes at once both succeed, and the next one compares with either", async () => {
  const team = await makeTeam(world);
  says("The same text.");
  const both = await Promise.all([track(team), track(team)]);
  expect(both.map(({ tracked }) => tracked?.visibility)).toEqual(["visible", "visible"]);
  expect((await track(team)).tracked).toMatchObject({ changeStatus: "same" });
});

test("a version that cannot be compared is a warning, and the scrape succeeds", async () => {
  const team = await makeTeam(world);
  says("Text of the page.");
  await track(team);
  await eraseTexts();
  const { status, body, tracked } = await track(team);
  expect({ status, tracked }).toEqual({ status: 200, tracked: undefined });
  expect(body.data.warning).toBe("Comparing failed, please try again later.");
  expect((await track(team)).tracked).toMatchObject({ changeStatus: "same" });
});

/** Deletes the kept texts of all versions, as a disk that lost them would. */
async function eraseTexts(): Promise<void> {
  await rm(`${world.dataDir}/blobs/versions`, { recursive: true, force: true });
}

test("a deleted team leaves no version", async () => {
  const team = await makeTeam(world);
  says("Text of the page.");
  await track(team);
  const rows = () => countOf(team.teamId);
  expect(await rows()).toBe(1);
  expect((await operate(world, `DELETE teams/${team.teamId}`)).status).toBe(200);
  expect(await rows()).toBe(0);
});

async function countOf(teamId: string): Promise<number> {
  const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
  const row = await database
    .prepared<{ count: number }>("SELECT count(*) AS count FROM page_versions WHERE team_id = ?")
    .get(teamId);
  await database.close();
  return row?.count ?? 0;
}

test("the official client reads it", async () => {
  const { headers } = await makeTeam(world);
  says("Text of the page.");
  const apiKey = headers.authorization.replace("Bearer ", "");
  const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey });
  const document = await client.scrape(url, {
    formats: ["markdown", { type: "changeTracking", modes: ["git-diff"] }],
  });
  expect(document.changeTracking).toMatchObject({ changeStatus: "new", visibility: "visible" });
});
