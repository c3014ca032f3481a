import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

import { afterEach, describe, expect, test } from "vitest";

import { listenRaw, listenTrap } from "../packages/server/src/net/loopback.suite.ts";
import { openDatabase } from "../packages/server/src/storage/database/drivers.ts";
import { htmlPage } from "./site.ts";
import { useSharedWorld } from "./use-world.ts";

const world = useSharedWorld();

/** Whatever a target did: no visit goes on, and the service still works. */
afterEach(async () => {
  await expect.poll(() => world.metric("pergamon_pages_fetching")).toBe(0);
  await expect.poll(() => world.metric("pergamon_pages_waiting")).toBe(0);
  const { status } = await world.scrape({
    url: world.site.page("/after", "<h1>After</h1>"),
    storeInCache: false,
  });
  expect(status).toBe(200);
});

/** Number of captures on disk and in the database. */
async function captures(): Promise<number> {
  const database = await openDatabase(`sqlite:${world.dataDir}/pergamon.db`);
  const rows = await database.prepared("SELECT capture_id FROM unpacked_captures").all();
  await database.close();
  const entries = await readdir(join(world.dataDir, "blobs"), { recursive: true, withFileTypes: true }).catch(
    () => [],
  );
  const files = entries.filter((entry) => entry.isFile() && entry.parentPath.includes("captures"));
  return rows.length + files.length;
}

/** Scrapes a target that must fail in this way, and leave nothing behind. */
async function expectFailure(
  request: Readonly<Record<string, unknown>> & { readonly url: string },
  expected: { readonly status: number; readonly code: string; readonly error: RegExp },
): Promise<void> {
  const before = await captures();
  const { status, body } = await world.scrape(request);
  expect(body).toEqual({
    success: false,
    code: expected.code,
    error: expect.stringMatching(expected.error) as string,
  });
  expect(status).toBe(expected.status);
  expect(await captures()).toBe(before);
  const lockdown = await world.scrape({ url: request.url, lockdown: true });
  expect(lockdown.body.code).toBe("SCRAPE_LOCKDOWN_CACHE_MISS");
}

const siteError = (name: string) => ({
  status: 500,
  code: "SCRAPE_SITE_ERROR",
  error: new RegExp(`^The URL failed to load in the browser with error code "${name}"\\.`),
});

const TOO_LARGE = {
  status: 500,
  code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
  error: /^The URL returned a file type that .* cannot process: File exceeds size limit/,
};

const TIMEOUT = {
  status: 408,
  code: "SCRAPE_TIMEOUT",
  error: /^The scrape operation timed out before completing\./,
};

const BLOCKED = {
  status: 500,
  code: "SCRAPE_ALL_ENGINES_FAILED",
  error:
    /^All scraping engines failed to retrieve content from this URL\. Engines tried: \[http\]\. Connection violated security rules\./,
};

test("a page that is read is kept", async () => {
  const before = await captures();
  await world.scrape({ url: world.site.page("/kept", htmlPage("<p>x</p>")) });
  expect(await captures()).toBe(before + 1);
});

