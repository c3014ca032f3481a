import { execFile } from "node:child_process";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "./site.ts";
import { openWorld, type World } from "./world.ts";

const run = promisify(execFile);

/** A Python that has the official client: `python3 -m venv venv && venv/bin/pip install firecrawl-py`. */
const python = process.env["FIRECRAWL_PYTHON"] ?? "python3";
const hasClient = await run(python, ["-c", "import firecrawl"]).then(
  () => true,
  () => false,
);
if (!hasClient) {
  console.warn(
    "NOT TESTED: the official Python client is not installed here: set FIRECRAWL_PYTHON to a Python that has firecrawl-py",
  );
}

/** Scrapes what it is told, and prints the documents as the client's own types have them. */
const PROGRAM = `
import json, sys
from firecrawl.v2.client import FirecrawlClient
from firecrawl.v2.methods.scrape import scrape
from firecrawl.v2.types import ScrapeOptions
client = FirecrawlClient(api_key="fc-any", api_url=sys.argv[1]).http_client
documents = [scrape(client, url, ScrapeOptions(**options)) for url, options in json.loads(sys.argv[2])]
print(json.dumps([document.model_dump(mode="json", exclude_none=True) for document in documents]))
`;

type Document = Readonly<Record<string, unknown>>;

const MP3 = Buffer.concat([Buffer.from([0xff, 0xfb, 0x90, 0x00]), Buffer.alloc(1000)]);
const MP4 = Buffer.concat([
  Buffer.from("\u0000\u0000\u0000\u0018ftypisom\u0000\u0000\u0002\u0000isomiso2", "latin1"),
  Buffer.alloc(200),
]);

describe.runIf(hasClient)("the official Python client", () => {
  let world: World;
  beforeAll(async () => {
    world = await openWorld();
  });
  afterAll(() => world.close());

  /** What the client makes of these requests, in one start of Python. */
  async function scrape(
    requests: readonly (readonly [url: string, options: object])[],
  ): Promise<readonly Document[]> {
    const { stdout } = await run(python, ["-c", PROGRAM, world.baseUrl, JSON.stringify(requests)]);
    return JSON.parse(stdout) as readonly Document[];
  }

  const media = (path: string, bytes: Uint8Array, type: string) =>
    world.site.page(path, (_request, response) => {
      response.writeHead(200, { "content-type": type }).end(bytes);
    });

  test("reads product, menu, branding, media, changes and redacted text", async () => {
    const offer = { "@type": "Offer", price: "24.50", priceCurrency: "EUR" };
    const lamp = JSON.stringify({ "@type": "Product", name: "Blue lamp", sku: "L-1", offers: offer });
    const shop = world.site.page(
      "/p/blue-lamp",
      htmlPage(
        `<h1>Blue lamp</h1><p class="price">€24.50</p><button style="background: rgb(10, 80, 200); color: white">Add to cart</button><script type="application/ld+json">${lamp}</script>`,
        "<title>Blue lamp</title>",
      ),
    );
    const dishes = world.site.page(
      "/dishes",
      htmlPage("<h1>Menu</h1><h2>Soups</h2><p>Tomato soup: €5.50</p><p>Onion soup: €6.00</p>"),
    );
    media("/song.mp3", MP3, "audio/mpeg");
    media("/film.mp4", MP4, "video/mp4");
    const films = world.site.page(
      "/films",
      htmlPage('<h1>Films</h1><video src="/film.mp4"></video><audio src="/song.mp3"></audio>'),
    );
    const contact = world.site.page(
      "/contact",
      htmlPage("<main><h1>Contact</h1><p>Write to kim.park@shop.test, or call +44 20 7946 0958.</p></main>"),
    );
    const tracked = ["markdown", { type: "changeTracking", modes: ["git-diff"] }];
    const [sold, eaten, seen, hidden, followed] = await scrape([
      [shop, { formats: ["product", "branding"] }],
      [dishes, { formats: ["menu"] }],
      [films, { formats: ["audio", "video"] }],
      [contact, { formats: ["markdown"], redact_pii: { mode: "accurate", replace_style: "tag" } }],
      [contact, { formats: tracked, max_age: 0 }],
    ]);
    expect(sold).toMatchObject({
      product: { title: "Blue lamp", variants: [{ sku: "L-1", price: { amount: 24.5, currency: "EUR" } }] },
      branding: { colors: expect.anything() as unknown },
    });
    const items = [{ name: "Tomato soup" }, { name: "Onion soup" }];
    expect(eaten).toMatchObject({ menu: { is_menu: true, sections: [{ name: "Soups", items }] } });
    expect(seen).toMatchObject({
      audio: expect.stringContaining(".mp3?") as string,
      video: expect.stringContaining(".mp4?") as string,
    });
    expect(hidden?.["markdown"]).toContain("Write to <EMAIL>, or call <PHONE>.");
    expect(followed).toMatchObject({ change_tracking: { changeStatus: "new" } });
  });
});
