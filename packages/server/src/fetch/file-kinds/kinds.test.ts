import { describe, expect, test } from "vitest";

import type { PdfOptions } from "@pergamon-dev/documents/model/reader";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { DocumentTools } from "./document-tools.ts";
import { kindNamed } from "./all.ts";
import type { FileParts, FileSource, ReadOptions } from "./kind.ts";
import { completeParts } from "./parts.ts";

const OPTIONS: ReadOptions = {
  onlyMainContent: false,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  removesConsent: false,
  parsers: [{ type: "pdf" }, { type: "image" }],
  languages: [],
};
const { signal } = new AbortController();

const wishes: PdfOptions[] = [];
/** Reads every file as the same document of three pages. */
const documents: DocumentTools = {
  async readPdf(_body, options) {
    wishes.push(options);
    const pages = [1, 2].map((pageNumber) => ({ pageNumber, markdown: `page ${pageNumber}` }));
    const table = "<table><tr><td>a</td></tr></table>";
    const markdown = `# Title\n\n[a link](https://site.test/x) &lt;b&gt;\n\n${table}`;
    return { markdown, pages, blocks: [], totalPages: 3, metadata: { title: "Title" } };
  },
  readOffice: async () => ({
    markdown: "# Report",
    html: "<h1>Report</h1>",
    properties: { title: "Report" },
  }),
  readPicture: async ({ languages }) => ({ markdown: `Seen in ${languages.join()}.` }),
};

async function read(kind: string, body: string, changes: Partial<FileSource> = {}): Promise<FileParts> {
  const source: FileSource = {
    body: Buffer.from(body),
    contentType: "text/plain; charset=utf-8",
    url: "https://site.test/dir/file",
    mimeType: "text/plain",
    options: OPTIONS,
    ...changes,
  };
  const stage = <Value>(_name: string, compute: () => Value) => lazy(compute);
  return completeParts(await kindNamed(kind).read(source, { stage, signal, documents }), source);
}

const asked = (options: Partial<ReadOptions>): Partial<FileSource> => ({
  options: { ...OPTIONS, ...options },
});

describe("a page", () => {
  const PAGE = `<title>Title</title><base href=/base/><nav>Menu</nav><p class=ad>Buy</p>
    <main><p>Words <a href=next>on</a> and <img src="data:image/png;base64,AA" alt=dot></p></main>`;

  test("without text is what its head says, unless parts of it are asked for", async () => {
    const bare =
      "<title>Chairs & more</title><meta name=description content='All of <b>oak</b>.'><div id=app></div>";
    expect((await read("html", bare)).markdown()).toBe("# Chairs & more\n\nAll of \\<b>oak\\</b>.");
    expect((await read("html", bare, asked({ includeTags: ["p"] }))).markdown()).toBe("");
    expect((await read("html", "<div></div>")).markdown()).toBe("");
  });

  test("that sells one product shows its price with the main content", async () => {
    const data = { "@type": "Product", name: "Oak chair", offers: { price: "249.50", priceCurrency: "USD" } };
    const card = (name: string) =>
      `<div class=card><a href=/x>${name}</a><span class=price>$99.00</span></div>`;
    const text = "<p>The chair is made of oak from the woods nearby, and lasts for many years.</p>".repeat(9);
    const shop = `<title>Oak chair</title><script type="application/ld+json">${JSON.stringify(data)}</script>
      <aside class=sidebar><div><h1>Oak chair</h1><span class=price>$249.50</span><button>Add to cart</button></div></aside>
      <main>${text}</main><footer><h2>More</h2>${card("Bed")}${card("Desk")}${card("Shelf")}</footer>`;
    const markdown = (await read("html", shop, asked({ onlyMainContent: true }))).markdown();
    expect(markdown).toContain("$249.50");
    expect(markdown).not.toContain("$99.00");
  });

  test("is its text, its tree, and what its head says", async () => {
    const parts = await read("html", PAGE);
    expect(parts.rawHtml()).toBe(PAGE);
    expect(parts.markdown()).toContain("Words [on](https://site.test/base/next)");
    expect(parts.html()).toContain('href="https://site.test/base/next"');
    expect(parts.metadata()).toMatchObject({ title: "Title" });
    expect(parts.baseUrl()).toBe("https://site.test/base/");
  });

  test.each([
    ["tags that are left out", { excludeTags: [".ad"] }, /Menu\n\nWords/],
    ["tags that alone are wanted", { includeTags: [".ad"] }, /^Buy$/],
    ["its main content", { onlyMainContent: true }, /^Words/],
  ])("is narrowed to what is wanted: %s", async (_case, options, expected) => {
    const parts = await read("html", PAGE, asked(options));
    expect(parts.markdown()).toMatch(expected);
  });

  test("keeps embedded images in Markdown when they are wanted", async () => {
    expect((await read("html", PAGE)).markdown()).toContain("![dot](<Base64-Image-Removed>)");
    const kept = await read("html", PAGE, asked({ removeBase64Images: false }));
    expect(kept.markdown()).toContain("![dot](data:image/png;base64,AA)");
  });

  test("whose main content is nothing is taken whole", async () => {
    const parts = await read("html", "<nav>Menu</nav>", asked({ onlyMainContent: true }));
    expect(parts.markdown()).toBe("Menu");
  });

  test("is decoded as its server says", async () => {
    const latin = { body: Buffer.from("<p>é", "latin1"), contentType: "text/html; charset=iso-8859-1" };
    expect((await read("html", "", latin)).markdown()).toBe("é");
  });
});

