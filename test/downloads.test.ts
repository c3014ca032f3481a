import { gzipSync } from "node:zlib";

import { describe, expect, test } from "vitest";

import { docxFile, wordHeading } from "./office-files.ts";
import { textPage, writePdf } from "./pdf-writer.ts";
import { htmlPage } from "./site.ts";
import { drawText } from "./text-picture.ts";
import { openUpstreamProxy, proxyPassword } from "./proxies/upstream-proxy.ts";
import { useSharedWorld } from "./use-world.ts";
import { openWorld } from "./world.ts";

const world = useSharedWorld();

/** What a server sends, and what is to be read of it. */
interface Sent {
  readonly status?: number;
  /** Undefined: the server names none. */
  readonly type: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Part of the Markdown. */
  readonly says: string;
  /** What is answered where nothing is parsed; default: the same. */
  readonly unparsed?: "base64";
  /** Whether browsers show it. */
  readonly isShown: boolean;
}

const PDF = writePdf({ pages: [textPage("Words of the paper.")] });
const WORD_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const FEED = `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><item><title>First item</title>
  <link>http://a.test/1</link></item></channel></rss>`;
const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>Drawn</text></svg>';
const SHOWN = { isShown: true };
const KEPT = { isShown: false };

async function contents(): Promise<Readonly<Record<string, Sent>>> {
  const png = await drawText({ width: 60, height: 60, lines: [], fontPx: 32 }).png().toBuffer();
  return {
    pdf: { type: "application/pdf", body: PDF, says: "Words of the paper.", unparsed: "base64", ...KEPT },
    csv: { type: "text/csv; charset=utf-8", body: Buffer.from("a,b\n1,2\n"), says: "| 1 | 2 |", ...KEPT },
    json: { type: "application/json", body: Buffer.from('{"a":1}'), says: '```json\n{"a":1}', ...SHOWN },
    feed: {
      type: "application/xml",
      body: Buffer.from(FEED),
      says: "[First item](http://a.test/1)",
      ...SHOWN,
    },
    text: {
      type: "text/plain; charset=iso-8859-1",
      body: Buffer.from("# caf\u00e9 as sent", "latin1"),
      says: "# café as sent",
      ...SHOWN,
    },
    yaml: { type: "application/yaml", body: Buffer.from("a: 1"), says: "a: 1", ...KEPT },
    png: { type: "image/png", body: png, says: "", unparsed: "base64", ...SHOWN },
    svg: { type: "image/svg+xml", body: Buffer.from(SVG), says: "```xml\n<svg", ...SHOWN },
    attachment: {
      type: "text/html",
      headers: {
        "content-disposition": "attachment; filename=\"../../etc/passwd\"; filename*=UTF-8''%E2%80%AEcod.exe",
      },
      body: Buffer.from("<h1>Saved page</h1><script>document.body.textContent = 'Run'</script>"),
      says: "# Saved page",
      ...KEPT,
    },
    empty: { status: 204, type: undefined, body: Buffer.from(""), says: "", ...KEPT },
    docx: { type: WORD_TYPE, body: docxFile(wordHeading("Report")), says: "# Report", ...KEPT },
  };
}

function serve(path: string, { status = 200, type, headers = {}, body }: Sent): string {
  return world.site.page(path, (_request, response) => {
    response.writeHead(status, { ...headers, ...(type !== undefined && { "content-type": type }) }).end(body);
  });
}

interface Option {
  readonly fields: object;
  /** The name under which it is warned that it was not done. */
  readonly warned?: string;
}

const OPTIONS: Readonly<Record<string, Option>> = {
  none: { fields: {} },
  mobile: { fields: { mobile: true }, warned: "mobile" },
  profile: { fields: { profile: { name: "reader", saveChanges: false } } },
  actions: { fields: { actions: [{ type: "wait", milliseconds: 1 }] }, warned: "actions" },
  waitFor: { fields: { waitFor: 1 }, warned: "waitFor" },
  headers: { fields: { headers: { "X-Name": "me" } } },
  proxy: { fields: { proxy: "enhanced" } },
  "no parsers": { fields: { parsers: [] } },
  "a phone without parsers": { fields: { mobile: true, parsers: [] }, warned: "mobile" },
};

