import { textPage, writePdf } from "../../test/pdf-writer.ts";
import { htmlPage, type Site } from "../../test/site.ts";

/** A request that is made, and replayed. */
export interface ReplayCase {
  readonly name: string;
  readonly body: { readonly url: string } & Readonly<Record<string, unknown>>;
}

interface ReplayPages {
  /** Of the web, one kind each. */
  readonly web: readonly string[];
  readonly pdf: string;
  readonly files: readonly string[];
  /** Which end in a failure, or in an answer that is none. */
  readonly odd: readonly string[];
}

const SCHEMA = {
  type: "object",
  properties: { title: { type: "string" }, price: { type: "number" }, links: { type: "array" } },
};

/** What every page of the web is asked for. */
const FORMATS: Readonly<Record<string, readonly unknown[]>> = {
  markdown: ["markdown"],
  html: ["html"],
  rawHtml: ["rawHtml"],
  links: ["links", "images"],
  summary: ["summary"],
  json: [{ type: "json", schema: SCHEMA }],
  question: [{ type: "question", question: "What does it cost?" }],
  highlights: [{ type: "highlights", query: "price and opening hours" }],
  query: [{ type: "query", prompt: "What is this page about?" }],
  product: ["product"],
  menu: ["menu"],
  attributes: [{ type: "attributes", selectors: [{ selector: "a", attribute: "href" }] }],
  rawBase64: ["rawBase64"],
  branding: ["branding"],
  screenshot: ["screenshot"],
  "full screenshot": [{ type: "screenshot", fullPage: true }, "markdown"],
  media: ["audio"],
};

/** Options that change how a page is got or read. */
const OPTIONS: readonly (readonly [name: string, options: Readonly<Record<string, unknown>>])[] = [
  ["whole page", { onlyMainContent: false, formats: ["markdown", "html"] }],
  ["clean content", { onlyCleanContent: true }],
  ["tags", { includeTags: ["main"], excludeTags: ["p"] }],
  ["redaction", { redactPII: true }],
  ["actions", { actions: [{ type: "click", selector: "a" }, { type: "scrape" }] }],
  ["wrong selector", { actions: [{ type: "click", selector: "#absent" }] }],
  ["phone", { mobile: true, formats: ["markdown", "screenshot"] }],
];

/** Puts pages on a site that stay as they are. */
export function addReplayPages(site: Site): ReplayPages {
  const file = (path: string, type: string, body: string | Buffer, status = 200) =>
    site.page(
      path,
      (_request, response) => void response.writeHead(status, { "content-type": type }).end(body),
    );
  const pdf = writePdf({ pages: [textPage("Annual report", "All was well."), textPage("Second page")] });
  return {
    web: [
      site.page("/article", htmlPage(ARTICLE, "<title>On lichens</title>")),
      site.page("/product", htmlPage(PRODUCT, `<title>Linen apron</title>${PRODUCT_DATA}`)),
      site.page("/list", htmlPage(LIST, "<title>Books</title>")),
      site.page("/menu", htmlPage(MENU, "<title>Trattoria</title>")),
      site.page(
        "/scripted",
        htmlPage('<main id="m"></main><script>m.innerHTML = "<h1>Made by a script</h1>"</script>'),
      ),
    ],
    pdf: file("/report.pdf", "application/pdf", pdf),
    files: [
      file("/data.json", "application/json", '{"name": "Ann", "list": [1, 2, {"a": null}]}'),
      file("/table.csv", "text/csv", "name,age\nAnn,31\nBen,28\n"),
      file("/feed.xml", "application/xml", "<feed><title>News</title><entry>One</entry></feed>"),
      file("/notes.txt", "text/plain", "Plain words.\nIn two lines."),
      file("/bytes.bin", "application/octet-stream", Buffer.from([0, 1, 2, 255])),
    ],
    odd: [
      file("/refused", "text/html", "<h1>Forbidden</h1>", 403),
      file("/broken", "text/html", "<h1>Broken</h1>", 500),
      site.url("/absent"),
      site.page("/slow", () => undefined),
      site.page(
        "/away",
        (_request, response) => void response.writeHead(302, { location: "/article" }).end(),
      ),
      "http://absent.invalid/",
    ],
  };
}

/** A hundred and a few requests: all formats of pages of all kinds, and options that change how they are got. */
export function replayCases({ web, pdf, files, odd }: ReplayPages): readonly ReplayCase[] {
  const [article = ""] = web;
  return [
    ...web.flatMap((url) =>
      Object.entries(FORMATS).map(([name, formats]) => ({ name, body: { url, formats } })),
    ),
    ...OPTIONS.map(([name, options]) => ({ name, body: { url: article, ...options } })),
    ...[["markdown"], ["html", "links"], ["rawBase64"]].map((formats) => ({
      name: `${formats.join(" and ")} of a file`,
      body: { url: pdf, formats },
    })),
    { name: "blocks", body: { url: pdf, parsers: [{ type: "pdf", blocks: true, pages: true }] } },
    { name: "one page", body: { url: pdf, parsers: [{ type: "pdf", maxPages: 1 }] } },
    ...files.flatMap((url) =>
      [["markdown"], ["rawBase64"]].map((formats) => ({ name: formats.join(), body: { url, formats } })),
    ),
    ...odd.map((url) => ({ name: "an odd page", body: { url, timeout: 3000 } })),
  ];
}

const ARTICLE = `<nav><a href="/">Home</a></nav><main><h1>On lichens</h1>
<p>Lichens grow slowly: a millimetre a year. Write to ann@example.test.</p>
<table><tr><th>Year</th><th>Growth</th></tr><tr><td>2025</td><td>0.9 mm</td></tr></table>
<ul><li>Bark</li><li>Stone</li></ul><p><a href="/more">Read more</a> <img src="/lichen.png" alt="A lichen"></p></main>
<footer>Copyright</footer>`;

const PRODUCT_DATA = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product",
"name":"Linen apron","sku":"A-1","offers":{"@type":"Offer","price":"39.00","priceCurrency":"EUR",
"availability":"https://schema.org/InStock"}}</script>`;

const PRODUCT = `<main><h1>Linen apron</h1><p>Washed soft. Price: 39.00 EUR.</p>
<button>Add to basket</button><p>Delivery in two days.</p></main>`;

const LIST = `<main><h1>Books</h1><ol>${Array.from(
  { length: 30 },
  (_none, at) => `<li><a href="/book/${at}">Book ${at}</a>, ${5 + at}.90 EUR</li>`,
).join("")}</ol><p>Redacted: call 030 1234567.</p></main>`;

const MENU = `<main><h1>Trattoria</h1><h2>Starters</h2><ul><li>Bruschetta <b>6.50 EUR</b></li>
<li>Minestrone <b>7.00 EUR</b></li></ul><h2>Mains</h2><ul><li>Risotto <b>14.00 EUR</b></li></ul>
<p>Opening hours: Tuesday to Sunday, 12 to 22.</p></main>`;
