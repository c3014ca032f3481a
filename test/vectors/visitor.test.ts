import { describe, expect, test } from "vitest";

import { htmlPage, openSite } from "../site.ts";
import { useSharedWorld } from "../use-world.ts";
import { openWorld } from "../world.ts";

const world = useSharedWorld();

const script = (code: string) => ({ type: "executeJavascript", script: code });

/** What a page sees of its visitor, and what its server does. */
async function visitor(path: string, request: object) {
  const url = world.site.page(path, htmlPage("<p>x", `<meta name="viewport" content="width=device-width">`));
  const { body } = await world.scrape({
    url,
    ...request,
    actions: [
      script(`({
        agent: navigator.userAgent, languages: navigator.languages, language: navigator.language,
        zone: Intl.DateTimeFormat().resolvedOptions().timeZone, number: (1234.5).toLocaleString(),
        size: [innerWidth, innerHeight], ratio: devicePixelRatio, touch: navigator.maxTouchPoints > 0,
        coarse: matchMedia("(pointer: coarse)").matches, platform: navigator.platform,
        screen: [screen.width, screen.height],
      })`),
    ],
  });
  expect(body.error).toBeUndefined();
  const seen = body.data.actions?.javascriptReturns[0]?.value as Record<string, unknown>;
  return { seen, metadata: body.data.metadata, headers: world.site.hits(path)[0]?.headers };
}

describe("vector 41, sections 3.18 and 3.19: the visitor", () => {
  test("is from the United States at a computer, unless told otherwise", async () => {
    const { seen, metadata, headers } = await visitor("/usual", {});
    expect(seen).toMatchObject({
      languages: ["en-US", "en"],
      zone: "America/New_York",
      number: "1,234.5",
      size: [1920, 1080],
      ratio: 1,
      touch: false,
    });
    expect(seen["agent"]).toMatch(/Chrome\/\d+/);
    expect(seen["agent"]).not.toMatch(/Headless|Mobile/);
    expect(headers?.["accept-language"]).toBe("en-US,en;q=0.9");
    expect(headers?.["user-agent"]).toBe(seen["agent"]);
    expect(metadata.timezone).toBe("America/New_York");
  });

  test("is at a phone with mobile", async () => {
    const { seen, headers } = await visitor("/phone", { mobile: true });
    expect(seen).toMatchObject({
      size: [412, 915],
      screen: [412, 915],
      ratio: 2.625,
      touch: true,
      coarse: true,
    });
    expect(seen["agent"]).toMatch(/Android.*Mobile Safari/);
    expect(headers?.["user-agent"]).toBe(seen["agent"]);
  });

  test("is in Germany with country DE: header, languages, zone and formats fit", async () => {
    const { seen, metadata, headers } = await visitor("/germany", { location: { country: "DE" } });
    expect(seen).toMatchObject({ language: "de-DE", zone: "Europe/Berlin", number: "1.234,5" });
    expect(seen["languages"]).toEqual(["de-DE", "de", "en-US", "en"]);
    expect(headers?.["accept-language"]).toBe("de-DE,de;q=0.9,en-US;q=0.8,en;q=0.7");
    expect(metadata.timezone).toBe("Europe/Berlin");
  });

  test("speaks the requested languages", async () => {
    const location = { country: "CH", languages: ["fr-CH", "fr"] };
    const { seen, headers } = await visitor("/french", { location });
    expect(seen).toMatchObject({ languages: ["fr-CH", "fr"], zone: "Europe/Zurich" });
    expect(headers?.["accept-language"]).toBe("fr-CH,fr;q=0.9");
  });

  test.each(["und", "toString"])(
    "R12 a requested language that no browser knows (%s) leaves formats as they are in the United States",
    async (language) => {
      const { seen } = await visitor(`/${language}`, { location: { country: "US", languages: [language] } });
      expect(seen).toMatchObject({ languages: [language], number: "1,234.5" });
    },
  );

  test("tells where it is when a place was named", async () => {
    const ask = `await new Promise((resolve) => navigator.geolocation.getCurrentPosition(
      ({ coords }) => resolve([Math.round(coords.latitude), Math.round(coords.longitude)]), () => resolve("refused")))`;
    // Positions are for secure pages only; loopback counts as one.
    const url = world.site.page("/where", htmlPage("<p>x"));
    const positionIn = async (location?: object) => {
      const { body } = await world.scrape({ url, actions: [script(ask)], ...(location && { location }) });
      return body.data.actions?.javascriptReturns[0]?.value;
    };
    expect(await positionIn({ country: "JP" })).toEqual([36, 140]);
    expect(await positionIn()).toBe("refused");
  });

  test("has no time zone when no browser was needed", async () => {
    const url = world.site.page(
      "/plain",
      htmlPage(`<main><h1>Plain</h1>${"<p>Some words.</p>".repeat(50)}</main>`),
    );
    const { body } = await world.scrape({ url });
    expect(body.data.metadata).not.toHaveProperty("timezone");
  });
});