describe("what is sent is read, whatever is asked for:", () => {
  /** What of an answer a cell of the matrix looks at. */
  async function cell(name: string, { fields }: Option, sent: Sent) {
    const url = serve(`/sent/${name}`, sent);
    const [read, raw] = await Promise.all([
      world.scrape({ url, maxAge: 0, ...fields }),
      world.scrape({ url, formats: ["rawBase64"], ...fields }),
    ]);
    const { markdown, warning = "", metadata } = read.body.data ?? {};
    return {
      name,
      markdown: sent.says !== "" && markdown?.includes(sent.says) ? sent.says : (markdown ?? read.body),
      contentType: metadata?.contentType,
      statusCode: metadata?.statusCode,
      warning: warning?.replace(/^This machine has no whole browser.*$/, ""),
      rawBase64: raw.body.data?.rawBase64 ?? raw.body,
      rawType: raw.body.data?.metadata.contentType,
    };
  }

  test.each(Object.entries(OPTIONS))("%s", { timeout: 60_000 }, async (optionName, option) => {
    const all = Object.entries(await contents());
    const cells = await Promise.all(
      all.map(([name, sent]) => cell(`${name}?${encodeURIComponent(optionName)}`, option, sent)),
    );
    const isParsed = !("parsers" in option.fields);
    for (const [index, [, sent]] of all.entries()) {
      const base64 = Buffer.from(sent.body).toString("base64");
      const isWarned = option.warned !== undefined && !sent.isShown;
      expect(cells[index]).toEqual({
        name: expect.any(String),
        markdown: !isParsed && sent.unparsed ? base64 : sent.says,
        contentType: sent.type?.split(";")[0] ?? "text/plain",
        statusCode: sent.status ?? 200,
        warning: isWarned
          ? `The engine used does not support the following features: ${option.warned} -- your scrape may be partial.`
          : "",
        rawBase64: base64,
        rawType: sent.type?.split(";")[0] ?? "text/plain",
      });
    }
  });
});

test("what is sent through an upstream proxy is read as ever", { timeout: 60_000 }, async () => {
  const proxy = await openUpstreamProxy("http");
  const proxied = await openWorld({ PROXIES: JSON.stringify([{ ...proxyPassword, url: proxy.url }]) });
  try {
    const all = Object.values(await contents()).filter(({ says }) => says !== "");
    const read = await Promise.all(
      all.flatMap((sent, index) => {
        const url = serve(`/proxied/${index}`, sent);
        return [{}, { mobile: true }].map(async (more) => {
          const { body } = await proxied.scrape({ url, maxAge: 0, proxy: "basic", ...more });
          const { markdown = body.error } = body.data ?? {};
          return markdown.includes(sent.says) ? sent.says : markdown;
        });
      }),
    );
    expect(read).toEqual(all.flatMap(({ says }) => [says, says]));
    expect(proxy.targets.length).toBeGreaterThanOrEqual(all.length);
    expect(new Set(proxy.targets)).toEqual(new Set([`127.0.0.1:${world.site.port}`]));
  } finally {
    await proxied.close();
    await proxy.close();
  }
});

/** Sends zeros until the client has enough of them. @returns how many bytes were sent. */
function zeros(
  path: string,
  headers: Readonly<Record<string, string>>,
): { url: string; sentBytes(): number } {
  let sentBytes = 0;
  const url = world.site.page(path, (_request, response) => {
    response.writeHead(200, headers);
    const chunk = Buffer.alloc(256 * 1024, 0xff);
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sentBytes += chunk.byteLength;
    };
    response.on("drain", more);
    more();
  });
  return { url, sentBytes: () => sentBytes };
}

/** The limit of 50 MB, and what is on the way when it is reached. */
const MOST_SENT_BYTES = 70 * 1024 * 1024;

