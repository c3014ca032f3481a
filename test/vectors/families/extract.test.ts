import { Firecrawl } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { uuidV7 } from "../../../packages/kit/src/uuid.ts";
import { startModelDouble } from "../../../packages/server/src/storage/models/model-double.suite.ts";
import { expectDeclared } from "../../declared.ts";
import { makeTeam } from "../../operator.ts";
import { openReceiver, type Receiver } from "../../receiver.ts";
import { htmlPage } from "../../site.ts";
import { useWorld, useSharedWorld } from "../../use-world.ts";
import { openWorld } from "../../world.ts";

const world = useWorld({ HOST_CONCURRENCY: "50", WEBHOOK_RETRY_SECONDS: "1,1,1" });
let client: Firecrawl;
let receiver: Receiver;

beforeAll(async () => {
  client = new Firecrawl({ apiUrl: world.baseUrl, apiKey: "fc-test" });
  receiver = await openReceiver();
});

interface ExtractAnswer {
  readonly success: boolean;
  readonly id: string;
  readonly status: string;
  readonly data: unknown;
  readonly creditsUsed: number;
  readonly expiresAt: string;
  readonly warning: string;
  readonly error: string;
  readonly invalidURLs: readonly string[];
  readonly sources: Readonly<Record<string, readonly string[]>>;
  readonly citations: Readonly<Record<string, readonly unknown[]>>;
  readonly details: readonly {
    readonly message: string;
    readonly code: string;
    readonly path: readonly unknown[];
  }[];
}

async function ask(line: string, body?: unknown, headers: Readonly<Record<string, string>> = {}, on = world) {
  const [method = "GET", path = ""] = line.split(" ");
  const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) };
  const response = await fetch(`${on.baseUrl}${path}`, init);
  const answer = (await response.json()) as ExtractAnswer;
  expectDeclared({ method, path, status: response.status, body: answer });
  return { status: response.status, headers: response.headers, body: answer };
}

/** Waits for the end of an extraction. */
async function extracted(body: object, headers: Readonly<Record<string, string>> = {}, on = world) {
  const started = await ask("POST /v2/extract", body, headers, on);
  expect(started.body).toMatchObject({ success: true });
  for (;;) {
    const { body: state } = await ask(`GET /v2/extract/${started.body.id}`, undefined, headers, on);
    if (state.status !== "processing") return state;
    expect(state).toMatchObject({ success: true, data: [] });
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

const TITLE = { type: "object", properties: { title: { type: "string" } }, required: ["title"] };
const SHOP = {
  type: "object",
  properties: {
    title: { type: "string" },
    phone: { type: "string" },
    products: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, price: { type: "number" } },
        required: ["name"],
      },
    },
  },
  required: ["title", "products"],
};

/** A page of a shop: a table of products. */
function shopPage(path: string, products: Readonly<Record<string, number>>, more = ""): string {
  const rows = Object.entries(products).map(([name, price]) => `<tr><td>${name}</td><td>${price}</td></tr>`);
  const table = `<table><tr><th>Name</th><th>Price</th></tr>${rows.join("")}</table>`;
  return world.site.page(path, htmlPage(`<main><h1>Tea house</h1>${more}<h2>Products</h2>${table}</main>`));
}

const page = (path: string, title: string) =>
  world.site.page(path, htmlPage(`<main><h1>${title}</h1><p>Words about ${title}.</p></main>`));