describe("vector 42, section 3.22", () => {
  test("headers of the caller reach the page, in a browser too, and an agent of the caller counts everywhere", async () => {
    const headers = { "X-Custom": "yes", "User-Agent": "Own/1.0", Cookie: "a=1; b=2" };
    const url = world.site.page("/custom", htmlPage("<p>x"));
    const { body } = await world.scrape({
      url,
      headers,
      actions: [script("[navigator.userAgent, document.cookie]")],
    });
    expect(body.data.actions?.javascriptReturns[0]?.value).toEqual(["Own/1.0", "a=1; b=2"]);
    expect(world.site.hits("/custom")[0]?.headers).toMatchObject({
      "x-custom": "yes",
      "user-agent": "Own/1.0",
      cookie: "a=1; b=2",
    });
  });
});

describe("section 3.20: advertisements", () => {
  test("of the operator's lists are not loaded, unless blockAds is false", async () => {
    const lists = await openSite();
    const list = lists.page("/list.txt", (_request, response) => {
      response
        .writeHead(200, { "content-type": "text/plain" })
        .end("/promo/*$script,image,subdocument\n/data/*\n");
    });
    const own = await openWorld({ AD_LISTS: list });
    try {
      const url = own.site.page(
        "/with-ads",
        htmlPage(`<h1>News</h1><script src="/promo/a.js"></script><img src="/promo/b.png"><img src="/c.png">
          <iframe src="/promo/d.html"></iframe><script>fetch("/data/news")</script>`),
      );
      const loadedWith = async (options: object) => {
        const paths = ["/promo/a.js", "/promo/b.png", "/promo/d.html", "/c.png", "/data/news"];
        const before = paths.map((path) => own.site.hits(path).length);
        const { status } = await own.scrape({ url, maxAge: 0, waitFor: 1, ...options });
        expect(status).toBe(200);
        return paths.filter((path, index) => own.site.hits(path).length > (before[index] ?? 0));
      };
      await loadedWith({});
      await expect.poll(() => lists.hits("/list.txt").length).toBe(1);
      await expect
        .poll(() => loadedWith({}), { timeout: 15_000 })
        .toEqual(["/promo/d.html", "/c.png", "/data/news"]);
      expect(await loadedWith({ blockAds: false })).toHaveLength(5);
    } finally {
      await own.close();
      await lists.close();
    }
  });
});

