import { expect, test } from "vitest";

import { crawl, linkPage } from "../crawls.ts";
import { RunClient } from "../runs.ts";
import { htmlPage } from "../site.ts";
import { useWorld } from "../use-world.ts";

const world = useWorld({ HOST_CONCURRENCY: "50" });
let pages = 0;

interface Origin {
  readonly headers: Readonly<Record<string, string>>;
  /** What an answer without a body says of the page. Default: `headers`. */
  readonly now?: Readonly<Record<string, string>>;
  /** Whether the text becomes another after the first visit. */
  readonly changes?: boolean;
  /** Whether every condition is met, whatever it is. */
  readonly alwaysUnchanged?: boolean;
}

/** A page on the path that answers as it is asked. */
function pageOf({ headers, now = headers, changes = false, alwaysUnchanged = false }: Origin) {
  let bodies = 0;
  const path = `/known-${(pages += 1)}`;
  const url = world.site.page(path, (request, response) => {
    const wanted = request.headers["if-none-match"] ?? request.headers["if-modified-since"];
    const isMet = [headers["etag"], headers["last-modified"]].includes(wanted ?? "no condition");
    if (isMet || (alwaysUnchanged && wanted !== undefined)) return response.writeHead(304, now).end();
    bodies += 1;
    const text = changes && bodies > 1 ? "Other text" : "Known text";
    response.writeHead(200, { "content-type": "text/html", ...headers });
    return response.end(htmlPage(`<main><h1>${text}</h1><p>of a page.</p></main>`));
  });
  const scrape = async (options: object = {}) => {
    const { body } = await world.scrape({ url, maxAge: 0, ...options });
    const { markdown, metadata } = body.data;
    return { text: markdown?.split("\n")[0], revalidated: metadata.revalidated };
  };
  const conditions = () =>
    world.site
      .hits(path)
      .map(({ headers: sent }) => sent["if-none-match"] ?? sent["if-modified-since"] ?? null);
  return { url, scrape, conditions, bodies: () => bodies };
}

const SAME = { text: "# Known text", revalidated: true };
const OTHER = { text: "# Other text", revalidated: undefined };
const LONG_AGO = "Mon, 02 Nov 2026 10:00:00 GMT";
const DATED = { "last-modified": LONG_AGO, date: "Tue, 03 Nov 2026 10:00:00 GMT" };

test.each<[name: string, origin: Origin, second: object, bodies: number]>([
  ["a strong validator", { headers: { etag: '"1"' } }, SAME, 1],
  ["a weak validator", { headers: { etag: 'W/"1"' } }, SAME, 1],
  ["a date", { headers: DATED }, SAME, 1],
  ["no validator, but the same bytes", { headers: {} }, SAME, 2],
  ["a date of this very minute", { headers: { "last-modified": LONG_AGO, date: LONG_AGO } }, SAME, 2],
  ["another text", { headers: {}, changes: true }, OTHER, 2],
  ["a 304 for another page", { headers: { etag: '"1"' }, now: { etag: '"2"' }, changes: true }, OTHER, 2],
  [
    "a weak validator of another date",
    {
      headers: { ...DATED, etag: 'W/"1"' },
      now: { "last-modified": "Sun, 08 Nov 2026 10:00:00 GMT" },
      changes: true,
    },
    OTHER,
    2,
  ],
  ["any page varies", { headers: { etag: '"1"', vary: "*" }, changes: true }, OTHER, 2],
])("A81 a page is asked for again with %s", async (_name, origin, second, bodies) => {
  const page = pageOf(origin);
  expect(await page.scrape()).toEqual({ ...SAME, revalidated: undefined });
  expect(await page.scrape()).toEqual(second);
  expect(page.bodies()).toBe(bodies);
});