describe("F-90 extract by the JavaScript client", () => {
  test("values by rules, with a warning", async () => {
    const url = page("/one", "Anvils");
    const result = await client.extract({ urls: [url], schema: TITLE, showSources: true, pollInterval: 1 });
    expect(result).toMatchObject({
      success: true,
      status: "completed",
      data: { title: "Anvils" },
      sources: { title: [url] },
      warning: expect.stringContaining("without a language model") as string,
      creditsUsed: 1,
      tokensUsed: 15,
    });
    expect(Date.parse(result.expiresAt ?? "")).toBeGreaterThan(Date.now());
  });

  test("the start says what was left out, and that there is something newer", async () => {
    const { body, headers } = await ask("POST /v2/extract", {
      urls: [page("/one", "Anvils"), "ftp://a.test", "nonsense"],
      schema: TITLE,
    });
    expect(body).toMatchObject({ success: true, urlTrace: [], invalidURLs: ["ftp://a.test", "nonsense"] });
    expect(headers.get("deprecation")).toBe("true");
    expect(headers.get("link")).toBe('</v2/scrape>; rel="successor-version"');
    const status = await ask(`GET /v2/extract/${body.id}`);
    expect(status.headers.get("deprecation")).toBe("true");
    for (const answer of [body, status.body])
      expect(answer).toMatchObject({ replacement: "/v2/scrape", warnings: [expect.any(String)] });
  });

  test("what several pages say becomes one value", async () => {
    const urls = [
      shopPage("/shop/1", { "Green tea": 3, "Black tea": 4 }),
      shopPage("/shop/2", { "black tea": 4, Teapot: 20 }, "<p>Phone: +41 44 668 18 00</p>"),
    ];
    const { data, sources, citations, creditsUsed } = await extracted({
      urls,
      schema: SHOP,
      showSources: true,
    });
    expect(data).toMatchObject({ title: "Tea house", phone: expect.stringContaining("668") as string });
    const { products } = data as { readonly products: readonly { name: string; price: number }[] };
    expect(products.map(({ name }) => name)).toEqual(["Green tea", "Black tea", "Teapot"]);
    expect(sources["title"]).toEqual(urls);
    expect(sources["products[1]"]).toEqual(urls);
    expect(sources["phone"]).toEqual([urls[1]]);
    expect(citations["products[1].price"]).toMatchObject(urls.map((url) => ({ url, text: "4" })));
    expect(citations["phone"]).toMatchObject([{ url: urls[1], text: "+41 44 668 18 00" }]);
    expect(creditsUsed).toBe(2);
  });

  test("what the pages do not say is told, and error pages say nothing", async () => {
    const lacking = {
      ...TITLE,
      properties: { ...TITLE.properties, isbn: { type: "string" } },
      required: ["isbn"],
    };
    const urls = [page("/one", "Anvils")];
    const lost = await extracted({ urls, schema: lacking });
    expect(lost).toMatchObject({ status: "completed", data: {} });
    expect(lost.warning).toContain("The pages do not contain every value that the schema requires: isbn.");
    const gone = world.site.page("/gone", (_request, response) => {
      response.statusCode = 404;
      response.end(htmlPage("<h1>Not here</h1>"));
    });
    const half = await extracted({ urls: [gone, ...urls], schema: TITLE });
    expect(half).toMatchObject({ status: "completed", data: { title: "Anvils" } });
    expect(half.warning).toContain("404");
  });

  test("no page at all is a failure", async () => {
    const failed = await extracted({ urls: ["http://127.0.0.1:1/"], schema: TITLE });
    expect(failed).toMatchObject({ success: false, status: "failed", data: [], creditsUsed: 0 });
    expect(failed.error).toContain("No page could be read.");
  });

  test("a page that cannot be read is named in the warning, and the others count", async () => {
    const good = page("/readable", "Read");
    const unread = "http://127.0.0.1:9/x could not be read, and is left out: ";
    expect(await extracted({ urls: ["http://127.0.0.1:9/x", good], schema: TITLE })).toMatchObject({
      status: "completed",
      data: { title: "Read" },
      warning: expect.stringContaining(unread) as string,
    });
  });

  test("a page that shows a challenge is named in the warning, and pages that are too many to name are counted", async () => {
    const challenge = `<title>Just a moment...</title><script>window._cf_chl_opt = {};</script>`;
    const blocked = world.site.page("/challenge", challenge);
    const names = Array.from({ length: 12 }, (_, at) => `/lost/${at}`);
    for (const name of names) world.site.page(name, (_request, response) => response.destroy());
    const links = names.map((name) => `<a href="${name}">${name}</a>`).join(" ");
    const start = world.site.page("/lost/", htmlPage(`<main><h1>Read</h1>${links}</main>`));
    const body = { urls: [blocked, `${start}*`], schema: TITLE, ignoreSitemap: true };
    const { data, warning } = await extracted(body);
    expect(data).toEqual({ title: "Read" });
    expect(warning).toContain(`${blocked} is left out: `);
    expect(warning).toContain("2 more pages could not be read, and are left out.");
  });

  test("a URL that ends in /* stands for the pages below it, each once", async () => {
    const links = ["a", "b", "c"].map((name) => `<a href="/below/${name}">${name}</a>`);
    const start = world.site.page("/below/", htmlPage(`<main><h1>Start</h1>${links.join(" ")}</main>`));
    const pages = ["a", "b", "c"].map((name) => page(`/below/${name}`, `Page ${name}`));
    const schema = { type: "object", properties: { title: { type: "string" } } };
    const body = { urls: [`${start}*`, pages[0]], schema, showSources: true, ignoreSitemap: true };
    const { creditsUsed, data } = await extracted(body);
    // The map, and four pages.
    expect(creditsUsed).toBe(1 + 4);
    expect(data).toMatchObject({ title: expect.stringMatching(/^(?:Page [abc]|Start)$/) as string });
    const few = await extracted({ ...body, limit: 2 });
    expect(few.creditsUsed).toBe(1 + 2);
  });

  test("the web is searched where that is asked for, and the timeout ends the reading", async () => {
    await world.scrape({ url: page("/stored", "Sundials of Elmstad") });
    const asked = { prompt: "sundials elmstad", enableWebSearch: true, schema: TITLE };
    await expect
      .poll(async () => (await extracted(asked)).data, { timeout: 20_000 })
      .toMatchObject({ title: "Sundials of Elmstad" });
    const hanging = world.site.page("/hanging", () => undefined);
    const urls = [page("/one", "Anvils"), hanging];
    const late = await extracted({ urls, schema: TITLE, timeout: 2500 });
    expect(late).toMatchObject({ status: "completed", data: { title: "Anvils" } });
  });

  test("a webhook tells the result", async () => {
    const urls = [page("/one", "Anvils")];
    const webhook = { url: receiver.url, metadata: { order: "7" } };
    const { body } = await ask("POST /v2/extract", { urls, schema: TITLE, showSources: true, webhook });
    await expect
      .poll(() => receiver.types(), { timeout: 20_000 })
      .toEqual(["extract.started", "extract.completed"]);
    expect(receiver.delivered.at(-1)).toMatchObject({
      success: true,
      id: body.id,
      data: [
        {
          success: true,
          data: { title: "Anvils" },
          extractId: body.id,
          totalUrlsScraped: 1,
          sources: { title: urls },
        },
      ],
      metadata: { order: "7" },
    });
  });

  test("is cancelled, and an ended one is not", async () => {
    const hanging = world.site.page("/hanging", () => undefined);
    const { body } = await ask("POST /v2/extract", { urls: [hanging], schema: TITLE });
    for (let twice = 0; twice < 2; twice += 1) {
      const cancelled = await ask(`DELETE /v2/extract/${body.id}`);
      expect([cancelled.status, cancelled.body]).toEqual([200, { success: true, status: "cancelled" }]);
    }
    expect((await ask(`GET /v2/extract/${body.id}`)).body).toMatchObject({ status: "cancelled", data: [] });
    const ended = await ask("POST /v2/extract", { urls: [page("/one", "Anvils")], schema: TITLE });
    const state = () => ask(`GET /v2/extract/${ended.body.id}`).then(({ body: { status } }) => status);
    await expect.poll(state, { timeout: 20_000 }).toBe("completed");
    const late = await ask(`DELETE /v2/extract/${ended.body.id}`);
    expect([late.status, late.body.error]).toEqual([409, "Extract is already completed"]);
  });
});