describe("section 3.16e: text", () => {
  test.each([
    ["application/json", "json"],
    ["application/ld+json", "json"],
    ["application/atom+xml", "xml"],
    ["image/svg+xml", "xml"],
    ["text/css", "css"],
    ["application/x-javascript", "javascript"],
  ])("of type %s is a block of %s", async (mimeType, language) => {
    const parts = await read("text", "body\n", { mimeType });
    expect(parts.markdown()).toBe(`\`\`\`${language}\nbody\n\`\`\``);
    expect(parts.html()).toBe("body\n");
    expect(parts.rawHtml()).toBe("body\n");
  });

  test.each(["text/plain", "text/markdown", "application/yaml", "application/x-ndjson", "text/calendar"])(
    "of type %s is Markdown as it is",
    async (mimeType) => {
      expect((await read("text", "# a\n", { mimeType })).markdown()).toBe("# a\n");
    },
  );

  test("that holds fences is fenced by longer ones", async () => {
    const parts = await read("text", "a ```` b", { mimeType: "text/css" });
    expect(parts.markdown()).toBe("`````css\na ```` b\n`````");
  });

  test("has no tree, and says nothing about itself", async () => {
    const parts = await read("text", "<title>No page</title><a href=/x>x</a>");
    expect(parts.metadata()).toEqual({});
    expect(parts.wanted().tree).toBe(parts.tree());
    expect(parts.tree().size).toBeLessThan(2);
    expect(parts.baseUrl()).toBe("https://site.test/dir/file");
  });
});

describe("section 3.16c: a picture", () => {
  test("is a document of one page, with the text that it shows", async () => {
    const parts = await read("image", "", asked({ languages: ["de"] }));
    expect(parts.markdown()).toBe("Seen in de.");
    expect(parts.html()).toContain("<p>Seen in de.</p>");
    expect(parts.document()).toEqual({ numPages: 1, totalPages: 1 });
  });
});

describe("section 3.16d: a document", () => {
  test("is what its reader made of it, whatever parsers are asked for", async () => {
    const parts = await read("office", "", asked({ parsers: [] }));
    expect(parts.markdown()).toBe("# Report");
    expect(parts.html()).toBe("<h1>Report</h1>");
    expect(parts.rawHtml()).toBe(parts.html());
    expect(parts.metadata()).toEqual({ title: "Report" });
    expect(parts.tree().size).toBeGreaterThan(2);
  });
});

describe("sections 3.5 and 3.16: a file that is not decoded", () => {
  test.each(["pdf", "image", "unsupported"])("of kind %s is base64", async (kind) => {
    const parts = await read(kind, "%PDF-", asked({ parsers: [] }));
    expect(parts.markdown()).toBe("JVBERi0=");
    expect(parts.html()).toBe("JVBERi0=");
    expect(parts.rawHtml()).toBe("JVBERi0=");
    expect(parts.metadata()).toEqual({});
  });
});