describe("section 3.20: blockAds", () => {
  const page = htmlPage(`<main><h1>News</h1>${"<p>Words of the article.</p>".repeat(20)}</main>
    <div id="onetrust-consent-sdk" style="position:fixed;bottom:0"><p>We use cookies.</p></div>`);

  test("leaves cookie notices out of pages that plain HTTP brings", async () => {
    const url = world.site.page("/notice", page);
    const options = { onlyMainContent: false, formats: ["markdown", "html", "rawHtml"] };
    const { data } = (await world.scrape({ url, ...options })).body;
    expect(data.markdown).not.toContain("We use cookies");
    expect(data.html).not.toContain("We use cookies");
    expect(data.rawHtml).toContain("We use cookies");
    const { data: all } = (await world.scrape({ url, ...options, blockAds: false })).body;
    expect(all.markdown).toContain("We use cookies");
  });

  test("refuses what notices ask for, and takes them off the page", async () => {
    const url = world.site.page(
      "/asks",
      htmlPage(`<style>html{overflow:hidden}</style><h1>News</h1>
        <div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="region" style="position:fixed;left:0;right:0;bottom:0;background:#fff">
          <div id="onetrust-policy">We value your privacy.</div>
          <button id="onetrust-pc-btn-handler">Settings</button>
          <button id="onetrust-reject-all-handler" onclick="choice = 'refused'; root.remove()">Reject All</button>
          <button id="onetrust-accept-btn-handler" onclick="choice = 'accepted'; root.remove()">Accept All</button>
        </div></div><script>const root = document.getElementById("onetrust-consent-sdk")</script>`),
    );
    const ask = script(
      "[window.choice, document.querySelector('#onetrust-banner-sdk')?.checkVisibility() ?? false]",
    );
    const choiceWith = async (options: object) => {
      const { body } = await world.scrape({ url, actions: [ask], ...options });
      return body.data.actions?.javascriptReturns[0]?.value;
    };
    expect(await choiceWith({})).toEqual(["refused", false]);
    expect(await choiceWith({ blockAds: false })).toEqual([null, true]);
  });

  test("takes off a notice that comes again when it is refused", async () => {
    const url = world.site.page(
      "/again",
      htmlPage(`<h1>News</h1>
        <div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" role="region" style="position:fixed;left:0;right:0;bottom:0;background:#fff">
          <div id="onetrust-policy">We value your privacy.</div>
          <button id="onetrust-pc-btn-handler">Settings</button>
          <button id="onetrust-reject-all-handler" onclick="location.reload()">Reject All</button>
        </div></div>`),
    );
    const isShown = script("document.querySelector('#onetrust-banner-sdk')?.checkVisibility() ?? false");
    const { body } = await world.scrape({ url, actions: [isShown] });
    expect(body.data.actions?.javascriptReturns[0]?.value).toBe(false);
  });

  test.each([
    ["Your privacy: we and our partners use cookies.", "Reject all", "Settings", "Accept all"],
    ["Używamy plików cookie i podobnych technologii.", "Odrzuć wszystkie", "Ustawienia", "Akceptuję"],
    ["当サイトはクッキーを使用しています。", "すべて拒否", "設定", "同意する"],
  ])("refuses in a dialog that no rule knows: %s", async (text, reject, settings, accept) => {
    const button = (label: string, choice: string) =>
      `<button onclick="choice = '${choice}'; root.host.remove()">${label}</button>`;
    const dialog = `<div style="position:fixed;bottom:0;left:0;right:0;background:#fff"><p>${text}</p>
      ${button(accept, "accepted")}${button(settings, "settings")}${button(reject, "refused")}</div>`;
    const url = world.site.page(
      `/unknown-dialog-${encodeURIComponent(reject)}`,
      htmlPage(`<h1>News</h1><button onclick="choice = 'wrong'">${reject}</button><x-y></x-y>
        <script>const root = document.querySelector("x-y").attachShadow({ mode: "open" });
        root.innerHTML = ${JSON.stringify(dialog)};</script>`),
    );
    const ask = script("[window.choice, document.querySelector('x-y') === null]");
    const { body } = await world.scrape({ url, actions: [ask] });
    expect(body.data.actions?.javascriptReturns[0]?.value).toEqual(["refused", true]);
  });

  test("presses nothing in a dialog about something else", async () => {
    const url = world.site.page(
      "/other-dialog",
      htmlPage(`<h1>News</h1><div role="dialog" style="position:fixed;bottom:0">Delete the file?
        <button onclick="choice = 'pressed'">Decline</button></div>`),
    );
    const { body } = await world.scrape({ url, actions: [script("window.choice ?? 'none'")] });
    expect(body.data.actions?.javascriptReturns[0]?.value).toBe("none");
  });

  test("takes off a site's own notice that no rule knows", async () => {
    const url = world.site.page(
      "/own-notice",
      htmlPage(
        `<h1>News</h1><div class="cookie-banner" style="position:fixed;inset:0;background:#f00"><p>Cookies!</p></div>`,
      ),
    );
    const hit = script("document.elementFromPoint(innerWidth / 2, innerHeight / 2).className");
    const { body } = await world.scrape({ url, actions: [hit] });
    expect(body.data.actions?.javascriptReturns[0]?.value).not.toBe("cookie-banner");
  });
});