describe("F-91 extract: bad bodies", () => {
  const url = "https://example.com";

  test.each([
    [{}, "Either 'urls' or 'prompt' must be provided."],
    [{ schema: TITLE }, "Either 'urls' or 'prompt' must be provided."],
    [
      { urls: Array<string>(11).fill(url), schema: TITLE },
      "Maximum of 10 URLs allowed per request while in beta.",
    ],
    [{ urls: [url], schema: "text" }, "Invalid JSON schema."],
    [{ urls: [url], schema: { type: "thing" } }, "Invalid JSON schema."],
    [{ urls: [url], schema: { title: "string" } }, "Invalid JSON schema."],
    [{ urls: [url], schema: { type: "object", properties: { a: 1 } } }, "Invalid JSON schema."],
    [{ urls: [url], schema: TITLE, agent: { model: "v3-beta" } }, /^Use the new \/agent endpoint/],
    [{ urls: [url], schema: TITLE, scrapeOptions: { lockdown: true } }, "lockdown is not supported here."],
    [{ urls: [url], schema: TITLE, zeroDataRetention: true }, /^Zero data retention is not supported on/],
    [{ urls: [url], schema: TITLE, timeout: 999 }, /Too small/],
    [{ urls: [url], schema: TITLE, webhook: "ftp://a.test" }, /webhook needs a URL/],
    [{ urls: [url], schema: TITLE, unknown: 1 }, 'Unrecognized key: "unknown"'],
  ])("refuses %j", async (body, message) => {
    const answer = await ask("POST /v2/extract", body);
    expect(answer.status).toBe(400);
    const messages = answer.body.details.map((issue) => issue.message);
    expect(messages[0]).toMatch(
      typeof message === "string" ? new RegExp(`^${message.replace(/[.*]/g, "\\$&")}$`) : message,
    );
  });

  test.each([
    [{ urls: ["nonsense"], schema: TITLE }, 400, "No valid URLs provided"],
    [{ prompt: "titles", schema: TITLE }, 400, /enableWebSearch/],
    [{ urls: [url], schema: TITLE, enableWebSearch: true }, 400, /needs a prompt/],
    [{ prompt: "the title" }, 503, /LLM_BASE_URL/],
    [{ urls: [url], prompt: "the title" }, 503, /LLM_BASE_URL/],
  ])("refuses %j with %i", async (body, status, message) => {
    const answer = await ask("POST /v2/extract", body);
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(message)]);
  });

  test("an invalid URL is told by its place where none may be left out", async () => {
    const { status, body } = await ask("POST /v2/extract", {
      urls: [url, "nonsense"],
      schema: TITLE,
      ignoreInvalidURLs: false,
    });
    expect([status, body.details[0]?.path]).toEqual([400, ["urls", 1]]);
  });

  test.each(["GET", "DELETE"])("%s of unknown ids", async (method) => {
    const unknown = await ask(`${method} /v2/extract/${uuidV7()}`);
    expect([unknown.status, unknown.body.error]).toEqual([404, "Extract job not found"]);
    const bad = await ask(`${method} /v2/extract/nonsense`);
    expect([bad.status, bad.body.error]).toEqual([
      400,
      "Invalid job ID format. Job ID must be a valid UUID.",
    ]);
  });

  test("a batch is no extraction, nor the other way round", async () => {
    const batch = await ask("POST /v2/batch/scrape", { urls: [page("/one", "Anvils")] });
    expect((await ask(`GET /v2/extract/${batch.body.id}`)).status).toBe(404);
    const { body } = await ask("POST /v2/extract", { urls: [page("/one", "Anvils")], schema: TITLE });
    expect((await ask(`GET /v2/batch/scrape/${body.id}`)).status).toBe(404);
  });
});

