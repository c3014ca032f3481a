import type { RequestListener } from "node:http";

import { docxFile, pptxFile, wordParagraph, xlsxFile } from "../../../test/office-files.ts";
import { textPage, writePdf } from "../../../test/pdf-writer.ts";
import { htmlPage, type Site } from "../../../test/site.ts";
import { zipFile } from "../../../test/zip-file.ts";

const DOT = "data:image/gif;base64,R0lGODlhAQABAAAAACw=";

const ARTICLE = htmlPage(
  `<header><nav><ul><li><a href="/a">Menu entry</a></li><li><a href="/b">Another entry</a></li></ul></nav></header>
<article data-shelf="B4"><h1>The Harbour Library</h1>
<p>The reading room is open <b>every day</b> from nine to eight, and its lamps are lit at dusk. Bring your own lamp in winter.</p>
<p>Ask at the desk for books of the closed shelves, or write to desk@harbour.example before you come. <a href="#top">Top</a></p>
<p id="links" data-shelf="B4"><a href="/catalogue" title="Search">Catalogue</a></p><p>Shelf B4 has the charts. <a href="mailto:desk@harbour.example">Write</a></p>
<ul id="tasks"><li><input type="checkbox" checked> Lamps</li><li><input type="checkbox"> Charts</li></ul>
<pre><code class="language-sh">open --door
</code></pre>
<table><thead><tr><th>Day</th><th>Hours</th></tr></thead><tbody><tr><td>Monday</td><td>9 to 8</td></tr><tr><td>Tuesday</td><td>9 to 6</td></tr></tbody></table>
<p id="pictures"><img alt="Door" src="/small.png" srcset="/small.png 100w, /large.png 800w"></p>
<p id="units">x<sup>2</sup> and H<sub>2</sub>O</p><p id="embedded"><img alt="Dot" src="${DOT}"></p></article>
<footer><p>Imprint</p></footer>`,
  `<title>The Harbour Library</title><meta name="shelf" content="B4"><meta property="og:locale:alternate" content="de_DE"><meta property="og:image" content="/og.png">`,
);

const LAMP = htmlPage(
  `<main><h1>Ship's lamp</h1><p class="price">$149.00</p><p>A lamp of brass for the reading room, with a wick and a handle.</p></main>
<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Ship's lamp","offers":{"@type":"Offer","price":"149.00","priceCurrency":"USD","availability":"https://schema.org/InStock"}}</script>`,
  "<title>Ship's lamp</title>",
);

const MAIL = `From: desk@harbour.example\r\nTo: ann@example.com\r\nSubject: Opening hours\r\nDate: Mon, 2 Jun 2025 10:00:00 +0000\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nFrom nine to eight.\r\n`;
const NOTEBOOK = { nbformat: 4, nbformat_minor: 5, metadata: {}, cells: [{ cell_type: "code", source: ["print(1)"], outputs: [], metadata: {}, execution_count: 1 }] };
const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>New lamps</title><link>https://harbour.example/lamps</link><pubDate>Mon, 02 Jun 2025 10:00:00 GMT</pubDate><description>Ten of them.</description></item></channel></rss>`;

/** Puts the pages that statements speak of on the site. */
export function fillSite(site: Site): void {
  const answer = (type: string, body: string | Uint8Array, status = 200): RequestListener => (_request, response) => void response.writeHead(status, { "content-type": type }).end(body);
  const letter = docxFile(wordParagraph("Dear reader, the room is open."));
  const pdf = writePdf({ pages: ["first", "second", "third"].map((name) => textPage(`This is the ${name} page of the guide to the library.`, "It has two lines of text.")) });
  const pages: Readonly<Record<string, string | RequestListener>> = {
    "/article": ARTICLE,
    "/library": ARTICLE,
    "/lamp": LAMP,
    "/missing": answer("text/html", htmlPage("<h1>Gone</h1><p>This page was taken down.</p>"), 404),
    "/broken": answer("text/html", htmlPage("<h1>Later</h1><p>The catalogue is being mended today, come back in the evening.</p>"), 500),
    "/moved": (_request, response) => void response.writeHead(302, { location: "/article" }).end(),
    "/cut": (request) => void request.socket.destroy(),
    "/slow": (_request, response) => void setTimeout(() => response.end("late"), 5000).unref(),
    "/agent": (request, response) => void response.writeHead(200, { "content-type": "text/html" }).end(htmlPage(`<h1>Agent</h1><p>${request.headers["user-agent"] ?? ""}</p>`)),
    "/private/list": htmlPage("<h1>List</h1><p>Not for robots.</p>"),
    "/robots.txt": answer("text/plain", "User-agent: *\nDisallow: /private/\n"),
    "/click": htmlPage(`<h1>Rows</h1><p>First row of the list</p><button id="more" onclick="document.body.insertAdjacentHTML('beforeend','<p class=row>Third row</p>')">More</button>`),
    "/late": htmlPage(`<h1>Wait</h1><p id="p">Not yet</p><script>setTimeout(() => { document.getElementById("p").textContent = "At last" }, 200)</script>`),
    "/app": htmlPage(`<div id="app"></div><script>document.getElementById("app").innerHTML = "<h1>Drawn</h1><p>Drawn by a script, with enough words to be read as a page of text.</p>"</script>`),
    "/data.json": answer("application/json", '{"books": 412}'),
    "/plain.txt": answer("text/plain", "Two *words\n"),
    "/feed.xml": answer("application/rss+xml", FEED),
    "/bytes": answer("application/octet-stream", Uint8Array.of(1, 2, 3, 0, 255)),
    "/russian": answer("text/html", Buffer.concat([Buffer.from('<!doctype html><meta charset="windows-1251"><h1>'), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]), Buffer.from("</h1><p>Text</p>")])),
    "/page.pdf.html": htmlPage("<h1>No document</h1><p>Only its name says so.</p>"),
    "/doc.pdf": answer("application/pdf", pdf),
    "/wrong-type": answer("text/html", pdf),
    "/letter.docx": answer("application/octet-stream", letter),
    "/sheet.xlsx": answer("application/octet-stream", xlsxFile({ Stock: { A1: "Thing", B1: "Count", A2: "Lamps", B2: 7 } })),
    "/slides.pptx": answer("application/octet-stream", pptxFile([{ title: "Opening", lines: ["From nine to eight"], notes: "Speak slowly" }])),
    "/files.zip": answer("application/zip", zipFile({ "letter.docx": letter, "odd.bin": Uint8Array.of(0, 1, 2, 255, 254) })),
    "/list.csv": answer("text/csv", "Thing;Count\nLamps;7\nCharts;9\n"),
    "/letter.eml": answer("message/rfc822", MAIL),
    "/book.ipynb": answer("application/json", JSON.stringify(NOTEBOOK)),
  };
  for (const [path, page] of Object.entries(pages)) site.page(path, page);
}
