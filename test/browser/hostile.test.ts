import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, test } from "vitest";

import { testCertificate } from "../../packages/server/src/net/test-certificate.suite.ts";
import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";
import type { World } from "../world.ts";
import { hostilePages } from "./hostile-pages.ts";

const world = useSharedWorld();

beforeAll(async () => {
  openHostileSite(world);
});

/** Those that never end are at it for so long. */
const TIMEOUT_MS = 2500;
/** With the queue of five at a time on a busy machine. */
const TEST_LIMIT_MS = 30_000;
const SHELL = '<div id="root"></div>';
/** What makes the service answer in another way than with a page is the page's doing, and said to be. */
const OUTCOMES = ["a page", "SCRAPE_TIMEOUT", "SCRAPE_SITE_ERROR", "SCRAPE_UNSUPPORTED_FILE_ERROR"];

/** What hostile pages ask for. */
function openHostileSite({ site }: World): void {
  site.page("/file", (_request, response) => {
    response.writeHead(200, { "content-type": "application/zip", "content-disposition": "attachment" });
    response.end("zip");
  });
  site.page("/login", (_request, response) => {
    response.writeHead(401, { "www-authenticate": 'Basic realm="secrets"' }).end("Who are you?");
  });
  site.page("/worker.js", (_request, response) => {
    response.setHeader("content-type", "text/javascript");
    response.end("addEventListener('fetch', (event) => event.respondWith(new Promise(() => {})))");
  });
  site.page("/hang", () => undefined);
  site.page("/flood", (_request, response) => {
    response.setHeader("content-type", "text/event-stream");
    const line = `data: ${"x".repeat(100_000)}\n\n`;
    const pour = () => {
      while (!response.destroyed && response.write(line));
    };
    response.on("drain", pour);
    pour();
  });
}

describe("R22 a page that", () => {
  test.concurrent.each(Object.entries(hostilePages))(
    "%s ends in time, with a page or a documented error",
    async (name, script) => {
      const path = `/${encodeURIComponent(name)}`;
      const url = world.site.page(path, htmlPage(`${SHELL}<script>${script}</script>`));
      const { status, body } = await world.scrape({ url, timeout: TIMEOUT_MS, proxy: "basic" });
      expect(OUTCOMES).toContain(status === 200 ? "a page" : body.code);
      expect(new URL(body.data?.metadata.url ?? url).origin).toBe(new URL(url).origin);
    },
    TEST_LIMIT_MS,
  );

  test("loops after it has shown something is captured with what it has shown", async () => {
    const script = `<script>root.textContent = "WORDS"; setTimeout(() => { for (;;); }, 100)</script>`;
    const url = world.site.page("/busy", htmlPage(`${SHELL}${script}`));
    const { body } = await world.scrape({ url, timeout: 60_000, proxy: "basic" });
    expect(body.data?.markdown).toContain("WORDS");
  });

  test("harms no other scrape", async () => {
    const bad = world.site.page("/bad", htmlPage(`${SHELL}<script>for (;;);</script>`));
    const good = world.site.page("/good", htmlPage(`${SHELL}<script>root.textContent = "GOOD"</script>`));
    const hostile = Array.from({ length: 3 }, (_, index) =>
      world.scrape({ url: `${bad}?${index}`, timeout: TIMEOUT_MS, proxy: "basic" }),
    );
    const { body } = await world.scrape({ url: good, timeout: 20_000 });
    expect(body.data.markdown).toContain("GOOD");
    await Promise.all(hostile);
  });
});

describe("a site that", () => {
  test("redirects by every means in turn leads to the last page", async () => {
    world.site.page("/r5", htmlPage("<h1>End of the road</h1>"));
    world.site.page(
      "/r4",
      htmlPage(
        `${SHELL}<script>document.body.innerHTML = '<form action="/r5"></form>'; document.forms[0].submit()</script>`,
      ),
    );
    world.site.page("/r3", htmlPage(`${SHELL}<script>setTimeout(() => { location = "/r4"; }, 50)</script>`));
    world.site.page("/r2", htmlPage("", '<meta http-equiv="refresh" content="0;url=/r3">'));
    const url = world.site.page("/r1", (_request, response) =>
      response.writeHead(302, { location: "/r2" }).end(),
    );
    const { body } = await world.scrape({ url, timeout: 20_000 });
    expect(body.data.markdown).toContain("End of the road");
    expect(body.data.metadata.url).toBe(world.site.url("/r5?"));
  });

  test("signs its own certificate is read by a browser, unless that is forbidden", async () => {
    const server = createServer(testCertificate, (_request, response) => {
      response.setHeader("content-type", "text/html");
      response.end(htmlPage(`${SHELL}<script>root.textContent = "SECURE " + isSecureContext</script>`));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
      const open = await world.scrape({ url, timeout: 20_000 });
      expect(open.body.data.markdown).toContain("SECURE true");
      const strict = await world.scrape({ url, skipTlsVerification: false, maxAge: 0 });
      expect(strict.body).toMatchObject({ success: false, code: "SCRAPE_SSL_ERROR" });
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("is private is not reached by scripts either", async () => {
    const url = world.site.page(
      "/inside",
      htmlPage(`${SHELL}<script>
        fetch("http://127.0.0.2:${world.site.port}/", { mode: "no-cors" })
          .then(() => { root.textContent = "REACHED"; }, () => { root.textContent = "REFUSED"; })
      </script>`),
    );
    const { body } = await world.scrape({ url, timeout: 20_000 });
    expect(body.data.markdown).toContain("REFUSED");
  });
});