test.each([
  ["nine visits, with a strong validator", '"1"', 9],
  ["three visits, with a weak one and no date", 'W/"1"', 3],
])(
  "A82 an origin that answers 304 while its text changes freezes its page for no more than %s",
  async (_name, etag, most) => {
    const page = pageOf({ headers: { etag }, changes: true, alwaysUnchanged: true });
    const visits = [];
    for (let visit = 0; visit < most + 2; visit += 1) visits.push((await page.scrape()).text);
    expect(visits).toEqual([...Array<string>(most + 1).fill("# Known text"), "# Other text"]);
  },
);

test.each([
  { headers: { "x-me": "1" } },
  { location: { country: "DE" } },
  { mobile: true },
  { formats: ["rawBase64"] },
])("A83 another visit is not asked with the validator: %j", async (options) => {
  const page = pageOf({ headers: { etag: '"1"' } });
  await page.scrape();
  await page.scrape(options);
  expect(page.conditions()).toEqual([null, null]);
});

test("A84 a revalidated page is young again, keeps its id, and is the same to change tracking", async () => {
  const page = pageOf({ headers: { etag: '"1"' } });
  const tracked = { formats: ["markdown", "changeTracking"] };
  const first = await world.scrape({ url: page.url, ...tracked });
  const again = await world.scrape({ url: page.url, ...tracked });
  const { cacheState, revalidated } = again.body.data.metadata;
  expect([cacheState, revalidated]).toEqual([undefined, true]);
  expect([first, again].map(({ body }) => body.data.changeTracking?.changeStatus)).toEqual(["new", "same"]);
  const young = await world.scrape({ url: page.url, maxAge: 60_000 });
  expect(young.body.data.metadata.cacheState).toBe("hit");
  expect(page.bodies()).toBe(1);
});

test("A84 a revalidated page is found by searches after the record of its first scrape is gone", async () => {
  const page = pageOf({ headers: { etag: '"1"' } });
  await page.scrape();
  const { database, services } = world.app;
  const found = async () => {
    const { body } = await new RunClient(world).ask("POST /v2/search", {
      query: "known text page",
      limit: 100,
    });
    return (body.data as unknown as { web: readonly { url: string }[] }).web.some(
      ({ url }) => url === page.url,
    );
  };
  await expect.poll(found, { timeout: 20_000 }).toBe(true);
  await services.records.flush();
  const dayMs = 24 * 60 * 60 * 1000;
  await database.prepared("DELETE FROM scrapes").run();
  await database.prepared("UPDATE captures SET stored_at = stored_at - ?").run(dayMs);
  expect(await found()).toBe(false);
  await page.scrape();
  await expect.poll(found, { timeout: 20_000 }).toBe(true);
});

test("A85 a second crawl of a known site gives the same documents without a body", async () => {
  const paths = ["/site/", "/site/a", "/site/b", "/site/c"];
  let bodies = 0;
  for (const path of paths)
    world.site.page(path, (request, response) => {
      if (request.headers["if-none-match"] === `"${path}"`) return response.writeHead(304).end();
      bodies += 1;
      response.writeHead(200, { "content-type": "text/html", etag: `"${path}"` });
      return response.end(linkPage(`Page ${path}`, paths));
    });
  const order = {
    url: world.site.url("/site/"),
    scrapeOptions: { maxAge: 0, formats: ["markdown", "links"] },
  };
  const [first, second] = [await crawl(world, order), await crawl(world, order)];
  expect([first.paths, second.paths]).toEqual([paths, paths]);
  expect(bodies).toBe(4);
  const [before, after] = await Promise.all(
    [first, second].map(async ({ id }) => {
      const { body } = await world.get(`/v2/crawl/${id}`);
      const documents = body.data as unknown as {
        markdown: string;
        links: string[];
        metadata: Record<string, unknown>;
      }[];
      return documents
        .map(({ markdown, links, metadata }) => ({
          markdown,
          links,
          metadata: { ...metadata, scrapeId: "", revalidated: true },
        }))
        .toSorted((one, other) => one.markdown.localeCompare(other.markdown));
    }),
  );
  expect(after).toEqual(before);
});