describe("pages that are hard to read", () => {
  test.each([
    ["10,000 nested elements", `${"<div>".repeat(10_000)}<p>Deep inside</p>${"</div>".repeat(10_000)}`],
    ["100,000 nested elements without ends", `${"<div><b>".repeat(100_000)}Deep inside`],
    [
      "1,000,000 attributes",
      `<p ${Array.from({ length: 1_000_000 }, (_, index) => `a${index}=1`).join(" ")}>x</p><p>Deep inside</p>`,
    ],
    ["1,000,000 ends without starts", `${"</div></b>".repeat(500_000)}<p>Deep inside</p>`],
    ["a table of 50,000 rows", `<p>Deep inside</p><table>${"<tr><td>a<td>b".repeat(50_000)}</table>`],
    ["endless openings", `<p>Deep inside</p>${"<".repeat(1_000_000)}`],
    ["a comment that never ends", `<p>Deep inside</p><!--${"-".repeat(1_000_000)}`],
    ["quotes that never end", `<p>Deep inside</p>${'<a href="'.repeat(100_000)}`],
    ["10,000 nested lists", `<p>Deep inside</p>${"<ul><li>".repeat(10_000)}`],
    ["10,000 nested quotes and tables", `<p>Deep inside</p>${"<blockquote><table><tr><td>".repeat(3000)}`],
    ["stars and underscores", `<p>Deep inside</p><p>${"*_`[".repeat(100_000)}</p>`],
    ["null bytes", "<p>Deep\0 inside\0</p>\0\0<p>Deep inside</p>"],
    ["half surrogates", "<p>Deep inside &#xD800; &#x110000; \uFFFD</p>"],
  ])("%s", async (name, html) => {
    const url = world.site.page(`/hard/${encodeURIComponent(name)}`, html);
    const formats = ["markdown", "html", "links", "images"];
    const { status, body } = await world.scrape({ url, formats, onlyMainContent: false });
    expect(status).toBe(200);
    expect(body.data.markdown).toContain("Deep inside");
    expect(body.data.html).toContain("Deep inside");
  });

  test("names of the prototype are harmless in the head", async () => {
    const head = ["__proto__", "constructor", "toString", "hasOwnProperty"]
      .map((name) => `<meta name="${name}" content="polluted">`)
      .join("");
    const { status, body } = await world.scrape({
      url: world.site.page("/proto", htmlPage("<p>x</p>", head)),
    });
    expect(status).toBe(200);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(body.data.metadata)).toBe(Object.prototype);
  });

  test.each([
    "text/html; charset=nonsense",
    "text/html; charset=",
    "text/html; charset=\"'",
    ";;;",
    "text/html;charset=utf-7",
  ])("the content type %j", async (contentType) => {
    const url = world.site.page(`/charset/${encodeURIComponent(contentType)}`, (_request, response) => {
      response.writeHead(200, { "content-type": contentType }).end("<p>Grüße</p>");
    });
    const { status, body } = await world.scrape({ url });
    expect(status).toBe(200);
    expect(body.data.markdown).toBe("Grüße");
  });

  test("bytes that are no UTF-8", async () => {
    const url = world.site.page("/bytes", (_request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        Buffer.concat([
          Buffer.from("<p>Before "),
          randomBytes(1000).map((byte) => byte | 0x80),
          Buffer.from(" after</p>"),
        ]),
      );
    });
    const { status, body } = await world.scrape({ url });
    expect(status).toBe(200);
    expect(body.data.markdown).toMatch(/^Before[^]*after$/);
  });
});

describe("bodies without measure", () => {
  const ZEROS = Buffer.alloc(60 * 1024 * 1024);

  test.each([
    ["gzip", () => gzipSync(ZEROS, { level: 1 })],
    ["br", () => brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } })],
  ])("a %s bomb", async (coding, bomb) => {
    const url = world.site.page(`/bomb-${coding}`, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-encoding": coding }).end(bomb());
    });
    await expectFailure({ url }, TOO_LARGE);
  });

  test("60 MB that are announced", async () => {
    const url = world.site.page("/announced", (_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html", "content-length": String(ZEROS.length) })
        .end(ZEROS);
    });
    await expectFailure({ url }, TOO_LARGE);
  });

  test("a body without end", async () => {
    const chunk = Buffer.alloc(1024 * 1024, "x");
    const url = world.site.page("/endless", (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const pump = () => {
        while (!response.destroyed && response.write(chunk)) continue;
      };
      response.on("drain", pump);
      pump();
    });
    await expectFailure({ url }, TOO_LARGE);
  });

  test("a body that drips", async () => {
    const url = world.site.page("/drip", (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    });
    await expectFailure({ url, timeout: 1000 }, TIMEOUT);
    await expect.poll(() => world.site.openSockets()).toBeLessThanOrEqual(1);
  });

  test("a head that never comes", async () => {
    const url = world.site.page("/silent", () => undefined);
    await expectFailure({ url, timeout: 1000 }, TIMEOUT);
  });
});