describe("section 3.16b: a PDF", () => {
  const pdfParser = { type: "pdf", mode: "fast", maxPages: 2, pageMarkers: true } as const;

  test("is read as its parser wants it", async () => {
    await read("pdf", "%PDF-", asked({ parsers: [pdfParser, { type: "pdf" }], languages: ["de"] }));
    expect(wishes.at(-1)).toEqual({ mode: "fast", maxPages: 2, pageMarkers: true, languages: ["de"] });
    await read("pdf", "%PDF-");
    const usual = { mode: "auto", maxPages: undefined, pageMarkers: false, languages: [] };
    expect(wishes.at(-1)).toEqual(usual);
  });

  test("gives its Markdown as HTML too, and links from that", async () => {
    const parts = await read("pdf", "%PDF-");
    expect(parts.markdown()).toMatch(/^# Title/);
    expect(parts.html()).toBe(
      '<h1>Title</h1>\n<p><a href="https://site.test/x">a link</a> &lt;b&gt;</p>\n<table><tr><td>a</td></tr></table>',
    );
    expect(parts.metadata()).toEqual({ title: "Title" });
    expect(parts.document()).toEqual({ numPages: 2, totalPages: 3 });
  });

  test.each([
    [{ pages: true }, ["pages"]],
    [{ pageMarkdown: true }, ["pages"]],
    [{ pages: false, pageMarkdown: true }, []],
    [{ blocks: true }, ["blocks"]],
  ])("with %j gives %j", async (options, fields) => {
    const parts = await read("pdf", "%PDF-", asked({ parsers: [{ type: "pdf", ...options }] }));
    const { numPages: _, totalPages: __, ...shown } = parts.document() ?? { numPages: 0, totalPages: 0 };
    expect(Object.keys(shown)).toEqual(fields);
  });
});

describe("section 3.16: whether a file can be read as it is wanted", () => {
  const PDF = [{ type: "pdf" }];
  const IMAGE = [{ type: "image" }];
  const UNSUPPORTED = "SCRAPE_UNSUPPORTED_FILE_ERROR";
  const check = (kind: string, parsers: ReadOptions["parsers"]) =>
    kindNamed(kind).check?.({ ...OPTIONS, parsers }, "a/b");

  test.each([
    ["html", []],
    ["text", []],
    ["pdf", []],
    ["pdf", IMAGE],
    ["pdf", PDF],
    ["image", []],
    ["image", IMAGE],
  ])("%s can with parsers %j", (kind, parsers) => {
    expect(() => check(kind, parsers)).not.toThrow();
  });

  test.each([
    ["image", PDF, UNSUPPORTED, "cannot process: a/b. The rawBase64 format returns any file as it is."],
    ["unsupported", [], UNSUPPORTED, "The URL returned a file type that Pergamon cannot process: a/b."],
  ])("%s cannot with parsers %j: %s", (kind, parsers, code, message) => {
    const failure = { code, message: expect.stringContaining(message) };
    expect(() => check(kind, parsers)).toThrow(expect.objectContaining(failure));
  });
});

describe("what summaries and answers are made of", () => {
  const paragraphs = Array.from(
    { length: 8 },
    (_, at) =>
      `<p>The old ferry number ${at} carried timber and people across the harbour for many years.</p>`,
  );
  const page = `<html><body><nav><a href="/a">Sign in</a> <a href="/b">Cheap flights</a></nav>
    <main><article><h1>The ferry</h1>${paragraphs.join("")}</article></main><footer>Imprint</footer></body></html>`;
  const html = (options: Partial<ReadOptions>) =>
    read("html", page, { contentType: "text/html", mimeType: "text/html", ...asked(options) });

  test("is the main content, also of requests for the whole page", async () => {
    const parts = await html({ onlyMainContent: false });
    expect(parts.markdown()).toContain("Cheap flights");
    expect(parts.subject()).not.toContain("Cheap flights");
    expect(parts.subject()).toContain("ferry number 7");
  });

  test("is what the request selects", async () => {
    const parts = await html({ includeTags: ["nav"] });
    expect(parts.subject()).toBe(parts.markdown());
  });

  test("is the Markdown of files that have no main content", async () => {
    const parts = await read("text", "words of a file");
    expect(parts.subject()).toBe("words of a file");
  });
});
