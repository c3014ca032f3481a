import { describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();

const STRING = { type: "string" };
const TEXT = `<p>The eastern quay of the harbour opens again in June after two years of repairs, the port authority said.</p>
  <p>Its wall had sunk by a hand in the storms of the winter before and was set on new piles of oak.</p>
  <p>Ships that waited at the outer quay may return to their berths, and the market moves back to the square.</p>`;

/** A page that teases others, whose values are not its own. */
const pages: Readonly<Record<string, string>> = {
  "articles in cards": `<section class="related"><h2>Related</h2>
    <article class="card"><h3><a href="/a">A bridge of oak</a></h3><span class="author">Ingrid Solberg</span> <time datetime="2021-03-04">4 March 2021</time></article>
    <article class="card"><h3><a href="/b">The last tram</a></h3><span class="author">Pavel Hruby</span> <time datetime="2022-05-06">6 May 2022</time></article></section>`,
  "one article in an aside": `<aside><h2>Read next</h2><div><h3><a href="/a">A bridge of oak</a></h3>
    <p class="byline">By Ingrid Solberg</p><p>Published: 4 March 2021</p></div></aside>`,
  "entries of a list": `<div class="more"><h2>More from the harbour</h2><ul>
    <li><a href="/a">A bridge of oak</a> <span>by Ingrid Solberg</span>, <time>4 March 2021</time></li>
    <li><a href="/b">The last tram</a> <span>by Pavel Hruby</span>, <time>6 May 2022</time></li></ul></div>`,
  "a single teaser": `<div class="teaser"><a href="/a"><h3>A bridge of oak</h3><span rel="author" class="author">Ingrid Solberg</span><time datetime="2021-03-04">4 March 2021</time><span class="price">$12.00</span></a></div>`,
  "products with prices": `<section><h2>You may also like</h2><ul>
    <li><a href="/heron"><img src="/heron.png" alt=""> Heron floor lamp</a> <span class="price">$219.00</span></li>
    <li><a href="/wren"><img src="/wren.png" alt=""> Wren clip lamp</a> <span class="price">$59.00</span></li></ul></section>`,
  "articles with microdata": `<section><h2>Latest</h2><div itemscope itemtype="https://schema.org/NewsArticle"><a itemprop="url" href="/a"><span itemprop="headline">A bridge of oak</span></a>
    <span itemprop="author">Ingrid Solberg</span><time itemprop="datePublished" datetime="2021-03-04">4 March 2021</time></div></section>`,
};

async function jsonOf(path: string, content: string) {
  const url = world.site.page(path, htmlPage(`<main>${content}</main>`));
  const properties = { title: STRING, author: STRING, datePublished: STRING, price: STRING };
  const { body } = await world.scrape({
    url,
    formats: [{ type: "json", schema: { type: "object", properties } }],
  });
  expect(body).toMatchObject({ success: true });
  return body.data.json ?? {};
}

describe.each(Object.entries(pages))("beside %s", (name, teasers) => {
  const path = `/${name.replaceAll(" ", "-")}`;

  test("a page without author, date and price has none", async () => {
    const json = await jsonOf(path, `<article><h1>Quay opens again</h1>${TEXT}</article>${teasers}`);
    expect(json).toEqual({ title: "Quay opens again" });
  });

  test("and in its article too", async () => {
    const json = await jsonOf(
      `${path}-within`,
      `<article><h1>Quay opens again</h1>${TEXT}${teasers}</article>`,
    );
    expect(json).toEqual({ title: "Quay opens again" });
  });

  test("a page has its own author and date", async () => {
    const own = `<p class="byline">By Asta Berg, <time datetime="2026-02-03">3 February 2026</time></p>`;
    const json = await jsonOf(
      `${path}-own`,
      `${teasers}<article><h1>Quay opens again</h1>${own}${TEXT}</article>`,
    );
    expect(json).toMatchObject({
      title: "Quay opens again",
      author: "Asta Berg",
      datePublished: expect.stringMatching(/2026-02-03|3 February 2026/u) as string,
    });
  });
});

/** Parts with a link that are of the page all the same. */
const OWN = `<span class="author">Asta Berg</span> <time datetime="2026-02-03">3 February 2026</time>`;
const ownParts: Readonly<Record<string, string>> = {
  "a heading that leads to the page itself, below the name of the site": `<h1>The Harbour Post</h1>
    <div><h2><a href="/own-1">Quay opens again</a></h2>${OWN}<span class="price">$2.00</span></div>${TEXT}`,
  "a section above the heading in the header": `<article><header><h1>Quay opens again</h1>
    <div><h4><a href="/news">News of the harbour</a></h4>${OWN}<span class="price">$2.00</span></div></header>${TEXT}</article>`,
  "the writer's own heading": `<article><h1>Quay opens again</h1>
    <div><h4 class="author"><a href="/asta-berg">Asta Berg</a></h4><time datetime="2026-02-03">3 February 2026</time><span class="price">$2.00</span></div>${TEXT}</article>`,
  "labels that lead to what they mean": `<article><h1>Quay opens again</h1><p class="byline">${OWN}</p>
    <ul><li><b><a href="/words/price">Ticket price</a></b> $2.00</li><li><b><a href="/words/gate">Gate number</a></b> 7 of 9</li></ul>${TEXT}</article>`,
};

describe.each(Object.entries(ownParts))("in %s", (name, content) => {
  test("values are the page's own", async () => {
    const json = await jsonOf(`/own-${Object.keys(ownParts).indexOf(name) + 1}`, content);
    expect(json).toMatchObject({ author: "Asta Berg", datePublished: "2026-02-03", price: "$2.00" });
  });
});

test("lists of what several teasers say are filled all the same", async () => {
  const cards = pages["articles in cards"] ?? "";
  const url = world.site.page("/listed", htmlPage(`<main><h1>All of the harbour</h1>${cards}</main>`));
  const things = { type: "array", items: { type: "object", properties: { title: STRING, author: STRING } } };
  const { body } = await world.scrape({
    url,
    formats: [{ type: "json", schema: { type: "object", properties: { articles: things } } }],
  });
  expect(body.data.json).toEqual({
    articles: [
      { title: "A bridge of oak", author: "Ingrid Solberg" },
      { title: "The last tram", author: "Pavel Hruby" },
    ],
  });
});
