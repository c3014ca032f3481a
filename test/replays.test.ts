import { beforeAll, expect, test } from "vitest";

import type { CompareAnswer } from "../packages/server/src/history/operator/compare-requests.ts";
import type { ReplayAnswer } from "../packages/server/src/history/operator/show-request.ts";
import type { Format } from "../packages/server/src/scrape/formats/format.ts";
import { expectDeclared } from "./declared.ts";
import { ADMIN_KEY, makeTeam, type TestTeam } from "./operator.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";
import * as formats from "../packages/server/src/scrape/formats/all.ts";

/** So many requests are recorded, and replayed. */
const REQUESTS = 100;
/** At the same time; those with a browser wait for each other. */
const AT_ONCE = 4;

const world = useSharedWorld("keyed");
let team: TestTeam;

beforeAll(async () => {
  team = await makeTeam(world, { credits: 100_000 });
});

const SHOP = `<main itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Linen apron</h1>
<p itemprop="description">Heavy linen with two pockets, washed soft, made in Porto by a family of weavers.</p>
<img itemprop="image" src="/apron.png" alt="The apron"><p itemprop="offers" itemscope itemtype="https://schema.org/Offer">
<span itemprop="price">39.00</span> <span itemprop="priceCurrency">EUR</span></p><a href="/aprons">All aprons</a></main>`;
const MENU = `<main><h1>Menu</h1><h2>Starters</h2><ul><li>Tomato soup 6.50 €</li><li>Olives 4.00 €</li></ul>
<h2>Mains</h2><ul><li>Mushroom risotto 14.00 €</li><li>Grilled trout 18.50 €</li></ul></main>`;
const ARTICLE = `<main><article><h1>Growth of lichens</h1><p>Colonies were measured every nine days on four slopes.</p>
<p>The north slope grew fastest, by 0.41 mm a year, because it keeps its water for longer than the others.</p>
<table><tr><th>Slope</th><th>mm</th></tr><tr><td>North</td><td>0.41</td></tr></table><a href="/methods">Methods</a>
<video src="/film.mp4"></video><audio src="/song.mp3"></audio></article></main>`;
const PDF = writePdf({
  pages: [textPage("Growth of lichens", "Colonies were measured."), textPage("Sites and methods")],
});
const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(1000)]);
const MP4 = Buffer.concat([
  Buffer.from("\u0000\u0000\u0000\u0018ftypisom\u0000\u0000\u0002\u0000isomiso2", "latin1"),
  Buffer.alloc(200),
]);

/** Every way to ask for each format. Those that are followed from scrape to scrape differ by what they are. */
const WISHES: readonly object[] = Object.entries<Format>(formats)
  .filter(([type]) => type !== "changeTracking")
  .flatMap(([type, { examples }]) => (examples as readonly object[] | undefined) ?? [{ type }]);

/** What else a request may say. */
const OPTIONS: readonly object[] = [
  {},
  { onlyMainContent: false },
  { excludeTags: ["table"], headers: { "accept-language": "de" } },
  { includeTags: ["h1", "p"], location: { country: "DE" } },
];

/** Bodies of a hundred requests: each format on each page, by turns with other options; then documents and actions. */
function bodies(): readonly object[] {
  const pages = [page("/shop", SHOP), page("/menu", MENU), page("/article", ARTICLE)];
  file("/film.mp4", MP4, "video/mp4");
  file("/song.mp3", MP3, "audio/mpeg");
  const pdf = file("/lichens.pdf", PDF, "application/pdf");
  const ofPages = WISHES.flatMap((wish, at) =>
    pages.map((url, of) => ({ url, formats: [wish], ...OPTIONS[(at + of) % OPTIONS.length] })),
  );
  const ofDocuments = [
    { url: pdf },
    { url: pdf, parsers: [{ type: "pdf", blocks: true }] },
    { url: pdf, parsers: [{ type: "pdf", maxPages: 1 }], formats: ["markdown", "summary"] },
    { url: pdf, parsers: [] },
    { url: pages[1], actions: [{ type: "wait", milliseconds: 10 }, { type: "scrape" }] },
    { url: pages[1], waitFor: 50, mobile: true },
    { url: page("/gone", "", 404) },
    { url: page("/refused", "<p>No</p>", 403), proxy: "basic" },
    { url: pages[0], formats: ["markdown", "html", "links", "images", "summary", "product"] },
  ];
  const known = [...ofPages, ...ofDocuments];
  const again = Array.from({ length: REQUESTS - known.length }, (_none, at) => ({
    url: pages[at % pages.length],
    formats: ["markdown", "links"],
    ...OPTIONS[at % OPTIONS.length],
    timeout: 30_000 + at,
  }));
  return [...known, ...again];
}

function page(path: string, body: string, status = 200): string {
  return file(path, htmlPage(body), "text/html; charset=utf-8", status);
}

function file(path: string, bytes: string | Uint8Array, type: string, status = 200): string {
  return world.site.page(path, (_request, response) => {
    response.writeHead(status, { "content-type": type }).end(bytes);
  });
}

async function ask<Answer>(method: string, path: string): Promise<Answer> {
  const headers = { authorization: `Bearer ${ADMIN_KEY}` };
  const response = await fetch(world.baseUrl + path, {
    method,
    headers,
    ...(method === "POST" && { body: "{}" }),
  });
  const body: unknown = await response.json();
  expectDeclared({ method, path, status: response.status, body });
  return body as Answer;
}

/** What a hundred of them need one after the other, so many at once. */
async function each<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let next = 0;
  async function worker(): Promise<void> {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as Item);
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

async function paidFor(work: () => Promise<unknown>): Promise<number> {
  const before = await team.remaining();
  await work();
  return before - (await team.remaining());
}

test("a hundred requests of all formats, replayed, bring the same answers at the same price", async () => {
  const wanted = bodies();
  expect(wanted).toHaveLength(REQUESTS);
  let ids: readonly string[] = [];
  const price = await paidFor(async () => {
    ids = await each(wanted, async (body) => {
      const { status, body: answer } = await team.scrape({ ...body, maxAge: 0 });
      expect([body, status]).toEqual([body, 200]);
      return answer.data.metadata.scrapeId;
    });
  });
  const replays: (readonly [string, string])[] = [];
  const priceAgain = await paidFor(() =>
    each(ids, async (id) => {
      const { data } = await ask<ReplayAnswer>("POST", `/admin/api/requests/${id}/replay`);
      replays.push([id, data.id]);
    }),
  );
  expect(priceAgain).toBe(price);
  const differences = await each(replays, async ([id, replayed]) => {
    const { data } = await ask<CompareAnswer>("GET", `/admin/api/compare?a=${id}&b=${replayed}`);
    return { ...data, body: wanted[ids.indexOf(id)] };
  });
  expect(differences.filter(({ isSame }) => !isSame)).toEqual([]);
}, 240_000);