describe("a phone is sent", () => {
  test.each([
    ["a length of 5 GB", { "content-type": "application/pdf", "content-length": "5000000000" }],
    ["more and more", { "content-type": "application/zip" }],
    ["more and more to keep", { "content-type": "text/html", "content-disposition": "attachment" }],
  ])("%s: refused at the limit", { timeout: 60_000 }, async (name, headers) => {
    const { url, sentBytes } = zeros(`/large/${encodeURIComponent(name)}`, headers);
    const { status, body } = await world.scrape({ url, mobile: true });
    expect({ status, code: body.code }).toEqual({ status: 500, code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
    expect(body.error).toContain("File exceeds size limit");
    expect(sentBytes()).toBeLessThan(MOST_SENT_BYTES);
  });

  test.each([204, 205, 304])("no content, with the type of a page: status %i", async (status) => {
    const url = serve(`/without/${status}`, {
      ...READABLE,
      type: "text/html",
      status,
      body: Buffer.from(""),
    });
    const { body } = await world.scrape({ url, mobile: true });
    expect(body.data.metadata).toMatchObject({ statusCode: status, contentType: "text/html", url });
    expect(body.data.warning).toContain("features: mobile --");
  });

  test("more than is shown in a browser: it is read without one", async () => {
    const body = Buffer.from(JSON.stringify("x".repeat(12_000_000)));
    const url = serve("/long.json", { ...READABLE, type: "application/json", body });
    const { body: answer } = await world.scrape({ url, formats: ["rawBase64"], mobile: true });
    expect(Buffer.from(answer.data.rawBase64 ?? "", "base64").equals(body)).toBe(true);
    expect(answer.data.warning).toContain("features: mobile --");
  });

  test.each(["text/event-stream", "multipart/x-mixed-replace; boundary=x"])(
    "%s that never ends: it is refused at once, as without a phone, and the connection is closed",
    async (type) => {
      for (const more of [{}, { mobile: true }]) {
        let onClose: () => void = () => undefined;
        const closed = new Promise<void>((resolve) => (onClose = resolve));
        const url = world.site.page("/stream", (_request, response) => {
          response.writeHead(200, { "content-type": type }).write("data: 1\n\n");
          response.on("close", onClose);
        });
        const startedAtMs = performance.now();
        const { status, body } = await world.scrape({ url, maxAge: 0, timeout: 30_000, ...more });
        expect({ status, code: body.code }).toEqual({ status: 500, code: "SCRAPE_UNSUPPORTED_FILE_ERROR" });
        expect(body.error).toContain("never ends");
        expect(performance.now() - startedAtMs).toBeLessThan(15_000);
        await closed;
      }
    },
  );

  test("a PDF that never ends: the time is over, and the connection is closed", async () => {
    let onClose: () => void;
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const url = world.site.page("/endless.pdf", (_request, response) => {
      response.writeHead(200, { "content-type": "application/pdf" }).write(PDF.subarray(0, 50));
      response.on("close", onClose);
    });
    const { status, body } = await world.scrape({ url, mobile: true, timeout: 3000 });
    expect({ status, code: body.code }).toEqual({ status: 408, code: "SCRAPE_TIMEOUT" });
    await closed;
  });

  test("a PDF that breaks off: an error of the site", async () => {
    const url = world.site.page("/broken.pdf", (_request, response) => {
      response.writeHead(200, { "content-type": "application/pdf", "content-length": "5000" });
      response.write(PDF.subarray(0, 50), () => response.destroy());
    });
    const { status, body } = await world.scrape({ url, mobile: true });
    expect({ status, code: body.code }).toEqual({ status: 500, code: "SCRAPE_SITE_ERROR" });
  });

  test("a file whose name is hostile: the name is not used", async () => {
    const name = Buffer.from('attachment; filename="..\\..\\\u202efdp.exe"').toString("latin1");
    const headers = { "content-type": "application/pdf", "content-disposition": name };
    const { body } = await world.scrape({ url: serve("/named", { ...READABLE, headers }), mobile: true });
    expect(body.data.markdown).toContain("Words of the paper.");
    expect(JSON.stringify(body)).not.toMatch(/\.exe|\u202e/);
  });

  test("a document once: its copy answers later, and says again what was not done", async () => {
    let asked = 0;
    const url = world.site.page("/once-for-all", (_request, response) => {
      asked += 1;
      response.writeHead(200, { "content-type": "application/pdf" }).end(PDF);
    });
    const told = async (more: object) => {
      const { body } = await world.scrape({ url, mobile: true, ...more });
      const { warning, metadata } = body.data;
      return [metadata.cacheState, /features: (.*) --/.exec(warning ?? "")?.[1], metadata.partial];
    };
    expect(await told({ waitFor: 1 })).toEqual(["miss", "waitFor, mobile", true]);
    expect(await told({ waitFor: 1 })).toEqual(["hit", "waitFor, mobile", true]);
    expect(await told({})).toEqual(["hit", "mobile", true]);
    expect(await told({ formats: ["markdown", "screenshot"] })).toEqual(["miss", "mobile, screenshot", true]);
    expect(await told({ formats: ["markdown", "screenshot"] })).toEqual(["hit", "mobile, screenshot", true]);
    expect(asked).toBe(2);
  });

  test("something else than a second visitor: what came first is read, and asked for once", async () => {
    let asked = 0;
    const url = world.site.page("/once", (_request, response) => {
      asked += 1;
      if (asked === 1) response.writeHead(200, { "content-type": "application/pdf" }).end(PDF);
      else response.writeHead(410).end("Gone");
    });
    const { body } = await world.scrape({ url, mobile: true });
    expect(body.data.markdown).toContain("Words of the paper.");
    expect(asked).toBe(1);
  });
});

const READABLE: Sent = { type: "application/pdf", body: PDF, says: "Words of the paper.", ...KEPT };

describe("a type that lies", () => {
  test.each<[string, string | undefined, Uint8Array]>([
    ["a PDF as a page", "text/html", PDF],
    ["a PDF as plain text", "text/plain", PDF],
    ["a PDF as anything", "application/octet-stream", PDF],
    ["a PDF as nothing", undefined, PDF],
    ["a feed as a page", "text/html; charset=utf-8", Buffer.from(FEED)],
    ["a page as a PDF", "application/pdf", Buffer.from(htmlPage("<p>Words of a page.</p>"))],
    ["a page as anything", "application/octet-stream", Buffer.from(htmlPage("<p>Words of a page.</p>"))],
    ["a page as nothing", undefined, Buffer.from(htmlPage("<p>Words of a page.</p>"))],
    ["a page as a workbook", "application/vnd.ms-excel", Buffer.from("<table><tr><td>1<td>2</table>")],
    ["no type at all", '"><script>', Buffer.from("Words.")],
  ])("is judged on a phone as it is elsewhere: %s", async (name, type, body) => {
    const url = serve(`/lie/${encodeURIComponent(name)}`, { type, body, says: "", ...KEPT });
    const [plain, phone] = await Promise.all(
      [{}, { mobile: true }].map(async (more) => {
        const { status, body: answer } = await world.scrape({ url, maxAge: 0, ...more });
        const { markdown, metadata } = answer.data ?? {};
        return { status, code: answer.code, markdown, contentType: metadata?.contentType };
      }),
    );
    expect(phone).toEqual(plain);
  });
});

describe("a page that goes on to a document", () => {
  const click = (selector: string) => ({ type: "click", selector });
  const page = (path: string, body: string) => world.site.page(path, htmlPage(`<h1>Page</h1>${body}`));

  test("by a click ends with the document, with what actions left before", async () => {
    serve("/paper", READABLE);
    const url = page("/to-paper", '<a href="/paper">Paper</a>');
    const actions = [{ type: "scrape" }, click("a")];
    const { body } = await world.scrape({ url, actions, formats: ["markdown", "screenshot"] });
    expect(body.data.markdown).toContain("Words of the paper.");
    expect(body.data.metadata).toMatchObject({
      url: world.site.url("/paper"),
      contentType: "application/pdf",
    });
    expect(body.data.actions?.scrapes).toHaveLength(1);
    expect(body.data).not.toHaveProperty("screenshot");
    expect(body.data.warning).toContain("features: screenshot --");
  });

  test("by a script ends with it, too", async () => {
    serve("/paper", READABLE);
    const url = page("/script-to-paper", '<script>location.href = "/paper"</script>');
    const { body } = await world.scrape({ url, mobile: true });
    expect(body.data.markdown).toContain("Words of the paper.");
    expect(body.data.warning).toBeUndefined();
  });

  test("by a redirect ends with it, too", async () => {
    serve("/paper", READABLE);
    const url = world.site.page("/redirect-to-paper", (_request, response) => {
      response.writeHead(302, { location: "/paper" }).end();
    });
    const { body } = await world.scrape({ url, mobile: true });
    expect(body.data.markdown).toContain("Words of the paper.");
    expect(body.data.metadata.url).toBe(world.site.url("/paper"));
  });

  test.each([
    ["an attachment", '<a href="/kept">Keep</a>'],
    ["an archive", '<a href="/archive">Keep</a>'],
    ["a link that says so", '<a href="/paper" download="../x">Keep</a>'],
    ["a data: address", '<a href="data:application/pdf,%25PDF-1.4" download>Keep</a>'],
    ["a data: address without a word", '<a href="data:application/zip,PK">Keep</a>'],
    [
      "a blob: address",
      '<a>Keep</a><script>document.querySelector("a").href = URL.createObjectURL(new Blob(["%PDF-1.4"], {type: "application/pdf"}))</script>',
    ],
    ["too large a file", '<a href="/large">Keep</a>'],
  ])("by what it offers for download stays: %s", async (name, body) => {
    serve("/paper", READABLE);
    serve("/kept", { ...READABLE, headers: { "content-disposition": "attachment" } });
    serve("/archive", { ...READABLE, type: "application/zip", body: Buffer.from("PK\u0003\u0004rest") });
    serve("/large", { ...READABLE, headers: { "content-length": "5000000000" } });
    const url = page(`/offers/${encodeURIComponent(name)}`, `${body}<p id=out></p>`);
    const note = { type: "executeJavascript", script: "out.textContent = 'Still here'" };
    const { status, body: answer } = await world.scrape({
      url,
      actions: [click("a"), note],
      timeout: 20_000,
    });
    expect(status).toBe(200);
    expect(answer.data.markdown).toContain("Still here");
    expect(answer.data.metadata).toMatchObject({ url, contentType: "text/html" });
  });

  test.each([
    ["data:", "new URL('data:application/zip,PK').href"],
    ["blob:", "URL.createObjectURL(new Blob(['PK'], { type: 'application/zip' }))"],
  ])("by a script that offers a %s download stays", async (name, address) => {
    const script = `const link = document.createElement("a"); link.href = ${address}; link.download = "x"; link.click()`;
    const url = page(`/scripted/${name}`, `<p>Words.</p><script>${script}</script>`);
    const { body } = await world.scrape({ url, mobile: true });
    expect(body.data.markdown).toContain("Words.");
    expect(body.data.warning).toBeUndefined();
  });
});

describe("rawBase64 is what was sent", () => {
  const LATIN = Buffer.from(
    '<meta charset="latin1"><p>caf\u00e9</p><div id=root></div><script src="/app.js"></script>',
    "latin1",
  );
  const raw = async (url: string, more: object) => {
    const { body } = await world.scrape({ url, formats: ["rawBase64"], ...more });
    return Buffer.from(body.data.rawBase64 ?? "", "base64").toString("latin1");
  };

  test.each(Object.entries({ "no option": {}, waitFor: { waitFor: 1 }, mobile: { mobile: true } }))(
    "of a page that needs its scripts, in its own character set, with %s",
    async (name, more) => {
      world.site.page("/app.js", (_request, response) => {
        response.writeHead(200, { "content-type": "text/javascript" }).end("root.textContent = 'Made'");
      });
      const url = serve(`/latin/${encodeURIComponent(name)}`, {
        ...READABLE,
        type: "text/html",
        body: LATIN,
      });
      expect(await raw(url, more)).toBe(LATIN.toString("latin1"));
    },
  );

  test("once its content encoding is undone", async () => {
    const headers = { "content-encoding": "gzip" };
    const url = serve("/zipped", { ...READABLE, type: "text/html", headers, body: gzipSync(LATIN) });
    expect(await raw(url, { mobile: true })).toBe(LATIN.toString("latin1"));
  });

  test("to the browser, where it was sent something else", async () => {
    let asked = 0;
    const url = world.site.page("/differs", (_request, response) => {
      asked += 1;
      response.writeHead(asked === 1 ? 403 : 200, { "content-type": "text/html" }).end(`<p>Answer ${asked}`);
    });
    expect(await raw(url, { waitFor: 1 })).toBe("<p>Answer 2");
  });

  test("of the document that a click led to", async () => {
    serve("/next", { ...READABLE, type: "text/html", body: Buffer.from("<p>Next") });
    const url = world.site.page("/first", htmlPage('<a href="/next">Next</a>'));
    expect(await raw(url, { actions: [{ type: "click", selector: "a" }] })).toBe("<p>Next");
  });
});
