import { beforeAll, describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { type PdfPageSource, writePdf } from "../pdf-writer.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();

/** Puts bytes of a type on a path. */
function file(path: string, contentType: string, body: string | Uint8Array): string {
  return world.site.page(path, (_request, response) => {
    response.writeHead(200, { "content-type": contentType }).end(body);
  });
}

/** The data of a scrape that succeeds. */
async function dataOf(request: Readonly<Record<string, unknown>>) {
  const { status, body } = await world.scrape(request);
  expect(body).toMatchObject({ success: true });
  expect(status).toBe(200);
  return body.data;
}

const PRODUCT = `<header><nav><a href="/">Home</a> <a href="/lamps">Lamps</a></nav></header>
  <main><div class="product"><h1>Osprey desk lamp</h1><p class="price">$149.00</p>
  <p>The arm of this lamp is turned from ash and holds any angle without a spring, and its shade is spun from one sheet of brass.</p>
  <label>Colour <select name="colour"><option>Moss</option><option>Slate</option></select></label>
  <button>Add to cart</button></div>
  <section class="reviews"><h2>Reviews</h2>
    <div class="review"><span class="author">Ingrid Solberg</span> <span class="stars" aria-label="4 out of 5 stars">★★★★☆</span>
      <p>Stands firmly and throws a warm light over the whole table.</p></div>
    <div class="review"><span class="author">Pavel Hruby</span> <span class="stars" aria-label="5 out of 5 stars">★★★★★</span>
      <p>I bought a second one for the reading room a week later.</p></div></section>
  <section class="related"><h2>You may also like</h2><ul>
    <li><a href="/heron"><img src="/heron.png" alt=""> Heron floor lamp</a> $219.00</li>
    <li><a href="/wren"><img src="/wren.png" alt=""> Wren clip lamp</a> $59.00</li>
    <li><a href="/teal"><img src="/teal.png" alt=""> Teal ceiling lamp</a> $189.00</li></ul></section></main>
  <footer>Imprint</footer>`;

describe("a product page", () => {
  let url: string;

  beforeAll(() => {
    url = world.site.page("/osprey", htmlPage(PRODUCT));
  });

  test("keeps its reviewers and their stars", async () => {
    const { markdown } = await dataOf({ url });
    expect(markdown).toContain("Ingrid Solberg ★★★★☆");
    expect(markdown).toContain("Pavel Hruby ★★★★★");
  });

  test("has no heading of a part that was left out", async () => {
    const { markdown } = await dataOf({ url });
    expect(markdown?.includes("You may also like")).toBe(markdown?.includes("Heron floor lamp"));
  });

  test("answers a prompt with the price that product finds", async () => {
    const { json, product } = await dataOf({
      url,
      formats: ["product", { type: "json", prompt: "Name and price of the product" }],
    });
    expect(JSON.stringify(product)).toContain("149");
    expect(JSON.stringify(json)).toContain("149");
    expect(JSON.stringify(json)).toContain("Osprey desk lamp");
  });
});

const at = (x: number, y: number, lines: readonly string[], font = "F1"): string =>
  lines
    .map((line, index) => `BT /${font} 10 Tf ${String(x)} ${String(y - 12 * index)} Td (${line}) Tj ET`)
    .join("\n");

const pdfAt = (path: string, pages: readonly PdfPageSource[]): string =>
  file(path, "application/pdf", writePdf({ pages }));

describe("a PDF", () => {
  test("joins the paragraph that a column cuts", async () => {
    const left = [
      "The tides of the northern sound were measured at",
      "nine stations over two winters, each of which had",
      "a float, a drum and a clock that was wound by the",
      "keeper of the light. Readings were taken every",
      "hour and copied into a book at the end of the day,",
      "so that the loss of one drum could never cost more",
      "than a single tide. In the second winter the clock",
      "of the outermost station stopped three times, and",
    ];
    const right = [
      "its readings were replaced by those of the nearest",
      "station, moved by the mean difference of both.",
      "",
      "A second series was taken in the summer after, when",
      "the ice had gone and the keepers could row out to",
      "the floats and clean them of weed and of shells.",
      "It agrees with the first to within a hand's breadth",
      "at every station but one.",
    ].map((line) => line.replaceAll("'", "\\047"));
    const content = `${at(60, 700, left)}\n${at(320, 700, right)}`;
    const { markdown } = await dataOf({ url: pdfAt("/columns.pdf", [{ content }]) });
    expect(markdown).toContain("stopped three times, and its readings were replaced");
    expect(markdown).toContain("\n\nA second series was taken");
  });

  test("keeps the paragraphs of short lines apart", async () => {
    const paragraphs = [
      ["Open from nine to five.", "Closed on feast days."],
      ["Tickets at the gate.", "Children pay half."],
      ["Dogs wait outside.", "Water is provided."],
    ];
    const content = paragraphs.map((lines, index) => at(72, 720 - index * (2 * 12 + 6), lines)).join("\n");
    const { markdown } = await dataOf({ url: pdfAt("/short-lines.pdf", [{ content }]) });
    expect(markdown?.trim().split(/\n\n+/u)).toEqual(paragraphs.map((lines) => lines.join(" ")));
  });
});

test("a letter of one page keeps its letterhead and the initial of who signed it", async () => {
  const content = [
    at(200, 790, ["PORT AUTHORITY OF VIANA"]),
    at(72, 700, [
      "The lock is closed for repairs until the end of the month.",
      "Ships wait at the outer quay.",
    ]),
    at(72, 600, ["M. Reis, harbour master"]),
    at(300, 30, ["1"]),
  ].join("\n");
  const { markdown } = await dataOf({ url: pdfAt("/letter.pdf", [{ content }]) });
  expect(markdown).toMatch(/^\W*PORT AUTHORITY OF VIANA/u);
  expect(markdown).toContain("M. Reis, harbour master");
});

test("a summary of a whole page tells the article, not the logo and the advertisement above it", async () => {
  const url = world.site.page(
    "/quay",
    htmlPage(`<header><a href="/">The Tidings of Viana</a></header><div class="ad">Buy the new kettle now, half price today only.</div>
      <main><article><h1>Quay opens again</h1>
      <p>The eastern quay of the harbour opens again in June after two years of repairs, the port authority said.</p>
      <p>Its wall had sunk by a hand in the storms of the winter before and was set on new piles of oak.</p></article></main>`),
  );
  const { summary } = await dataOf({ url, formats: ["summary"], onlyMainContent: false });
  expect(summary).toContain("eastern quay");
  expect(summary).not.toMatch(/kettle|Tidings/u);
});

describe("facts", () => {
  const STRING = { type: "string" };

  test("of an event fill the fields of a schema", async () => {
    const url = world.site.page(
      "/event",
      htmlPage(`<main><h1>Northern Glass Symposium</h1>
        <p>Two days on kilns, colour and repair, for makers and keepers of collections from every country around the sea.</p>
        <dl><dt>Date</dt><dd>14 May 2027</dd><dt>Venue</dt><dd>Harbour Hall, Tromsdal</dd><dt>Price</dt><dd>€85</dd>
        <dt>Phone</dt><dd>+47 555 01 234</dd><dt>Email</dt><dd>desk@glass.example</dd></dl></main>`),
    );
    const properties = {
      name: STRING,
      date: STRING,
      venue: STRING,
      price: STRING,
      phone: STRING,
      email: STRING,
    };
    const { json } = await dataOf({
      url,
      formats: [{ type: "json", schema: { type: "object", properties } }],
    });
    expect(json).toMatchObject({
      name: "Northern Glass Symposium",
      date: expect.stringMatching(/14 May 2027|2027-05-14/u) as string,
      venue: expect.stringContaining("Harbour Hall") as string,
      price: expect.stringContaining("85") as string,
      phone: expect.stringContaining("555 01 234") as string,
      email: "desk@glass.example",
    });
  });

  test("of another type than the field's are left out and named in the warning", async () => {
    const url = world.site.page(
      "/people",
      htmlPage(`<main><h1>Members of the guild</h1><p>All members who may be called about repairs.</p>
        <table><thead><tr><th>Name</th><th>City</th></tr></thead><tbody>
        <tr><td>Asta Berg</td><td>Lund</td></tr><tr><td>Bo Dahl</td><td>+47 555 01 234</td></tr></tbody></table></main>`),
    );
    const items = { type: "object", properties: { name: STRING, city: STRING } };
    const { json, warning } = await dataOf({
      url,
      formats: [
        { type: "json", schema: { type: "object", properties: { people: { type: "array", items } } } },
      ],
    });
    expect(json).toEqual({ people: [{ name: "Asta Berg", city: "Lund" }, { name: "Bo Dahl" }] });
    expect(warning).toContain("people[].city");
  });

  test("that a page does not tell are left out: no sentence stands for a cost", async () => {
    const url = world.site.page(
      "/bridge",
      htmlPage(`<main><article><h1>The old bridge</h1>
        <p>Nobody knows what the bridge cost, since the books of the guild burned in the fire of the town hall.</p>
        <p>It was built of oak and stone by forty men and carries carts to this day.</p></article></main>`),
    );
    const properties = { bridge_cost: { type: "number" }, cost: STRING };
    const { json } = await dataOf({
      url,
      formats: [{ type: "json", schema: { type: "object", properties } }],
    });
    expect(json ?? {}).toEqual({});
  });

  test("of a JSON body are read as JSON", async () => {
    const url = file(
      "/town.json",
      "application/json",
      `{"city": "Lund", "bridges": 14, "mayor": {"name": "Asta Berg"}}`,
    );
    const { json } = await dataOf({
      url,
      formats: [{ type: "json", prompt: "The city and its mayor" }],
    });
    expect(json).toEqual({ city: "Lund", mayor: { name: "Asta Berg" } });
  });
});

test("an answer has no heading glued to its sentence", async () => {
  const url = world.site.page(
    "/ferry",
    htmlPage(`<main><article><h1>West pier tram to stop after ninety years</h1>
      <p>The old line to the lighthouse carries its last passengers on 3 October, the town council said on Monday.</p>
      <p>Rails and wires will be taken down in the winter and given to a museum.</p></article></main>`),
  );
  const { answer } = await dataOf({
    url,
    formats: [
      { type: "question", question: "When does the tram to the lighthouse carry its last passengers?" },
    ],
  });
  expect(answer).toContain("3 October");
  expect(answer).not.toMatch(/ninety years\s+The old/u);
});

test("a page in GBK that declares no charset is read", async () => {
  // "北京的天气今天很好" and "我们去公园散步" in GBK, a few times over.
  const sentences = "b1b1bea9b5c4ccecc6f8bdf1ccecbadcbac3a1a3ced2c3c7c8a5b9abd4b0c9a2b2bda1a3";
  const body = Buffer.concat([
    Buffer.from("<html><body><main><p>"),
    Buffer.from(sentences.repeat(6), "hex"),
    Buffer.from("</p></main></body></html>"),
  ]);
  const { markdown } = await dataOf({ url: file("/gbk", "text/html", body) });
  expect(markdown).toContain("北京的天气今天很好。我们去公园散步。");
});