describe("broken connections", () => {
  test("a reset in the middle of the body", async () => {
    const url = world.site.page("/reset", (_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "1000" });
      response.write("<p>Half", () => response.socket?.resetAndDestroy());
    });
    await expectFailure({ url }, siteError("ERR_CONNECTION_RESET"));
  });

  test("fewer bytes than announced are read, as in a browser", async () => {
    const url = world.site.page("/short", (_request, response) => {
      response.writeHead(200, { "content-type": "text/html", "content-length": "1000" });
      response.write("<p>Half", () => response.socket?.end());
    });
    expect((await world.scrape({ url })).body).toMatchObject({ success: true, data: { markdown: "Half" } });
  });

  test("more bytes than announced are not read", async () => {
    const { port } = await listenRaw((socket) => {
      socket.end("HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: 8\r\n\r\n<p>1</p><p>2</p>");
    });
    const { body } = await world.scrape({ url: `http://127.0.0.1:${port}/` });
    expect(body.data.markdown).toBe("1");
  });

  test("no answer at all", async () => {
    const { port } = await listenRaw((socket) => socket.end());
    await expectFailure({ url: `http://127.0.0.1:${port}/` }, siteError("ERR_EMPTY_RESPONSE"));
  });

  test("something that is no HTTP", async () => {
    const { port } = await listenRaw((socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
    await expectFailure({ url: `http://127.0.0.1:${port}/` }, siteError("ERR_[A-Z_]+"));
  });

  test("nobody listening", async () => {
    await expectFailure(
      { url: "http://127.0.0.1:1/" },
      {
        ...BLOCKED,
        error: /^All scraping engines failed to retrieve content from this URL\. Engines tried: \[http\]\./,
      },
    );
  });

  test("a corrupt encoding", async () => {
    const url = world.site.page("/corrupt", (_request, response) => {
      response
        .writeHead(200, { "content-type": "text/html", "content-encoding": "br" })
        .end(Buffer.alloc(100, 0xff));
    });
    await expectFailure({ url }, siteError("ERR_[A-Z_]+"));
  });

  test("an unknown host", async () => {
    await expectFailure(
      { url: "http://no-such-host.invalid/" },
      {
        status: 500,
        code: "SCRAPE_DNS_RESOLUTION_ERROR",
        error: /^DNS resolution failed for hostname "no-such-host\.invalid"\.$/,
      },
    );
  });
});

describe("redirects", () => {
  const redirect = (path: string, location: string) =>
    world.site.page(path, (_request, response) => response.writeHead(302, { location }).end());

  test("to itself", async () => {
    await expectFailure({ url: redirect("/loop", "/loop") }, siteError("ERR_TOO_MANY_REDIRECTS"));
  });

  test("without end", async () => {
    let hops = 0;
    const url = world.site.page("/ever", (_request, response) => {
      hops += 1;
      response.writeHead(302, { location: `/ever?${hops}` }).end();
    });
    await expectFailure({ url }, siteError("ERR_TOO_MANY_REDIRECTS"));
    expect(hops).toBeLessThanOrEqual(21);
  });

  test.each(["file:///etc/passwd", "ftp://127.0.0.1/", "javascript:alert(1)", "data:text/html,x"])(
    "to %s",
    async (location) => {
      await expectFailure(
        { url: redirect(`/to-${encodeURIComponent(location)}`, location) },
        siteError("ERR_INVALID_RESPONSE"),
      );
    },
  );

  test("to an address that is not open", async () => {
    const trap = await listenTrap("127.0.0.2");
    await expectFailure({ url: redirect("/to-trap", `http://127.0.0.2:${trap.port}/`) }, BLOCKED);
    expect(trap.connections()).toBe(0);
  });

  test("to nowhere", async () => {
    const url = world.site.page("/nowhere", (_request, response) => {
      response.writeHead(302, { "content-type": "text/html" }).end("<p>Stay</p>");
    });
    const { body } = await world.scrape({ url });
    expect(body.data.markdown).toBe("Stay");
    expect(body.data.metadata).toMatchObject({ statusCode: 302, error: "Found" });
  });
});
