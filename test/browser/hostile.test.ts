import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testCertificate } from "../../src/platform/net/test-certificate.suite.ts";
import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World;

beforeAll(async () => {
  world = await openWorld();
});

afterAll(() => world.close());

const TIMEOUT_MS = 4000;
/** With the queue of five at a time on a busy machine. */
const TEST_LIMIT_MS = 20_000;
const SHELL = '<div id="root"></div>';

/** Pages that mean harm, by what their script does. All are empty shells, so that a browser opens them. */
const HOSTILE: Readonly<Record<string, string>> = {
  "loops for ever": "for (;;);",
  "loops for ever after a while": "root.textContent = 'WORDS'; setTimeout(() => { for (;;); }, 100)",
  "asks without end": "for (;;) alert('again')",
  "opens popups": "for (let n = 0; n < 10000; n += 1) window.open('/popup-' + n)",
  "starts workers":
    "for (let n = 0; n < 200; n += 1) new Worker(URL.createObjectURL(new Blob(['for (;;);'])))",
  "grows for ever":
    "setInterval(() => { for (let n = 0; n < 2000; n += 1) document.body.append(document.createElement('p')); }, 0)",
  "frames itself":
    "for (let n = 0; n < 3; n += 1) document.body.append(Object.assign(document.createElement('iframe'), { src: location.href + '?' + Math.random() }))",
  "floods the console":
    "setInterval(() => { for (let n = 0; n < 5000; n += 1) console.log('x'.repeat(1000)); }, 0)",
  "rewrites its history":
    "setInterval(() => { for (let n = 0; n < 1000; n += 1) history.pushState({}, '', '?' + Math.random()); }, 0)",
  "reloads for ever": "setTimeout(() => location.replace('?' + Math.random()), 20)",
  "downloads for ever": "setInterval(() => { location.href = '/file'; }, 10)",
  recurses: "(function deeper() { deeper(); })()",
  "hoards memory":
    "const hoard = []; setInterval(() => { for (let n = 0; n < 8; n += 1) hoard.push(new Uint8Array(32 << 20).fill(n)); }, 0)",
};

const OUTCOMES = new Set(["a page", "SCRAPE_TIMEOUT", "SCRAPE_SITE_ERROR"]);

describe("R22 a page that", () => {
  test.concurrent.each(Object.entries(HOSTILE))(
    "%s ends in time, with a page or a documented error",
    async (name, script) => {
      world.site.page("/file", (_request, response) => {
        response.writeHead(200, { "content-type": "application/zip", "content-disposition": "attachment" });
        response.end("zip");
      });
      const path = `/${encodeURIComponent(name)}`;
      const url = world.site.page(path, htmlPage(`${SHELL}<script>${script}</script>`));
      const { status, body } = await world.scrape({ url, timeout: TIMEOUT_MS, proxy: "basic" });
      expect(status === 200 ? "a page" : body.code).toSatisfy((outcome) => OUTCOMES.has(String(outcome)));
    },
    TEST_LIMIT_MS,
  );

  test("loops after it has shown something is captured with what it has shown", async () => {
    const script = `<script>root.textContent = "WORDS"; setTimeout(() => { for (;;); }, 100)</script>`;
    const url = world.site.page("/busy", htmlPage(`${SHELL}${script}`));
    const { body } = await world.scrape({ url, timeout: 20_000, proxy: "basic" });
    expect(body.data.markdown).toContain("WORDS");
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
