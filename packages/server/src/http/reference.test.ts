import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { openTestServer, type TestServer, type WireAnswer } from "../../../../test/server.ts";
import type { FastifyInstance } from "fastify";

import { build } from "../../../../test/built.ts";
import { addOperations } from "./add-operations.ts";
import { addDocsAssets } from "./routes/docs.ts";
import { openReference, referenceOperations } from "./reference.ts";

let server: TestServer;
let published: TestServer;

beforeAll(async () => {
  await build();
  server = await openTestServer((app) => addReference(app, "open"));
  published = await openTestServer((app) => addReference(app, "keys", "https://scrape.example/base"));
});

afterAll(async () => {
  await server.close();
  await published.close();
});

function addReference(app: FastifyInstance, auth: "open" | "keys", publicUrl?: string): void {
  const reference = openReference({ auth, hasDashboard: true, publicUrl, operations: referenceOperations });
  addOperations(app, referenceOperations, reference, publicUrl);
  addDocsAssets(app);
}

/** The sources that a page may use, by directive. */
function policyOf({ headers }: WireAnswer): Readonly<Record<string, string>> {
  const directives = headers.get("content-security-policy")?.split(";") ?? [];
  return Object.fromEntries(
    directives.map((directive) => {
      const [name = "", ...sources] = directive.trim().split(" ");
      return [name, sources.join(" ")];
    }),
  );
}

