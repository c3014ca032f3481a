import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";

import { Resources } from "../../packages/kit/src/resources.ts";
import { listenDns } from "../../packages/server/src/net/loopback.suite.ts";
import { testCertificate } from "../../packages/server/src/net/test-certificate.suite.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";
import { openUpstreamProxy, proxyPassword, type UpstreamProxy } from "./upstream-proxy.ts";

let resources = new Resources();

afterEach(async () => {
  await resources.close();
  resources = new Resources();
});

async function openProxy(scheme: Parameters<typeof openUpstreamProxy>[0]): Promise<UpstreamProxy> {
  return resources.add(await openUpstreamProxy(scheme), (proxy) => proxy.close());
}

async function openProxiedWorld(...proxies: readonly object[]): Promise<World> {
  const world = await openWorld({ PROXIES: JSON.stringify(proxies) });
  return resources.add(world, (opened) => opened.close());
}

/** @returns URL of a page whose certificate is its own. */
async function openSecureSite(): Promise<string> {
  const server = createServer(testCertificate, (_request, response) => {
    response.setHeader("content-type", "text/html").end(htmlPage("<p>Secure words</p>"));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  resources.add(server, (opened) => {
    opened.closeAllConnections();
    opened.close();
  });
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** A world whose sites have a name that only this service can resolve. */
async function openNamedWorld(proxy: object) {
  const nameServer = await listenDns((_name, type) => (type === "A" ? ["127.0.0.1"] : []));
  const proxies = JSON.stringify([{ ...proxyPassword, skipTlsVerification: true, ...proxy }]);
  const world = await openWorld({ PROXIES: proxies, DNS_SERVERS: nameServer });
  resources.add(world, (opened) => opened.close());
  const plain = world.site.page("/", htmlPage("<p>Plain words</p>"));
  const named = (url: string) => url.replace("127.0.0.1", "site.test");
  return { world, site: named(plain), secure: named(await openSecureSite()) };
}

/** Phones are browsers from the first request on; nothing is fetched by HTTP before. */
const ENGINES = [
  ["HTTP", {}],
  ["browser", { mobile: true }],
] as const;
const SCHEMES = ["http", "https", "socks5"] as const;
const PROXY_FAILED = { code: "SCRAPE_SITE_ERROR", error: expect.stringContaining("PROXY_CONNECTION_FAILED") };

describe.each(SCHEMES)("section 3.21: a proxy that speaks %s, with a password", (scheme) => {
  test.each(ENGINES)(
    "is the way of everything by %s; vector 42: the certificate of the site is judged",
    async (_name, how) => {
      const proxy = await openProxy(scheme);
      const world = await openProxiedWorld({ ...proxyPassword, url: proxy.url, skipTlsVerification: true });
      const plain = world.site.page("/", htmlPage("<p>Plain words</p>"));
      const secure = await openSecureSite();
      const options = { ...how, proxy: "basic", maxAge: 0 };
      const { body } = await world.scrape({ ...options, url: plain });
      expect(body.data.markdown).toBe("Plain words");
      expect(proxy.targets).toContain(`127.0.0.1:${world.site.port}`);
      expect(world.site.connections()).toBe(proxy.targets.length);

      const trusting = await world.scrape({ ...options, url: secure });
      expect(trusting.body.data.markdown).toBe("Secure words");
      const strict = await world.scrape({ ...options, url: secure, skipTlsVerification: false });
      expect(strict.body).toMatchObject({ success: false, code: "SCRAPE_SSL_ERROR" });
      expect(proxy.targets).toContain(new URL(secure).host);
      expect(proxy.refusals()).toBe(0);
    },
  );
});

describe.each(ENGINES)("W3 by %s", (_name, how) => {
  test.each(SCHEMES)("a proxy (%s) is told the address that was judged, not the name", async (scheme) => {
    const proxy = await openProxy(scheme);
    const { world, site, secure } = await openNamedWorld({ url: proxy.url });
    for (const url of [site, secure]) {
      const { body } = await world.scrape({ ...how, url, proxy: "basic", maxAge: 0 });
      expect(body.data.markdown).toMatch(/words$/);
      expect(proxy.targets).toContain(`127.0.0.1:${new URL(url).port}`);
    }
    expect(proxy.targets.join()).not.toContain("site.test");
  });

  test.each(SCHEMES)("a proxy (%s) that wants names is told names", async (scheme) => {
    const proxy = await openProxy(scheme);
    const { world, site, secure } = await openNamedWorld({ url: proxy.url, connectTo: "name" });
    for (const url of [site, secure]) {
      const { body } = await world.scrape({ ...how, url, proxy: "basic", maxAge: 0 });
      expect(body.data.markdown).toMatch(/words$/);
      expect(proxy.targets).toContain(new URL(url).host);
    }
  });
});

describe.each(ENGINES)("section 3.21: by %s", (_name, how) => {
  test.each(SCHEMES)(
    "a proxy (%s) that does not know us is an error that names no password",
    async (scheme) => {
      const proxy = await openProxy(scheme);
      const wrong = { username: "somebody", password: "s3cret-of-the-operator" };
      const world = await openProxiedWorld({ ...wrong, url: proxy.url, skipTlsVerification: true });
      const plain = world.site.page("/", htmlPage("<p>Words</p>"));
      for (const url of [plain, "https://127.0.0.1:4433/"]) {
        const { body } = await world.scrape({ ...how, url, proxy: "basic" });
        expect(body).toMatchObject(PROXY_FAILED);
        expect(JSON.stringify(body)).not.toContain(wrong.password);
      }
      expect(proxy.refusals()).toBeGreaterThan(0);
      expect(world.site.connections()).toBe(0);
    },
  );

  test("an https proxy has to prove who it is, also when the certificate of the site does not matter", async () => {
    const proxy = await openProxy("https");
    const world = await openProxiedWorld({ ...proxyPassword, url: proxy.url });
    const url = world.site.page("/", htmlPage("<p>Words</p>"));
    const { body } = await world.scrape({ ...how, url, proxy: "basic", skipTlsVerification: true });
    expect(body).toMatchObject(PROXY_FAILED);
    expect(proxy.targets).toEqual([]);
    expect(proxy.refusals()).toBe(0);
  });

  test("a private target is judged before any proxy hears of it", async () => {
    const proxy = await openProxy("http");
    const world = await openProxiedWorld({ ...proxyPassword, url: proxy.url });
    const { body } = await world.scrape({ ...how, url: "http://127.0.0.2:4433/", proxy: "basic" });
    expect(body).toMatchObject({ code: "SCRAPE_ALL_ENGINES_FAILED" });
    expect(body.error).toContain("Connection violated security rules.");
    expect(proxy.targets).toEqual([]);
  });

  test("a proxy that is down is left alone while another works", async () => {
    const proxy = await openProxy("http");
    const dead = await openUpstreamProxy("http");
    const urls = [dead.url, proxy.url];
    await dead.close();
    const world = await openProxiedWorld(...urls.map((url) => ({ ...proxyPassword, url })));
    const url = world.site.page("/", htmlPage("<p>Words</p>"));
    for (let round = 0; round < 5; round += 1) {
      const { body } = await world.scrape({ ...how, url, proxy: "basic", maxAge: 0 });
      expect(body.data.markdown).toBe("Words");
    }
  });

  test("the proxy of the country serves it, and no other stands in", async () => {
    const [german, japanese] = [await openProxy("http"), await openProxy("socks5")];
    const world = await openProxiedWorld(
      { ...proxyPassword, url: german.url, country: "DE" },
      { ...proxyPassword, url: japanese.url, country: "jp" },
    );
    const url = world.site.page("/", htmlPage("<p>Words</p>"));
    const from = (country: string) =>
      world.scrape({ ...how, url, proxy: "basic", maxAge: 0, location: { country } });
    expect((await from("JP")).status).toBe(200);
    expect(german.targets).toEqual([]);
    expect((await from("de")).status).toBe(200);
    expect(german.targets.length).toBeGreaterThan(0);
    const connections = world.site.connections();
    const { status, body } = await from("FR");
    expect(status).toBe(500);
    expect(body.code).toBe("SCRAPE_PROXY_SELECTION_ERROR");
    expect(world.site.connections()).toBe(connections);
  });

  test("a site that keeps the basic proxy out is asked once more, by the enhanced one", async () => {
    const [basic, enhanced] = [await openProxy("http"), await openProxy("socks5")];
    const world = await openProxiedWorld(
      { ...proxyPassword, url: basic.url },
      { ...proxyPassword, url: enhanced.url, tier: "enhanced" },
    );
    const url = world.site.page("/", (_request, response) => {
      const isKnown = enhanced.targets.length > 0;
      response.writeHead(isKnown ? 200 : 403, { "content-type": "text/html" });
      response.end(htmlPage(isKnown ? "<p>Come in</p>" : "<p>Keep out</p>"));
    });
    const { body: first } = await world.scrape({ ...how, url, proxy: "basic", maxAge: 0 });
    expect(first.data.metadata).toMatchObject({ statusCode: 403, proxyUsed: "basic" });
    expect(enhanced.targets).toEqual([]);
    const { body } = await world.scrape({ ...how, url, maxAge: 0 });
    expect(body.data.markdown).toBe("Come in");
    expect(body.data.metadata.proxyUsed).toBe("stealth");
  });
});
