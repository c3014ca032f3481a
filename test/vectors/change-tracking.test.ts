import { setTimeout as pause } from "node:timers/promises";

import { FirecrawlClient } from "firecrawl";
import { beforeEach, describe, expect, test } from "vitest";

import { openBlobs } from "../../packages/server/src/storage/blobs/drivers.ts";
import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";
import { startModelDouble } from "../../packages/server/src/storage/models/model-double.suite.ts";
import { KEYED, type TestTeam, makeTeam, operate } from "../operator.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";
import { openWorld } from "../world.ts";

const world = useSharedWorld("keyed");
let count = 0;
let path: string;
let url: string;

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
  test("compares what both versions say when they are read with the options of today", async () => {
    const team = await makeTeam(world);
    says("Bread costs two coins.");
    expect((await track(team)).tracked).toMatchObject({ changeStatus: "new" });
    const narrowed = { includeTags: ["h1"] };
    expect((await track(team, {}, narrowed)).tracked).toMatchObject({ changeStatus: "same" });
    says("Bread costs three coins.");
    expect((await track(team)).tracked).toMatchObject({
      changeStatus: "changed",
      diff: expect.stringContaining("-Bread costs two coins.\n+Bread costs three coins."),
    });
  });

  test("compares with the text that was kept where the earlier capture is not", async () => {
    const team = await makeTeam(world);
    says("Milk costs one coin.");
    const unkept = { storeInCache: false };
    expect((await track(team, {}, unkept)).tracked).toMatchObject({ changeStatus: "new" });
    const narrowed = { includeTags: ["h1"], ...unkept };
    expect((await track(team, {}, narrowed)).tracked).toMatchObject({ changeStatus: "changed" });
  });

  test("in mode json tells the values for the schema in both versions, by rules for the base price", async () => {
    const team = await makeTeam(world);
    const json = {
      modes: ["json"],
      schema: { type: "object", properties: { title: { type: "string" }, price: { type: "number" } } },
    };
    says("<b>Price:</b> €10.00");
    expect((await track(team, json)).tracked).not.toHaveProperty("json");
    expect((await track(team, json)).tracked).not.toHaveProperty("json");
    says("<b>Price:</b> €12.50");
    const { tracked, body } = await track(team, json);
    expect(tracked).toMatchObject({
      changeStatus: "changed",
      json: { title: { previous: "Shop", current: "Shop" }, price: { previous: 10, current: 12.5 } },
    });
    expect(tracked).not.toHaveProperty("diff");
    expect(body.data.warning).toBe("Change tracking JSON was made without a language model.");
    expect(body.data.metadata).toMatchObject({ answeredBy: ["changeTracking: rules"], creditsUsed: 1 });
  });

  test("in mode json asks a model for both versions, and that is charged", async () => {
    const values = (price: number) => ({ say: { text: JSON.stringify({ title: "Shop", price }) } });
    const double = await startModelDouble("ollama", [
      { whileAsked: "€10.00", ...values(10) },
      { whileAsked: "€12.50", ...values(12.5) },
    ]);
    const model = { LLM_BASE_URL: double.url, LLM_MODEL: "double", LLM_API: "ollama" };
    const asking = await openWorld({ ...KEYED, ...model });
    try {
      const team = await makeTeam(asking);
      const schema = { type: "object", properties: { title: { type: "string" }, price: { type: "number" } } };
      const formats = ["markdown", { type: "changeTracking", modes: ["json"], schema }];
      says("The price is €10.00.");
      await team.scrape({ url, formats });
      says("The price is €12.50.");
      const { body } = await team.scrape({ url, formats });
      expect(body.data.changeTracking?.json).toEqual({
        title: { previous: "Shop", current: "Shop" },
        price: { previous: 10, current: 12.5 },
      });
      expect(body.data.metadata).toMatchObject({ answeredBy: ["changeTracking: double"], creditsUsed: 5 });
      expect(double.requests).toHaveLength(2);
    } finally {
      await asking.close();
      double.close();
    }
  });

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

  test.each([
    ["on the main thread", ""],
    ["on a thread of its own", "<p>More.</p>".repeat(8000)],
  ])(
    "shows nothing that redactPII takes out, also of what an earlier request kept: %s",
    async (_where, more) => {
      const team = await makeTeam(world);
      says(`Contact Jane Roe at jane.roe@example.com or come by.</p>${more}<p>.`);
      await track(team);
      const redacted = await track(team, {}, { redactPII: true });
      expect(redacted.tracked).toMatchObject({ changeStatus: "same" });
      await track(team);
      says(`We have moved.</p>${more}<p>.`);
      const { tracked, body } = await track(team, {}, { redactPII: true });
      expect(tracked).toMatchObject({ changeStatus: "changed" });
      expect(tracked?.diff).toContain("-Contact <PERSON> at <EMAIL> or come by.");
      expect(JSON.stringify(body)).not.toMatch(/Jane|Roe|jane\.roe/);
    },
  );

  test("in mode json reads no personal data of the earlier version where that is redacted", async () => {
    const team = await makeTeam(world);
    const schema = { type: "object", properties: { email: { type: "string" }, price: { type: "number" } } };
    says("<b>Email:</b> jane.roe@example.com</p><p><b>Price:</b> €10.00");
    await track(team, { modes: ["json"], schema });
    says("<b>Price:</b> €12.50");
    const { body } = await track(team, { modes: ["json"], schema }, { redactPII: true });
    expect(body.data.changeTracking).toMatchObject({ changeStatus: "changed" });
    expect(JSON.stringify(body)).not.toContain("jane.roe");
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

test("a version store that is locked for a while is waited for", async () => {
  const team = await makeTeam(world);
  says("Text of the page.");
  await track(team);
  const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
  says("Another text.");
  let meanwhile: ReturnType<typeof track> | undefined;
  await database.transaction(async (statements) => {
    await statements.prepared("DELETE FROM page_versions WHERE id = 'none'").run();
    meanwhile = track(team);
    await pause(800);
  });
  expect((await meanwhile)?.tracked).toMatchObject({ changeStatus: "changed" });
  await database.close();
  expect((await track(team)).tracked).toMatchObject({ changeStatus: "same" });
});

test("a version store that stays locked is a warning, and the scrape succeeds", async () => {
  const team = await makeTeam(world);
  says("Text of the page.");
  await track(team);
  const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
  const onlyOne = `page_versions (length(team_id)) WHERE team_id = '${team.teamId}'`;
  await database.prepared(`CREATE UNIQUE INDEX locked_versions ON ${onlyOne}`).run();
  says("Another text.");
  const { status, body, tracked } = await track(team);
  await database.prepared("DROP INDEX locked_versions").run();
  await database.close();
  expect([status, tracked?.changeStatus]).toEqual([200, "changed"]);
  expect(body.data.warning).toContain("This version could not be stored");
  expect((await track(team)).tracked).toMatchObject({ changeStatus: "changed" });
});

/** Deletes the kept texts of all versions, as a disk that lost them would. */
async function eraseTexts(): Promise<void> {
  const blobs = await openBlobs(`file:${world.dataDir}/blobs`);
  for await (const key of blobs.list("versions")) await blobs.delete(key);
  await blobs.close();
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

test("CHANGE_TRACKING_DIFF=object answers diffs as examples of the public service read them", async () => {
  const own = await openWorld({ CHANGE_TRACKING_DIFF: "object" });
  try {
    const official = new FirecrawlClient({ apiUrl: own.baseUrl, apiKey: "fc-test" });
    const formats = ["markdown", { type: "changeTracking", modes: ["git-diff"] }] as const;
    const page = (price: number) => own.site.page("/a", htmlPage(`<main><p>It costs ${price}.</p></main>`));
    const options = { options: { formats: [...formats], maxAge: 0 } };
    await official.batchScrape([page(10)], options);
    const { data } = await official.batchScrape([page(12)], options);
    expect(data[0]?.changeTracking?.["diff"]).toMatchObject({
      text: expect.stringContaining("-It costs 10."),
      json: { files: [expect.anything()] },
    });
  } finally {
    await own.close();
  }
});