describe("the landing page", () => {
  test("tells how to call the service under the name that the client used", async () => {
    const { status, headers, text } = await server.ask("GET /");
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(text).toContain(`curl -s ${server.url}/v2/scrape`);
    expect(text).toContain(`export FIRECRAWL_API_URL=${server.url}\n`);
    expect(text).toContain(`new Firecrawl({ apiUrl: "${server.url}" })`);
  });

  test("F7 shows where the key goes in every line to paste, where one is needed", async () => {
    const { text } = await published.ask("GET /");
    expect(text).toContain("/v2/scrape -H 'authorization: Bearer fc-…' -H 'content-type:");
    expect(text).toContain("\nexport FIRECRAWL_API_KEY=fc-…\n");
    expect(text).toContain('new Firecrawl({ apiUrl: "https://scrape.example/base", apiKey: "fc-…" })');
    expect((await server.ask("GET /")).text).not.toMatch(/authorization|API_KEY|apiKey/);
  });

  test("is kept by no cache where it follows the Host", async () => {
    expect((await server.ask("GET /")).headers.get("cache-control")).toBe("no-store");
    expect((await published.ask("GET /")).headers.get("cache-control")).toBeNull();
  });

  test("tells the public name, where one is set", async () => {
    const { text } = await published.ask("GET /");
    expect(text).toContain("curl -s https://scrape.example/base/v2/scrape");
    expect(text).not.toContain("127.0.0.1");
  });

  test.each([
    ['"><script>alert(1)</script>', "&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"],
    ["<img", "&lt;img"],
    ["a&amp;b", "a&amp;amp;b"],
  ])("shows the host name %s as text", async (name, shown) => {
    const page = await server.talk(`GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
    expect(page).toContain(`curl -s http://${shown}/v2/scrape`);
    expect(page.split(shown)).toHaveLength(4);
    expect(page).not.toContain(name);
  });

  test("links to what there is", async () => {
    const { text } = await server.ask("GET /");
    const links = Array.from(text.matchAll(/href="([^"]*)"/g), ([, href]) => href);
    expect(links).toEqual(["/dashboard", "/docs", "/openapi.json", "/readyz", "/metrics"]);
    expect((await published.ask("GET /")).text).not.toContain("/metrics");
    for (const link of ["/docs", "/openapi.json"]) expect((await server.ask(`GET ${link}`)).status).toBe(200);
  });
});

describe("the reference", () => {
  test("has its scripts and styles from the service itself", async () => {
    const { text } = await server.ask("GET /docs");
    const sources = Array.from(text.matchAll(/(?:href|src)="([^"]*)"/g), ([, source = ""]) => source);
    const assets = sources.filter((source) => source.startsWith("/docs/assets/"));
    expect(assets.length).toBeGreaterThan(3);
    expect(sources.filter((source) => !source.startsWith("/") || source.startsWith("//"))).toEqual([]);
    for (const source of assets) {
      const { status, headers } = await server.ask(`GET ${source}`);
      expect([source, status]).toEqual([source, 200]);
      expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    }
  });

  test.each(["package.json", "..%2findex.html", "index.html", "__proto__"])(
    "serves nothing else of its folder: %s",
    async (name) => {
      const { status, body } = await server.ask(`GET /docs/assets/${name}`);
      expect([status, body]).toEqual([404, { success: false, error: "Not Found" }]);
    },
  );

  test.each(["/", "/docs"])("runs nothing but what the service serves: %s", async (path) => {
    const policy = policyOf(await server.ask(`GET ${path}`));
    expect(policy).toMatchObject({
      "default-src": "'none'",
      "script-src": "'self'",
      "connect-src": "'self'",
      "base-uri": "'none'",
      "form-action": "'none'",
      "frame-ancestors": "'none'",
    });
    const { text } = await server.ask(`GET ${path}`);
    expect(text).not.toMatch(/<script>|\son\w+=/);
  });
});

describe("the OpenAPI document", () => {
  test("names the server by the path alone, or by its public name", async () => {
    const own = await server.ask("GET /openapi.json");
    expect(own.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(own.body).toMatchObject({ openapi: expect.any(String), servers: [{ url: "/" }] });
    const { body } = await published.ask("GET /openapi.json");
    expect(body).toMatchObject({ servers: [{ url: "https://scrape.example/base" }] });
  });
});

describe("what is the same for everybody (R18)", () => {
  const PATHS = ["/openapi.json", "/docs"];
  const plain = { "accept-encoding": "identity" };

  test.each(PATHS)("comes packed to those who take it so, and is the same then: %s", async (path) => {
    const whole = await server.ask(`GET ${path}`, { headers: plain });
    expect(whole.headers.get("content-encoding")).toBeNull();
    for (const [accepted, encoding] of [
      ["gzip, deflate", "gzip"],
      ["br, gzip;q=0.5", "br"],
      ["br;q=0, gzip", "gzip"],
      ["*", "br"],
    ]) {
      const packed = await server.ask(`GET ${path}`, { headers: { "accept-encoding": accepted ?? "" } });
      expect(packed.headers.get("content-encoding")).toBe(encoding);
      expect(packed.text).toBe(whole.text);
      expect(packed.headers.get("content-type")).toBe(whole.headers.get("content-type"));
      expect(packed.headers.get("vary")).toBe("accept-encoding");
      expect(packed.headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  test.each(["gzip;q=0", "*;q=0", "", "gzipped"])(
    "comes as it is to those who accept %j",
    async (accepted) => {
      const answer = await server.talk(
        `GET /docs HTTP/1.1\r\nHost: x\r\nAccept-Encoding: ${accepted}\r\nConnection: close\r\n\r\n`,
      );
      expect(answer).toContain("<title>Pergamon reference</title>");
    },
  );

  test.each(PATHS)("is not sent again to those who have it: %s", async (path) => {
    for (const encoding of ["br", "gzip", "identity"]) {
      const headers = { "accept-encoding": encoding };
      const first = await server.ask(`GET ${path}`, { headers });
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[\w-]{20,}"$/);
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const again = await server.ask(`GET ${path}`, { headers: { ...headers, "if-none-match": known } });
        expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag]);
      }
      const other = await server.ask(`GET ${path}`, { headers: { ...headers, "if-none-match": '"other"' } });
      expect([other.status, other.text]).toEqual([200, first.text]);
    }
  });

  test("is asked for again each time, as it changes with the service", async () => {
    for (const path of PATHS)
      expect((await server.ask(`HEAD ${path}`)).headers.get("cache-control")).toBe("no-cache");
  });
});
