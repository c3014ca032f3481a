import { afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";

import { testFolder } from "../../packages/kit/src/test-folder.suite.ts";
import { openDatabase } from "../../packages/server/src/storage/database/drivers.ts";
import { listenDns } from "../../packages/server/src/net/loopback.suite.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World;
let path: string;
let url: string;
let pages = 0;

beforeAll(async () => {
  const nameServer = await listenDns((name, type) =>
    name.endsWith("shop.test") && type === "A" ? ["127.0.0.1"] : name.endsWith("shop.test") ? [] : undefined,
  );
  world = await openWorld({ DNS_SERVERS: nameServer });
});

beforeEach(() => {
  pages += 1;
  path = `/page-${pages}`;
  url = world.site.page(path, htmlPage(`<h1>Page ${pages}</h1><a href="/x">x</a>`));
});

afterEach(() => {
  world.site.page(path, htmlPage("gone"));
});

/** Metadata of a scrape of the test's page that succeeds. */
async function metadataOf(options: Readonly<Record<string, unknown>> = {}) {
  const { status, body } = await world.scrape({ url, ...options });
  expect(status).toBe(200);
  return body.data.metadata;
}

function fetches(): number {
  return world.site.hits(path).length;
}

async function creditsLeft(): Promise<number> {
  await world.app.services.records.flush();
  const { body } = await world.get("/v2/team/credit-usage");
  return (body.data as unknown as { remainingCredits: number }).remainingCredits;
}

describe("A43 a second scrape", () => {
  test("is a hit that says so", async () => {
    const first = await metadataOf();
    expect(first.cacheState).toBe("miss");
    expect(first).not.toHaveProperty("cachedAt");
    const second = await metadataOf();
    expect(second.cacheState).toBe("hit");
    expect(second.cachedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(second.scrapeId).not.toBe(first.scrapeId);
    expect(second.creditsUsed).toBe(1);
    expect(fetches()).toBe(1);
  });

  test("may want other formats of the same page", async () => {
    await metadataOf();
    const { body } = await world.scrape({ url, formats: ["links", "html"] });
    expect(body.data.links).toEqual([world.site.url("/x")]);
    expect(body.data.metadata.cacheState).toBe("hit");
    expect(fetches()).toBe(1);
  });

  test("with maxAge 0 fetches anew", async () => {
    await metadataOf();
    expect(await metadataOf({ maxAge: 0 })).not.toHaveProperty("cacheState");
    expect(fetches()).toBe(2);
  });

  test("with headers fetches anew, and is never kept", async () => {
    const headers = { "X-Secret": "1" };
    expect(await metadataOf({ headers })).not.toHaveProperty("cacheState");
    expect(await metadataOf({ headers })).not.toHaveProperty("cacheState");
    expect(fetches()).toBe(2);
    expect((await metadataOf()).cacheState).toBe("miss");
    expect(world.site.hits(path).map((hit) => hit.headers["x-secret"])).toEqual(["1", "1", undefined]);
  });

  test("with empty headers is a hit", async () => {
    await metadataOf();
    expect((await metadataOf({ headers: {}, actions: [] })).cacheState).toBe("hit");
  });

  test("finds nothing when the first was not to be kept", async () => {
    await metadataOf({ storeInCache: false });
    expect((await metadataOf()).cacheState).toBe("miss");
    expect(fetches()).toBe(2);
  });

  test("finds nothing when the first parsed nothing", async () => {
    await metadataOf({ parsers: [] });
    expect((await metadataOf()).cacheState).toBe("miss");
  });

  test("of rawBase64 neither reads nor writes", async () => {
    expect(await metadataOf({ formats: ["rawBase64"] })).not.toHaveProperty("cacheState");
    expect((await metadataOf()).cacheState).toBe("miss");
    expect(await metadataOf({ formats: ["rawBase64"] })).not.toHaveProperty("cacheState");
    expect(fetches()).toBe(3);
  });

  test("finds the page that was compared with an earlier one, and leaves the comparison alone", async () => {
    const formats = ["markdown", "changeTracking"];
    const { metadata } = (await world.scrape({ url, formats })).body.data;
    expect(metadata).not.toHaveProperty("cacheState");
    expect((await metadataOf()).cacheState).toBe("hit");
    await world.scrape({ url, formats });
    expect(fetches()).toBe(2);
    await world.app.services.records.flush();
    const { body } = await world.get(`/v2/scrape/${metadata.scrapeId}`);
    expect(body.data).toMatchObject({ changeTracking: { changeStatus: "new" } });
  });

  test("of an empty page fetches anew", async () => {
    world.site.page(path, "");
    await metadataOf();
    expect((await metadataOf()).cacheState).toBe("miss");
  });

  test.each([404, 410, 403])("of a page that answers %i is a hit with its status", async (status) => {
    world.site.page(path, (_request, response) => response.writeHead(status).end("<p>no such page</p>"));
    await metadataOf({ proxy: "basic" });
    expect(await metadataOf({ proxy: "basic" })).toMatchObject({ cacheState: "hit", statusCode: status });
  });

  test.each([429, 500, 503])("A70 of a page that answered %i fetches anew", async (status) => {
    world.site.page(path, (_request, response) => response.writeHead(status).end("<p>come back later</p>"));
    expect(await metadataOf({ proxy: "basic" })).toMatchObject({ statusCode: status, cacheState: "miss" });
    const alone = { minAge: 0, proxy: "basic" };
    expect(await metadataOf(alone)).toMatchObject({ statusCode: status, cacheState: "hit" });
    expect(await metadataOf({ lockdown: true })).toMatchObject({ statusCode: status, cacheState: "hit" });
    world.site.page(path, htmlPage("<h1>Well again</h1><p>The site has recovered.</p>"));
    expect(await metadataOf({ proxy: "basic" })).toMatchObject({ statusCode: 200, cacheState: "miss" });
  });

  test("at the same time shares the visit", async () => {
    const both = await Promise.all([metadataOf(), metadataOf()]);
    expect(both.map(({ cacheState }) => cacheState)).toEqual(["miss", "miss"]);
    expect(both[0].scrapeId).not.toBe(both[1].scrapeId);
    expect(fetches()).toBe(1);
  });
});

describe("A44 minAge", () => {
  test("without a copy fetches nothing", async () => {
    const { status, body } = await world.scrape({ url, minAge: 1 });
    expect(status).toBe(404);
    expect(body).toMatchObject({ success: false, code: "SCRAPE_NO_CACHED_DATA" });
    expect(body.error).toMatch(
      /^No cached data is available for this URL that meets your specified age requirements\./,
    );
    expect(fetches()).toBe(0);
  });

  test("takes a copy of that age", async () => {
    await metadataOf();
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    expect((await metadataOf({ minAge: 1 })).cacheState).toBe("hit");
    expect(fetches()).toBe(1);
  });

  test("takes a copy however old, unless maxAge sets an end", async () => {
    const dataDir = testFolder();
    const before = await openWorld({ DATA_DIR: dataDir });
    const oldUrl = before.site.page("/old", htmlPage("<h1>Old</h1>"));
    await before.scrape({ url: oldUrl });
    await before.close();
    const database = await openDatabase(`sqlite:${dataDir}/pergamon.db`);
    const tenDaysMs = 10 * 24 * 3_600_000;
    await database.prepared("UPDATE captures SET stored_at = stored_at - ?").run(tenDaysMs);
    await database.close();
    const after = await openWorld({ DATA_DIR: dataDir });
    const states = async (options: object) => {
      const { status, body } = await after.scrape({ url: oldUrl, ...options });
      return [status, body.data?.metadata.cacheState];
    };
    expect(await states({ minAge: 1 })).toEqual([200, "hit"]);
    expect(await states({ minAge: tenDaysMs })).toEqual([200, "hit"]);
    expect(await states({ minAge: 1, maxAge: tenDaysMs / 2 })).toEqual([404, undefined]);
    expect(await states({ lockdown: true })).toEqual([200, "hit"]);
    await after.close();
  });

  test("leaves a younger copy", async () => {
    await metadataOf();
    const { status } = await world.scrape({ url, minAge: 3_600_000 });
    expect(status).toBe(404);
  });

  test("above maxAge, or with headers, never finds one", async () => {
    await metadataOf();
    expect((await world.scrape({ url, minAge: 2, maxAge: 1 })).status).toBe(404);
    expect((await world.scrape({ url, minAge: 0, headers: { a: "b" } })).status).toBe(404);
    expect(fetches()).toBe(1);
  });
});

describe("A67 minAge answers wherever the copy can", () => {
  const alone = (formats: readonly unknown[]) => world.scrape({ url, formats, minAge: 0 });

  test("with the body that was stored", async () => {
    await metadataOf();
    const { status, body } = await alone(["rawBase64"]);
    expect([status, body.data.metadata.cacheState]).toEqual([200, "hit"]);
    expect(Buffer.from(body.data.rawBase64 ?? "", "base64").toString()).toBe(
      htmlPage(`<h1>Page ${pages}</h1><a href="/x">x</a>`),
    );
    expect(fetches()).toBe(1);
  });

  test("with the version before the copy, each time, and without a version of its own", async () => {
    const formats = ["markdown", { type: "changeTracking", modes: ["git-diff"] }];
    await world.scrape({ url, formats });
    world.site.page(path, htmlPage("<h1>Another page</h1><p>It has changed.</p>"));
    await world.scrape({ url, formats });
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await alone(formats);
      expect([status, body.data.metadata.cacheState]).toEqual([200, "hit"]);
      expect(body.data.changeTracking).toMatchObject({ changeStatus: "changed" });
    }
    const { body: kept } = await alone(formats);
    await world.app.services.records.flush();
    const again = await world.get(`/v2/scrape/${kept.data.metadata.scrapeId}`);
    expect(again.body.data.changeTracking).toEqual(kept.data.changeTracking);
    expect(fetches()).toBe(2);
  });

  test("but not without the look of the page, and not for what others must not see", async () => {
    await metadataOf();
    expect((await alone(["branding"])).status).toBe(404);
    expect((await alone(["audio"])).status).toBe(404);
    expect((await alone([{ type: "screenshot", quality: 50 }])).status).toBe(404);
    expect((await world.scrape({ url, minAge: 0, actions: [{ type: "scrape" }] })).status).toBe(404);
    expect(fetches()).toBe(1);
  });
});

describe("A45 lockdown", () => {
  test("without a copy sends no packet, and costs a credit", async () => {
    const before = await creditsLeft();
    const connections = world.site.connections();
    const { status, body } = await world.scrape({ url, lockdown: true });
    expect(status).toBe(404);
    expect(body.code).toBe("SCRAPE_LOCKDOWN_CACHE_MISS");
    expect(body.error).toMatch(
      /^No cached data is available for this request in lockdown mode\. Lockdown mode only serves previously cached responses and never makes outbound requests\./,
    );
    expect(world.site.connections()).toBe(connections);
    expect(fetches()).toBe(0);
    expect(before - (await creditsLeft())).toBe(1);
  });

  test("with a copy costs five credits", async () => {
    await metadataOf();
    const before = await creditsLeft();
    expect(await metadataOf({ lockdown: true })).toMatchObject({ cacheState: "hit", creditsUsed: 5 });
    expect(fetches()).toBe(1);
    expect(before - (await creditsLeft())).toBe(5);
  });

  test("A68 with a copy costs five credits, whatever else is asked for", async () => {
    await metadataOf();
    for (const options of [{ redactPII: true }, { formats: ["links", { type: "json", prompt: "title" }] }]) {
      expect(await metadataOf({ lockdown: true, ...options })).toMatchObject({ creditsUsed: 5 });
    }
  });

  test("A69 refuses what no copy has before it looks for one", async () => {
    const { status, body } = await world.scrape({ url, lockdown: true, formats: ["branding"] });
    expect([status, body.code]).toEqual([400, "SCRAPE_BRANDING_NOT_SUPPORTED"]);
  });

  test("takes the copy also for a request with headers", async () => {
    await metadataOf();
    expect((await metadataOf({ lockdown: true, headers: { a: "b" } })).cacheState).toBe("hit");
  });

  test("with maxAge 0 never finds one", async () => {
    await metadataOf();
    const { status, body } = await world.scrape({ url, lockdown: true, maxAge: 0 });
    expect(status).toBe(404);
    expect(body.code).toBe("SCRAPE_LOCKDOWN_CACHE_MISS");
  });
});

describe("A46 a page is another page", () => {
  test.each([
    { location: { country: "DE" } },
    { location: { languages: ["fr"] } },
    { blockAds: false },
    { proxy: "enhanced" },
  ])("for %j", async (options) => {
    await metadataOf();
    expect((await metadataOf(options)).cacheState).toBe("miss");
    expect((await metadataOf(options)).cacheState).toBe("hit");
    expect((await metadataOf()).cacheState).toBe("hit");
    expect(fetches()).toBe(2);
  });

  test.each([
    { location: { country: "us" } },
    { proxy: "basic" },
    { timeout: 5000 },
    { onlyMainContent: false },
  ])("but not for %j", async (options) => {
    await metadataOf();
    expect((await metadataOf(options)).cacheState).toBe("hit");
  });

  test.each([{ mobile: true }, { formats: ["screenshot"] }])("for %j", async (options) => {
    await metadataOf();
    expect((await metadataOf(options)).cacheState).toBe("miss");
    expect((await metadataOf(options)).cacheState).toBe("hit");
  });

  test("with another query", async () => {
    await metadataOf();
    expect((await metadataOf({ url: `${url}?q=1` })).cacheState).toBe("miss");
  });
});

test.each([
  (host: string, place: string) => `http://www.${host}${place}`,
  (host: string, place: string) => `http://${host}${place}/`,
  (host: string, place: string) => `http://${host}${place}#part`,
  (host: string, place: string) => `http://${host}${place}/index.html`,
  (host: string, place: string) => `http://${host.toUpperCase()}${place}`,
])("A47 spelling %# of a URL shares the entry", async (respell) => {
  const host = `shop.test:${world.site.port}`;
  const sourceURL = respell(host, path);
  expect((await metadataOf({ url: `http://${host}${path}` })).cacheState).toBe("miss");
  expect(await metadataOf({ url: sourceURL })).toMatchObject({ cacheState: "hit", sourceURL });
  expect(fetches()).toBe(1);
});

describe("A64 a fragment that is a route is another page", () => {
  const APP = `<!doctype html><title>App</title><main id="view"></main><script>
    const view = document.getElementById("view");
    view.innerHTML = "<h1>" + (location.hash || "home") + "</h1><p>The text of this view is drawn by a script.</p>";
  </script>`;

  test.each(["#/", "#!"])("with %s", async (sign) => {
    const app = world.site.page("/app", APP);
    const textOf = async (address: string) => {
      const { body } = await world.scrape({ url: address });
      return [body.data.metadata.cacheState, body.data.markdown?.split("\n")[0]];
    };
    expect(await textOf(`${app}${sign}one`)).toEqual(["miss", `# ${sign}one`]);
    expect(await textOf(`${app}${sign}two`)).toEqual(["miss", `# ${sign}two`]);
    expect(await textOf(`${app}${sign}one`)).toEqual(["hit", `# ${sign}one`]);
  });
});
