import { FirecrawlClient } from "firecrawl";
import { beforeAll, describe, expect, test } from "vitest";

import { textPage, writePdf } from "../pdf-writer.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const PAGE = htmlPage(
  `<main><h1>Contact</h1>
  <p>Write to <a href="mailto:kim.park@shop.test">kim.park@shop.test</a> or call +44 20 7946 0958.</p>
  <p>Card 4111 <b>1111</b> 1111 1111, account DE89 3704 0044 0532 0130 00.</p>
  <pre><code>export API_TOKEN=ghp_9aX2kQ7LmP4sT8vW1yZ5bC3dE6fG0hJkLmNo</code></pre>
  <p>We are at 12 Elm Street, Springfield, IL 62704.</p></main>`,
  '<title>Contact</title><meta name="author" content="kim.park@shop.test">',
);

const world = useSharedWorld();
let url: string;

beforeAll(async () => {
  url = world.site.page("/contact", PAGE);
});

async function markdownWith(redactPII: unknown): Promise<string> {
  const { body } = await world.scrape({ url, redactPII });
  return body.data.markdown ?? "";
}

describe("A52 redactPII", () => {
  test("replaces personal data by its kind", async () => {
    const markdown = await markdownWith(true);
    expect(markdown).toContain("Write to [<EMAIL>](mailto:<EMAIL>) or call <PHONE>.");
    expect(markdown).toContain("Card <FINANCIAL>, account <FINANCIAL>.");
    expect(markdown).toContain("export API_TOKEN=<SECRET>\n```");
    expect(markdown).toContain("We are at <LOCATION>.");
  });

  test("masks it with as many stars as there were characters", async () => {
    const markdown = await markdownWith({ replaceStyle: "mask", entities: ["PHONE"] });
    expect(markdown).toContain(`or call ${"*".repeat("+44 20 7946 0958".length)}.`);
    expect(markdown).toContain("kim.park@shop.test");
  });

  test("removes it together with the space that it would leave twice", async () => {
    const markdown = await markdownWith({ mode: "fast", replaceStyle: "remove", entities: ["FINANCIAL"] });
    expect(markdown).toContain("Card , account .");
  });

  test("leaves other entities than the wanted ones; none named are all", async () => {
    const emails = await markdownWith({ entities: ["EMAIL"] });
    expect(emails).toContain("<EMAIL>");
    expect(emails).toContain("12 Elm Street");
    expect(await markdownWith({ entities: [] })).toBe(await markdownWith(true));
  });

  test("changes neither html, links nor metadata", async () => {
    const { body } = await world.scrape({
      url,
      formats: ["markdown", "html", "rawHtml", "links"],
      redactPII: true,
    });
    expect(body.data.html).toContain("kim.park@shop.test");
    expect(body.data.rawHtml).toBe(PAGE);
    expect(body.data.links).toEqual(["mailto:kim.park@shop.test"]);
    expect(body.data.metadata).toMatchObject({ author: "kim.park@shop.test", creditsUsed: 5 });
  });

  test("every format that is made of the Markdown is redacted alike", async () => {
    const told = world.site.page(
      "/told",
      htmlPage(
        `<main><h1>Contact</h1><p>Questions about the shop are answered at kim.park@shop.test all day.</p>
        <p><b>Mail:</b> kim.park@shop.test</p></main>`,
      ),
    );
    const schema = { type: "object", properties: { mail: { type: "string" } } };
    const formats = [
      "markdown",
      "summary",
      { type: "json", schema },
      { type: "question", question: "Where are questions about the shop answered?" },
      { type: "highlights", query: "questions about the shop" },
      { type: "changeTracking", modes: ["git-diff"] },
    ];
    await world.scrape({ url: told, formats, redactPII: true, maxAge: 0 });
    world.site.page("/told", htmlPage("<main><h1>Contact</h1><p>Write to ann.lee@shop.test now.</p></main>"));
    const { body: changed } = await world.scrape({ url: told, formats, redactPII: true, maxAge: 0 });
    expect(changed.data.changeTracking?.diff).toContain("Write to <EMAIL> now.");
    const { markdown, summary, json, answer, highlights } = changed.data;
    const shown = JSON.stringify({
      markdown,
      summary,
      json,
      answer,
      highlights,
      tracked: changed.data.changeTracking,
    });
    expect(shown).toContain("<EMAIL>");
    expect(shown).not.toContain("@shop.test");
  });

  test("changes neither product, menu, images, links nor what actions see", async () => {
    const offer = { "@type": "Offer", price: "24.50", priceCurrency: "EUR" };
    const name = "Lamp of kim.park@shop.test";
    const sold = JSON.stringify({ "@type": "Product", name, sku: "L-1", offers: offer });
    const shop = world.site.page(
      "/p/lamp",
      htmlPage(
        `<main><h1>${name}</h1><p class="price">€24.50</p><button>Add to cart</button>
        <img src="/kim.park@shop.test.png" alt="x"><script type="application/ld+json">${sold}</script></main>`,
        `<title>${name}</title>`,
      ),
    );
    const dishes = world.site.page(
      "/dishes",
      htmlPage("<h1>Menu</h1><h2>Soups</h2><p>Soup of kim.park@shop.test: €5.50</p><p>Onion soup: €6.00</p>"),
    );
    const formats = ["markdown", "product", "menu", "images"];
    const actions = [{ type: "scrape" }];
    const [product, menu] = await Promise.all([
      world.scrape({ url: shop, formats, actions, redactPII: true }),
      world.scrape({ url: dishes, formats, redactPII: true }),
    ]);
    expect(product.body.data).toMatchObject({
      markdown: expect.stringContaining("# Lamp of <EMAIL>") as string,
      product: { title: name },
      images: [expect.stringContaining("kim.park@shop.test.png") as string],
      actions: { scrapes: [{ html: expect.stringContaining(name) as string }] },
    });
    expect(menu.body.data.markdown).toContain("Soup of <EMAIL>");
    expect(menu.body.data.menu).toMatchObject({
      sections: [{ items: [{ name: "Soup of kim.park@shop.test" }, {}] }],
    });
  });

  test("is made of the copy in the cache, which has all data", async () => {
    await world.scrape({ url });
    const { body } = await world.scrape({ url, redactPII: true });
    expect(body.data.metadata).toMatchObject({ cacheState: "hit", creditsUsed: 5 });
    expect(body.data.markdown).not.toContain("kim.park");
    const plain = await world.scrape({ url });
    expect(plain.body.data.markdown).toContain("kim.park@shop.test");
  });

  test("works on pages that a thread reads", async () => {
    const filler = "<p>A paragraph that fills the page with words.</p>".repeat(2000);
    const large = world.site.page("/large", PAGE.replace("</main>", `${filler}</main>`));
    const { body } = await world.scrape({ url: large, redactPII: true });
    expect(body.data.markdown).toContain("call <PHONE>.");
  });

  test("refuses a file that is not decoded, because nothing can be taken out of that", async () => {
    const pdf = Buffer.from(writePdf({ pages: [textPage("Write to kim.park@shop.test.")] }));
    const file = world.site.page("/contact.pdf", (_, response) => {
      response.writeHead(200, { "content-type": "application/pdf" }).end(pdf);
    });
    const decoded = await world.scrape({ url: file, redactPII: true });
    expect(decoded.body.data.markdown).toContain("Write to <EMAIL>.");
    const { status, body } = await world.scrape({ url: file, redactPII: true, parsers: [] });
    expect([status, body.code]).toEqual([500, "SCRAPE_UNSUPPORTED_FILE_ERROR"]);
    expect(body.error).toContain("leave out redactPII");
    expect(JSON.stringify(body)).not.toContain("JVBER");
  });

  test("is read by the official client", async () => {
    const client = new FirecrawlClient({ apiUrl: world.baseUrl, apiKey: "fc-anything" });
    const { markdown } = await client.scrape(url, {
      redactPII: { mode: "accurate", entities: ["EMAIL", "SECRET"], replaceStyle: "tag" },
    });
    expect(markdown).toContain("[<EMAIL>](mailto:<EMAIL>)");
    expect(markdown).toContain("API_TOKEN=<SECRET>");
    expect(markdown).toContain("+44 20 7946 0958");
  });
});