test("F-99 origin and integration are taken, and too long ones are not", async () => {
  const body = { urls: [page("/one", "Anvils")], schema: TITLE };
  for (const labels of [{ origin: "x", integration: "y" }, { integration: null }])
    expect((await ask("POST /v2/extract", { ...body, ...labels })).status).toBe(200);
  const long = await ask("POST /v2/extract", { ...body, integration: "x".repeat(101) });
  expect([long.status, long.body.details[0]?.path]).toEqual([400, ["integration"]]);
});

describe("with keys", () => {
  const keyed = useSharedWorld("keyed");

  test("each team has its own, paid once, under one idempotency key", async () => {
    const [mine, other] = [await makeTeam(keyed, { credits: 5 }), await makeTeam(keyed, { credits: 4 })];
    const urls = [keyed.site.page("/one", htmlPage("<main><h1>Anvils</h1></main>"))];
    const key = { ...mine.headers, "x-idempotency-key": uuidV7() };
    const started = await ask("POST /v2/extract", { urls, schema: TITLE }, key, keyed);
    expect(started.status).toBe(200);
    // Refused for its credits as soon as the first page has set them aside, and for its key before.
    const again = await ask("POST /v2/extract", { urls, schema: TITLE }, key, keyed);
    expect([402, 409]).toContain(again.status);
    const path = `GET /v2/extract/${started.body.id}`;
    expect((await ask(path, undefined, other.headers, keyed)).status).toBe(404);
    expect((await ask("POST /v2/extract", { urls, schema: TITLE }, other.headers, keyed)).status).toBe(402);
    await expect
      .poll(async () => (await ask(path, undefined, mine.headers, keyed)).body, { timeout: 20_000 })
      .toMatchObject({ status: "completed", creditsUsed: 1 });
    const left = await fetch(`${keyed.baseUrl}/v2/team/credit-usage`, { headers: mine.headers });
    expect(await left.json()).toMatchObject({ data: { remainingCredits: 4 } });
  });
});

test("a model follows the prompt, page by page", async () => {
  const say = (value: object) => ({ text: JSON.stringify(value) });
  const double = await startModelDouble("openai", [
    { whileAsked: "Granite", say: say({ stone: "granite" }) },
    { whileAsked: "Marble", say: say({ stone: "marble", colour: "white" }) },
  ]);
  const own = await openWorld({ LLM_BASE_URL: double.url, LLM_MODEL: "double" });
  const urls = ["Granite", "Marble"].map((stone) =>
    own.site.page(
      `/${stone}`,
      htmlPage(`<main><h1>${stone}</h1><p>${stone} is a white stone: granite.</p></main>`),
    ),
  );
  const result = await extracted({ urls, prompt: "Which stone?", systemPrompt: "Be brief." }, {}, own);
  expect(result).toMatchObject({ status: "completed", data: { colour: "white" } });
  expect(result).not.toHaveProperty("warning");
  await own.close();
  double.close();
});
