import { setTimeout as pause } from "node:timers/promises";

import { FirecrawlClient, SdkError } from "firecrawl";

import { beforeAll, describe, expect, test } from "vitest";
import { z as latest } from "zod";
import { z } from "zod/v3";

import { createKey, revokeKey } from "../packages/server/src/accounts/keys.ts";
import type { ActionData } from "../packages/server/src/api/answer.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { decodePng } from "./browser/png.ts";
import { htmlPage } from "./site.ts";
import { useWorld, useSharedWorld } from "./use-world.ts";

const MONITORING = { METRICS_KEY: "key-of-the-monitoring", ADMIN_KEY: "key-of-the-operator" } as const;

const world = useSharedWorld();
let url: string;
let client: FirecrawlClient;

beforeAll(async () => {
  url = world.site.page(
    "/page",
    htmlPage(
      '<main><h1>Shop</h1><p>Some text about the shop.</p><a href="/more">More</a><img src="/a.png" alt="a"></main>',
      '<title>Shop</title><meta property="og:title" content="The shop"><meta name="author" content="Ann">',
    ),
  );
  client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-anything" });
});

/** The error that the client throws. */
async function errorOf(promise: Promise<unknown>): Promise<SdkError> {
  const error = await promise.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(SdkError);
  return error as SdkError;
}

