import { beforeAll, beforeEach, expect, test } from "vitest";

import { listenHttps } from "../../packages/server/src/net/loopback.suite.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();
/** Of a site whose certificate nobody vouches for. */
let secureBase: string;
let pages = 0;
let path: string;

beforeAll(async () => {
  const { port } = await listenHttps((request, response) => {
    if (request.url?.startsWith("/onward")) {
      return response.writeHead(302, { location: world.site.url(path) }).end();
    }
    response.setHeader("content-type", "text/html");
    response.end(htmlPage(`<h1>Secure</h1>${"<p>Words of a page that is complete.</p>".repeat(30)}`));
  });
  secureBase = `https://127.0.0.1:${port}`;
});

beforeEach(() => {
  pages += 1;
  path = `/page-${pages}`;
});

async function cacheStateOf(url: string, options: object = {}): Promise<string | undefined> {
  const { status, body } = await world.scrape({ url, ...options });
  expect(status).toBe(200);
  return body.data.metadata.cacheState;
}

test("R2 a page with a bad certificate that somebody accepted is not the answer for who does not", async () => {
  const url = secureBase + path;
  expect(await cacheStateOf(url)).toBe("miss");
  expect(await cacheStateOf(url)).toBe("hit");
  const strict = await world.scrape({ url, skipTlsVerification: false });
  expect(strict.body).toMatchObject({ success: false, code: "SCRAPE_SSL_ERROR" });
  const cached = await world.scrape({ url, skipTlsVerification: false, minAge: 1 });
  expect(cached.body).toMatchObject({ success: false, code: "SCRAPE_NO_CACHED_DATA" });
  const locked = await world.scrape({ url, skipTlsVerification: false, lockdown: true });
  expect(locked.body).toMatchObject({ success: false, code: "SCRAPE_LOCKDOWN_CACHE_MISS" });
});

test("R2 a bad certificate on the way counts, even if the way ends without TLS", async () => {
  world.site.page(path, htmlPage(`<h1>Plain</h1>${"<p>Words of a page that is complete.</p>".repeat(30)}`));
  const url = `${secureBase}/onward-${pages}`;
  expect(await cacheStateOf(url)).toBe("miss");
  expect(await cacheStateOf(url)).toBe("hit");
  const strict = await world.scrape({ url, skipTlsVerification: false });
  expect(strict.body).toMatchObject({ success: false, code: "SCRAPE_SSL_ERROR" });
});

test.each([
  ["plain HTTP", {}],
  ["a browser", { waitFor: 1 }],
])("R2 a page without TLS answers both, fetched by %s", async (_name, options) => {
  const url = world.site.page(path, htmlPage("<h1>Plain</h1>"));
  expect(await cacheStateOf(url, options)).toBe("miss");
  expect(await cacheStateOf(url, { ...options, skipTlsVerification: false })).toBe("hit");
});

test("R2 a browser's page with a bad certificate is not the answer for who does not accept it", async () => {
  const url = secureBase + path;
  expect(await cacheStateOf(url, { waitFor: 1 })).toBe("miss");
  expect(await cacheStateOf(url, { waitFor: 1 })).toBe("hit");
  const strict = await world.scrape({ url, waitFor: 1, skipTlsVerification: false });
  expect(strict.body).toMatchObject({ success: false, code: "SCRAPE_SSL_ERROR" });
});

test("R2 http does not answer for https", async () => {
  const host = `127.0.0.1:${world.site.port}`;
  world.site.page(path, htmlPage("<h1>Plain</h1>"));
  expect(await cacheStateOf(`http://${host}${path}`)).toBe("miss");
  const { body } = await world.scrape({ url: `https://${host}${path}`, minAge: 1 });
  expect(body).toMatchObject({ success: false, code: "SCRAPE_NO_CACHED_DATA" });
});
