import { type AddressInfo, createServer } from "node:net";

import { describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";

const world = useSharedWorld();

const PARAGRAPH =
  "<p>A sentence with a good number of words, so that the page counts as one with content.</p>";
const SCRIPT = `<script>setTimeout(() => { root.innerHTML = "<h1>Made by a script</h1>" + ${JSON.stringify(PARAGRAPH.repeat(8))}; }, 50)</script>`;

async function markdownOf(url: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { body } = await world.scrape({ url, formats: ["markdown"], onlyMainContent: false, ...more });
  return body.data.markdown ?? "";
}

describe("the ladder", () => {
  test("waitFor brings what scripts make of the page, and fetches it once", async () => {
    const late = `<script>setTimeout(() => { document.title = "late"; root.innerHTML = "<h1>Late</h1>"; }, 200)</script>`;
    const url = world.site.page("/wait", htmlPage(`<main id="root">${PARAGRAPH.repeat(8)}</main>${late}`));
    expect(await markdownOf(url, { waitFor: 400 })).toContain("# Late");
    expect(world.site.hits("/wait")).toHaveLength(1);
  });

  test("an empty shell is filled by a browser, without being asked for", async () => {
    const url = world.site.page(
      "/shell",
      htmlPage(`<div id="root"></div><script>fetch("/asked")</script>${SCRIPT}`),
    );
    expect(await markdownOf(url)).toContain("# Made by a script");
    const agents = world.site.hits("/shell").map(({ headers }) => headers["user-agent"]);
    expect(agents).toHaveLength(2);
    // The browser asks for its page itself, as for everything that the page needs.
    expect(world.site.hits("/asked").map(({ headers }) => headers["user-agent"])).toEqual([agents[1]]);
  });

  test("what scripts take away without a replacement is taken from what the server sent", async () => {
    const empties = "<script>document.querySelector('main').remove()</script>";
    const held = `<main><div class="spinner"></div><noscript>${PARAGRAPH.repeat(8)}</noscript></main>`;
    const url = world.site.page("/emptied", htmlPage(`${held}${empties}`));
    expect(await markdownOf(url, { onlyMainContent: true })).toContain("a good number of words");
    expect(await markdownOf(url, { onlyMainContent: true, maxAge: 0, waitFor: 50 })).toBe("");
    expect(world.site.hits("/emptied")).toHaveLength(3);
  });

  test("fastMode takes the shell as it is, and does not keep it", async () => {
    const url = world.site.page("/fast", htmlPage(`<div id="root">Loading</div>${SCRIPT}`));
    expect(await markdownOf(url, { fastMode: true })).toBe("Loading");
    const { body } = await world.scrape({ url, formats: ["markdown"] });
    expect(body.data.metadata).toMatchObject({ cacheState: "miss" });
    expect(body.data.markdown).toContain("# Made by a script");
  });

  test("a rendered page is cached like any other", async () => {
    const url = world.site.page("/cached", htmlPage(`<div id="root"></div>${SCRIPT}`));
    await markdownOf(url);
    const { body } = await world.scrape({ url, formats: ["markdown"] });
    expect(body.data.metadata).toMatchObject({ cacheState: "hit" });
    expect(body.data.markdown).toContain("# Made by a script");
  });

  test("a page that only refreshes to another is followed without a browser", async () => {
    const target = world.site.page("/arrived", htmlPage(`<h1>Arrived</h1>${PARAGRAPH.repeat(8)}`));
    const url = world.site.page(
      "/leaving",
      htmlPage("", '<meta http-equiv="refresh" content="0; url=/arrived">'),
    );
    const { body } = await world.scrape({ url, formats: ["markdown"] });
    expect(body.data.markdown).toContain("# Arrived");
    expect(body.data.metadata).toMatchObject({ url: target, sourceURL: url });
  });

  test("a challenge is waited out by a browser", async () => {
    const url = world.site.page("/challenge", (request, response) => {
      const isCleared = /cleared=1/.test(request.headers.cookie ?? "");
      response.writeHead(isCleared ? 200 : 403, { "content-type": "text/html" });
      const solve = `<script>setTimeout(() => { document.cookie = "cleared=1"; location.reload(); }, 100)</script>`;
      response.end(
        htmlPage(isCleared ? `<h1>Inside</h1>${PARAGRAPH.repeat(8)}` : `<h1>Just a moment...</h1>${solve}`),
      );
    });
    const { body } = await world.scrape({ url, formats: ["markdown"], proxy: "basic" });
    expect(body.data.markdown).toContain("# Inside");
    expect(body.data.metadata.statusCode).toBe(200);
  });
});

describe("A42 headers", () => {
  test("go with documents of the page's own origin, and with nothing else", async () => {
    const seen: Record<string, string | undefined> = {};
    const note = (name: string) => (request: { headers: Record<string, unknown> }) => {
      seen[name] = [request.headers["x-custom"], request.headers["authorization"]].join("|");
    };
    world.site.page("/image.png", (request, response) => {
      note("image")(request);
      response.writeHead(204).end();
    });
    world.site.page("/next", (request, response) => {
      note("next")(request);
      response.writeHead(200, { "content-type": "text/html" }).end(htmlPage(`<h1>Next</h1>${PARAGRAPH}`));
    });
    const url = world.site.page("/headers", (request, response) => {
      note("first")(request);
      const leave = `<img src="/image.png"><script>setTimeout(() => { location.href = "/next"; }, 100)</script>`;
      response.writeHead(200, { "content-type": "text/html" }).end(htmlPage(`<div id="root"></div>${leave}`));
    });
    const headers = { "X-Custom": "yes", Authorization: "Bearer secret" };
    expect(await markdownOf(url, { headers, waitFor: 1 })).toContain("# Next");
    expect(seen).toEqual({ first: "yes|Bearer secret", next: "yes|Bearer secret", image: "|" });
  });

  test("a cookie header becomes cookies", async () => {
    const url = world.site.page(
      "/cookies",
      htmlPage(`<div id="root"></div><script>root.textContent = "cookies: " + document.cookie</script>`),
    );
    expect(await markdownOf(url, { headers: { Cookie: "a=1; b=two" } })).toContain("cookies: a=1; b=two");
  });
});

describe("a capture has", () => {
  test("open, closed, nested and declarative shadow roots", async () => {
    const url = world.site.page(
      "/shadow",
      htmlPage(`<div id="root"></div><div id="open"></div><div id="closed"></div>
        <div><template shadowrootmode="open"><p>DECLARED</p><slot></slot></template><b>LIGHT</b></div>
        <script>
          const shadow = open_.attachShadow({ mode: "open" });
          shadow.innerHTML = '<p>OPEN</p><div id="inner"></div>';
          shadow.getElementById("inner").attachShadow({ mode: "closed" }).innerHTML = "<p>NESTED</p>";
          document.getElementById("closed").attachShadow({ mode: "closed" }).innerHTML = "<p>CLOSED</p>";
        </script>`).replace("open_.", 'document.getElementById("open").'),
    );
    const markdown = await markdownOf(url, { waitFor: 1 });
    for (const text of ["OPEN", "NESTED", "CLOSED", "DECLARED", "LIGHT"]) expect(markdown).toContain(text);
  });

  test("frames of the same site, with addresses of their own, and no others", async () => {
    const other = `http://localhost:${world.site.port}/frames/inner.html`;
    world.site.page("/frames/inner.html", htmlPage(`<p>FRAME <a href="deeper">link</a></p>`));
    const url = world.site.page(
      "/framed",
      htmlPage(`<div id="root"></div><script>root.textContent = "TOP"</script>
        <iframe src="/frames/inner.html"></iframe><iframe srcdoc="<p>SRCDOC</p>"></iframe>
        <iframe src="${other}?x"></iframe>`),
    );
    const { body } = await world.scrape({ url, formats: ["markdown", "links", "rawHtml"], waitFor: 1 });
    expect(body.data.markdown).toContain("TOP");
    expect(body.data.markdown).toContain("SRCDOC");
    expect(body.data.markdown?.match(/FRAME/g)).toHaveLength(1);
    expect(body.data.links).toContain(world.site.url("/frames/deeper"));
    expect(body.data.rawHtml).not.toContain("data-captured-frame");
  });

  test.each([
    ["hides a draft", ".draft{display:none}", false],
    [
      "shows it in wide windows",
      ".draft{display:none}@media (min-width:600px){.wide\\:block{display:block}}",
      true,
    ],
    ["is for print", "@media print{.draft{display:none}}", true],
    ["has 10 MB", ".draft{display:none}" + ".a{color:red}".repeat(750_000), true],
  ])("no text that a linked sheet hides: one that %s", async (name, sheet, isShown) => {
    const path = `/sheet-${name.replaceAll(" ", "-")}`;
    world.site.page(`${path}.css`, (_request, response) => {
      response.setHeader("Content-Type", "text/css").end(sheet);
    });
    const link = `<link rel="stylesheet" href="${path}.css">`;
    const draft = `<p class="draft wide:block">A draft of it.</p>`;
    const url = world.site.page(path, htmlPage(`${link}${PARAGRAPH.repeat(8)}${draft}`));
    expect(await markdownOf(url)).toContain("A draft");
    const wait = { waitFor: 1, maxAge: 60_000 };
    const first = await markdownOf(url, wait);
    expect(first.includes("A draft")).toBe(isShown);
    expect(await markdownOf(url, wait)).toBe(first);
  });

  test("the address and status where scripts led", async () => {
    world.site.page("/gone", (_request, response) => {
      response.writeHead(404, { "content-type": "text/html" }).end(htmlPage(`<h1>Gone</h1>${PARAGRAPH}`));
    });
    const url = world.site.page(
      "/leads",
      htmlPage(`<div id="root"></div><script>location.replace("/gone#part")</script>`),
    );
    const { body } = await world.scrape({ url, formats: ["markdown"] });
    expect(body.data.metadata).toMatchObject({
      url: world.site.url("/gone#part"),
      statusCode: 404,
      error: "Not Found",
    });
  });

  test("the route of the fragment", async () => {
    const url = world.site.page(
      "/hash",
      htmlPage(`<div id="root"></div><script>root.textContent = "route " + location.hash</script>`),
    );
    expect(await markdownOf(`${url}#/deep/route`)).toContain("route #/deep/route");
  });
});

describe("what stops people stops no scrape", () => {
  test("dialogs are dismissed, also one that guards the exit", async () => {
    const url = world.site.page(
      "/dialogs",
      htmlPage(`<div id="root"></div><script>
        addEventListener("beforeunload", (event) => { event.preventDefault(); event.returnValue = "stay"; });
        alert("a"); const said = confirm("b"); const name = prompt("c");
        root.textContent = "said " + said + " name " + name;
      </script>`),
    );
    expect(await markdownOf(url)).toContain("said false name null");
  });

  test("popups do not open", async () => {
    world.site.page("/popup", htmlPage("popup"));
    const url = world.site.page(
      "/popups",
      htmlPage(`<div id="root"></div><script>
        for (let count = 0; count < 200; count += 1) window.open("/popup?" + count);
        root.textContent = "still here";
      </script>`),
    );
    expect(await markdownOf(url)).toContain("still here");
    expect(world.site.hits("/popup?0")).toHaveLength(0);
  });

  test("a download that a script starts leaves the page", async () => {
    world.site.page("/file.bin", (_request, response) => {
      response.writeHead(200, {
        "content-type": "application/octet-stream",
        "content-disposition": "attachment",
      });
      response.end(Buffer.alloc(10_000, 1));
    });
    const url = world.site.page(
      "/downloads",
      htmlPage(
        `<div id="root"></div><script>root.textContent = "page"; location.href = "/file.bin"</script>`,
      ),
    );
    expect(await markdownOf(url)).toContain("page");
  });
});

test("what a page leaves in a browser is there for no other scrape", async () => {
  const url = world.site.page("/leaves", htmlPage(`<main id="root"></main><script>${LEAVES}</script>`));
  world.site.page("/kept.js", (_request, response) => {
    response.writeHead(200, { "content-type": "text/javascript", "cache-control": "max-age=86400" }).end("1");
  });
  for (const turn of [1, 2]) {
    expect(await markdownOf(url, { waitFor: 1000, maxAge: 0 })).toContain("found: , false, 0, 0");
    expect(world.site.hits("/kept.js")).toHaveLength(turn);
  }
});

/** Tells what was there before, and leaves something of each kind. */
const LEAVES = `(async () => {
  const before = [document.cookie, "a" in localStorage, (await indexedDB.databases()).length,
    (await navigator.serviceWorker?.getRegistrations() ?? []).length];
  document.cookie = "a=1; max-age=86400"; localStorage.a = 1; indexedDB.open("a");
  await new Promise((done) => {
    const script = Object.assign(document.createElement("script"), { src: "/kept.js", onload: done });
    document.head.append(script);
  });
  root.innerHTML = "<p>found: " + before.join(", ") + "</p>";
})()`;

test("pictures and documents of XML read no file and call nobody private", async () => {
  let connections = 0;
  const trap = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve) => trap.listen(0, "127.0.0.2", resolve));
  const at = `http://127.0.0.2:${(trap.address() as AddressInfo).port}`;
  const entities = `<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd"><!ENTITY far SYSTEM "${at}/entity">]>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
    <text>&file;&far;Harbour</text><image xlink:href="${at}/image"/><use xlink:href="${at}/use#a"/></svg>`;
  const xml = `<?xml-stylesheet type="text/xsl" href="${at}/style.xsl"?>${entities}<a>&file;&far;Harbour</a>`;
  try {
    for (const [type, text] of [
      ["image/svg+xml", entities + svg],
      ["text/xml", xml],
      [
        "application/xhtml+xml",
        `${entities}<html xmlns="http://www.w3.org/1999/xhtml"><body>&file;</body></html>`,
      ],
    ] as const) {
      const url = world.site.page(`/${type}`, (_request, response) => {
        response.writeHead(200, { "content-type": type }).end(text);
      });
      for (const more of [{}, { waitFor: 100 }]) {
        const { body } = await world.scrape({ url, formats: ["markdown", "rawHtml"], maxAge: 0, ...more });
        expect(JSON.stringify(body)).not.toContain("root:x:0");
      }
    }
    expect(connections).toBe(0);
  } finally {
    trap.close();
  }
});