describe("map", () => {
  test("lists the pages of a site (F-1)", async () => {
    const home = world.site.page("/", htmlPage('<h1>Home</h1><a href="/more">More</a>'));
    world.site.page("/sitemap.xml", `<urlset><url><loc>${world.site.url("/listed")}</loc></url></urlset>`);
    const { id, links } = await client.map(home);
    expect(links.map((link) => link.url)).toEqual([home, world.site.url("/listed"), world.site.url("/more")]);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe("scrape", () => {
  test("gives markdown without options", async () => {
    const { markdown } = await client.scrape(url);
    expect(markdown).toContain("# Shop\n\nSome text about the shop.");
  });

  test("gives all formats that are asked for", async () => {
    const document = await client.scrape(url, {
      formats: [
        "markdown",
        "html",
        "rawHtml",
        "links",
        "images",
        { type: "attributes", selectors: [{ selector: "img", attribute: "alt" }] },
      ],
    });
    expect(document).toMatchObject({
      markdown: expect.stringContaining("# Shop") as string,
      html: expect.stringContaining("<h1>Shop</h1>") as string,
      rawHtml: expect.stringMatching(/^<!doctype html>/) as string,
      links: [world.site.url("/more")],
      images: [world.site.url("/a.png")],
      attributes: [{ selector: "img", attribute: "alt", values: ["a"] }],
    });
  });

  test("gives metadata under the names that the client declares", async () => {
    const { metadata } = await client.scrape(url);
    expect(metadata).toMatchObject({
      title: "Shop",
      ogTitle: "The shop",
      "og:title": "The shop",
      author: "Ann",
      language: "en",
      ogLocaleAlternate: [],
      sourceURL: url,
      url,
      statusCode: 200,
      contentType: "text/html",
      proxyUsed: "basic",
      creditsUsed: 1,
      concurrencyLimited: false,
      scrapeId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    });
  });

  test("A14 takes every option that is available", async () => {
    const document = await client.scrape(url, {
      formats: ["markdown", { type: "html" }, "links", "images"],
      includeTags: ["main"],
      excludeTags: ["img"],
      onlyMainContent: false,
      timeout: 30_000,
      waitFor: 0,
      mobile: false,
      parsers: ["pdf", { type: "pdf", mode: "fast", maxPages: 5 }, { type: "image" }],
      actions: [],
      headers: { "User-Agent": "sdk-test" },
      location: { country: "us", languages: ["en"] },
      skipTlsVerification: true,
      removeBase64Images: true,
      fastMode: true,
      blockAds: true,
      proxy: "auto",
      maxAge: 0,
      storeInCache: false,
      lockdown: false,
      redactPII: false,
      integration: "test",
      domainTools: false,
    });
    expect(document.markdown).toContain("# Shop");
    expect(document.images).toEqual([]);
    expect(world.site.hits("/page").at(-1)?.headers["user-agent"]).toBe("sdk-test");
  });

  test("gives the product and the menu of a page, or says that there is none", async () => {
    const offer = { "@type": "Offer", price: "24.50", priceCurrency: "EUR" };
    const lamp = { "@type": "Product", name: "Blue lamp", sku: "L-1", brand: "Lampery", offers: offer };
    const shop = world.site.page(
      "/p/blue-lamp",
      htmlPage(
        `<h1>Blue lamp</h1><p class="price">€24.50</p><button>Add to cart</button><script type="application/ld+json">${JSON.stringify(lamp)}</script>`,
        "<title>Blue lamp</title>",
      ),
    );
    const soup = await client.scrape(
      world.site.page(
        "/dishes",
        htmlPage("<h1>Menu</h1><h2>Soups</h2><p>Tomato soup: €5.50</p><p>Onion soup: €6.00</p>"),
      ),
      { formats: ["menu", "product"] },
    );
    const { product, warning } = await client.scrape(shop, { formats: ["product", "menu"] });
    const price = { amount: 24.5, currency: "EUR", formatted: "€24.50" };
    const sold = { sku: "L-1", price, availability: { inStock: true } };
    expect(product).toMatchObject({ title: "Blue lamp", brand: "Lampery", url: shop, variants: [sold] });
    expect(warning).toBe("No menu found on this page; it does not appear to be a menu page.");
    expect(soup.menu).toMatchObject({
      isMenu: true,
      currency: "EUR",
      sections: [{ name: "Soups", items: [{ name: "Tomato soup" }, { name: "Onion soup" }] }],
    });
    expect(soup).not.toHaveProperty("product");
    expect(soup.warning).toBe("No product found on this page; it does not appear to be a product page.");
  });

  describe("A48 on a machine without any model", () => {
    const columns = {
      title: "Plans",
      plans: [
        { name: "Free", price: 0 },
        { name: "Pro", price: 12.5 },
      ],
    };
    const page = () =>
      world.site.page(
        "/plans",
        htmlPage(
          "<h1>Plans</h1><table><tr><th>Plan</th><th>Price</th></tr><tr><td>Free</td><td>$0</td></tr><tr><td>Pro</td><td>$12.50</td></tr></table>",
          "<title>Plans</title>",
        ),
      );

    test("gives values for a zod schema", async () => {
      const schema = z.object({
        title: z.string(),
        plans: z.array(z.object({ name: z.string(), price: z.number() })),
        phone: z.string().optional(),
      });
      const { json, warning } = await client.scrape(page(), {
        formats: [{ type: "json", schema: schema as unknown as Record<string, unknown> }],
      });
      expect(schema.parse(json)).toEqual(columns);
      expect(warning).toBe("JSON was made without a language model.");
    });

    // NOTE: where there is no `require`, the client cannot convert schemas of zod 4, and sends nothing of them.
    test("gives what the page is about where the client could not convert the schema", async () => {
      const schema = latest.object({ title: latest.string() }) as unknown as Record<string, unknown>;
      const { json } = await client.scrape(page(), { formats: [{ type: "json", schema }] });
      expect(json).toMatchObject({ title: "Plans" });
    });
  });

  test("of a page that is missing succeeds and tells it", async () => {
    const { metadata } = await client.scrape(world.site.url("/missing"));
    expect(metadata).toMatchObject({ statusCode: 404, error: "Not Found" });
  });
});

describe("a page in a browser", () => {
  test("click, scrape, screenshot", async () => {
    const page = world.site.page(
      "/clicks",
      htmlPage(
        `<main><button id="more" onclick="main.innerHTML = '<h1>More</h1>'">More</button><p id="main">x</p></main>`,
      ),
    );
    const document = await client.scrape(page, {
      formats: ["markdown", { type: "screenshot", fullPage: true }],
      actions: [
        { type: "click", selector: "#more" },
        { type: "scrape" },
        { type: "screenshot", quality: 50 },
      ],
    });
    expect(document.markdown).toContain("# More");
    const results = document.actions as unknown as ActionData;
    expect(results.scrapes[0]?.html).toContain("<h1>More</h1>");
    const image = await fetch(results.screenshots[0] ?? "");
    expect(image.headers.get("content-type")).toBe("image/jpeg");
    const whole = await fetch(document.screenshot ?? "");
    expect(whole.headers.get("content-type")).toBe("image/png");
    expect(decodePng(new Uint8Array(await whole.arrayBuffer())).others("#ffffff")).toBeGreaterThan(100);
  });
});

describe("errors", () => {
  test("of a request carry status, code and details", async () => {
    const error = await errorOf(client.scrape(url, { timeout: 10 }));
    expect(error).toMatchObject({ status: 400, code: "BAD_REQUEST" });
    expect(error.message).toContain("Bad Request");
    expect(JSON.stringify(error.details)).toContain("Too small: expected number to be >=1000");
  });

  test("of a scrape carry status, code and text", async () => {
    const error = await errorOf(client.scrape("http://127.0.0.1:1/"));
    expect(error).toMatchObject({ status: 500, code: "SCRAPE_ALL_ENGINES_FAILED" });
    expect(error.message).toMatch(/All scraping engines failed to retrieve content from this URL/);
  });

  test("of the cache carry status and code", async () => {
    const error = await errorOf(client.scrape(world.site.url("/never"), { minAge: 1 }));
    expect(error).toMatchObject({ status: 404, code: "SCRAPE_NO_CACHED_DATA" });
  });

  test("of a timeout come at once", async () => {
    const slow = world.site.page("/slow", () => undefined);
    const error = await errorOf(client.scrape(slow, { timeout: 1000 }));
    expect(error).toMatchObject({ status: 408, code: "SCRAPE_TIMEOUT" });
    expect(error.message).toMatch(/The scrape operation timed out before completing/);
  });
});

describe("account", () => {
  test("credits", async () => {
    const usage = await client.getCreditUsage();
    expect(usage.remainingCredits).toBeGreaterThan(0);
    expect(usage.planCredits).toBeGreaterThanOrEqual(usage.remainingCredits);
    expect(Date.parse(usage.billingPeriodStart ?? "")).toBeLessThanOrEqual(Date.now());
    expect(Date.parse(usage.billingPeriodEnd ?? "")).toBeGreaterThan(Date.now());
  });

  test("tokens", async () => {
    const usage = await client.getTokenUsage();
    expect(usage.remainingTokens).toBeGreaterThan(0);
    expect(usage.planTokens).toBeGreaterThanOrEqual(usage.remainingTokens);
  });

  test("history", async () => {
    await client.scrape(url);
    await world.app.services.records.flush();
    const credits = await client.getCreditUsageHistorical();
    expect(credits.periods).toHaveLength(1);
    const [period] = credits.periods;
    expect(period?.creditsUsed).toBeGreaterThan(0);
    expect(Date.parse(period?.startDate ?? "")).toBeLessThan(Date.parse(period?.endDate ?? ""));
    const tokens = await client.getTokenUsageHistorical(true);
    expect(tokens.periods[0]).toHaveProperty("totalTokens");
  });

  test("queue", async () => {
    await client.scrape(url);
    const status = await client.getQueueStatus();
    expect(status).toMatchObject({
      success: true,
      jobsInQueue: 0,
      activeJobsInQueue: 0,
      waitingJobsInQueue: 0,
    });
    expect(status.maxConcurrency).toBeGreaterThan(0);
    expect(Date.parse(status.mostRecentSuccess ?? "")).toBeLessThanOrEqual(Date.now());
  });

  test("concurrency", async () => {
    const { concurrency, maxConcurrency } = await client.getConcurrency();
    expect(concurrency).toBe(0);
    expect(maxConcurrency).toBeGreaterThan(0);
  });
});

describe("in open mode any configuration works:", () => {
  test.each(["", "/", "/v2", "/v2/", "//"])("a base URL that ends in %j", async (ending) => {
    const configured = new FirecrawlClient({ apiUrl: world.baseUrl + ending, apiKey: "fc-dummy" });
    const { markdown } = await configured.scrape(url);
    expect(markdown).toContain("# Shop");
    await expect(configured.getCreditUsage()).resolves.toHaveProperty("remainingCredits");
  });

  test("no key", async () => {
    const { markdown } = await new FirecrawlClient({ apiUrl: world.baseUrl }).scrape(url);
    expect(markdown).toContain("# Shop");
  });

  test.each(["Bearer", "Bearer ", "Bearer undefined", "Basic eDp5", "", "fc-x"])(
    "the authorization %j",
    async (authorization) => {
      const { status } = await world.scrape({ url }, { authorization });
      expect(status).toBe(200);
    },
  );
});

describe("in keyed mode", () => {
  const keyed = useWorld({ AUTH: "keys", ...MONITORING });
  let apiKey: string;
  let keyId: string;

  beforeAll(async () => {
    const database = await openDatabase(`sqlite:${keyed.dataDir}/pergamon.db`);
    ({ apiKey, keyId } = await createKey(database, { teamId: keyed.app.team.id, name: "test" }));
    await database.close();
  });

  const clientWith = (key: string) => new FirecrawlClient({ apiUrl: keyed.baseUrl, apiKey: key });

  test("a key opens everything", async () => {
    const holder = clientWith(apiKey);
    const { markdown } = await holder.scrape(keyed.site.page("/p", htmlPage("<h1>Hi</h1>")));
    expect(markdown).toBe("# Hi");
    await keyed.app.services.records.flush();
    const { periods } = await holder.getCreditUsageHistorical(true);
    expect(periods).toMatchObject([{ apiKey: "test", creditsUsed: 1 }]);
  });

  test("a wrong key is refused", async () => {
    const error = await errorOf(clientWith(`fc-${"0".repeat(32)}`).scrape(url));
    expect(error.status).toBe(401);
    expect(error.message).toContain("Unauthorized: Invalid token");
  });

  test("no key is refused", async () => {
    const error = await errorOf(new FirecrawlClient({ apiUrl: keyed.baseUrl }).getCreditUsage());
    expect(error.status).toBe(401);
    expect(error.message).toContain("Unauthorized");
  });

  test.each([
    [{}, "Unauthorized"],
    [{ authorization: "Bearer" }, "Unauthorized: Token missing"],
    [{ authorization: "Bearer " }, "Unauthorized: Token missing"],
    [{ authorization: "Bearer undefined" }, "Unauthorized: Invalid token"],
    [{ authorization: "Bearer fco_abc" }, "Unauthorized: Invalid or expired OAuth token"],
  ])("headers %j are refused with %j, before the body is looked at", async (headers, error) => {
    const { status, body } = await keyed.scrape("{", headers);
    expect(status).toBe(401);
    expect(body).toEqual({ success: false, error });
  });

  test("R13 figures need the key of the monitoring, or the operator's", async () => {
    const statusWith = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization };
      return (await fetch(`${keyed.baseUrl}/metrics`, { headers })).status;
    };
    expect(await statusWith()).toBe(401);
    expect(await statusWith(`Bearer ${apiKey}`)).toBe(401);
    expect(await statusWith(`Bearer ${MONITORING.METRICS_KEY}`)).toBe(200);
    expect(await statusWith(`Bearer ${MONITORING.ADMIN_KEY}`)).toBe(200);
  });

  test.each(["/healthz", "/readyz", "/", "/docs", "/openapi.json"])("%s needs no key", async (path) => {
    // A busy machine is not ready for a moment.
    await expect.poll(async () => (await fetch(keyed.baseUrl + path)).status).toBe(200);
  });

  test("a key that another process has revoked is refused within 50 ms", async () => {
    const database = await openDatabase(`sqlite:${keyed.dataDir}/pergamon.db`);
    await expect(clientWith(apiKey).getConcurrency()).resolves.toHaveProperty("concurrency");
    await revokeKey(database, keyId);
    await database.close();
    await pause(50);
    const error = await errorOf(clientWith(apiKey).getConcurrency());
    expect(error.status).toBe(401);
  });
});
