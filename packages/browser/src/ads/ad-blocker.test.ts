import { beforeAll, describe, expect, test } from "vitest";

import { type AdBlocker, makeAdBlocker, seedFilters } from "./ad-blocker.ts";

let blocker: AdBlocker;

beforeAll(async () => {
  blocker = await makeAdBlocker();
});

const pageUrl = "https://shop.test/article";

describe("the filters of this project", () => {
  test("are some hundreds, each understood", () => {
    expect(blocker.filters).toBe(seedFilters.split("\n").length);
    expect(blocker.filters).toBeGreaterThan(200);
  });

  test.each([
    ["https://securepubads.g.doubleclick.net/tag/js/gpt.js", "Script"],
    ["https://www.google-analytics.com/g/collect?v=2", "Ping"],
    ["https://static.criteo.net/js/ld/ld.js", "Script"],
    ["https://www.facebook.com/tr?id=1&ev=PageView", "Image"],
    ["https://connect.facebook.net/en_US/fbevents.js", "Script"],
    ["https://cdn.taboola.com/libtrc/loader.js", "Script"],
    ["https://ads.pubmatic.com/AdServer/frame.html", "Document"],
    ["https://api.segment.io/v1/t", "Fetch"],
  ] as const)("block %s (%s)", (url, type) => {
    expect(blocker.blocks({ url, type, pageUrl })).toBe(true);
  });

  test.each([
    ["https://shop.test/app.js", "Script"],
    ["https://cdn.jsdelivr.net/npm/vue", "Script"],
    ["https://connect.facebook.net/en_US/sdk.js", "Script"],
    ["https://fonts.gstatic.com/s/inter.woff2", "Font"],
    ["https://api.shop.test/products", "XHR"],
    ["https://www.youtube.com/embed/x", "Document"],
    ["https://notdoubleclick.net/x.js", "Script"],
  ] as const)("leave %s (%s)", (url, type) => {
    expect(blocker.blocks({ url, type, pageUrl })).toBe(false);
  });

  test("are told to the browser by patterns, so that only what fits one is looked at", () => {
    const regexps = (blocker.urlPatterns ?? []).map(
      (pattern) => new RegExp(`^${pattern.replace(/[.?+^$()[\]{}|\\/]/g, "\\$&").replaceAll("*", ".*")}$`),
    );
    const fits = (url: string) => regexps.some((regexp) => regexp.test(url));
    expect(fits("https://securepubads.g.doubleclick.net/tag/js/gpt.js")).toBe(true);
    expect(fits("https://www.facebook.com/tr?id=1&ev=PageView")).toBe(true);
    expect(fits("https://connect.facebook.net/en_US/fbevents.js")).toBe(true);
    expect(fits("https://shop.test/app.js")).toBe(false);
  });

  test("leave a host alone that is itself the page", () => {
    const own = { url: "https://www.hotjar.com/app.js", type: "Script", pageUrl: "https://www.hotjar.com/" };
    expect(blocker.blocks(own as Parameters<AdBlocker["blocks"]>[0])).toBe(false);
  });
});

describe("lists of the operator", () => {
  test("are matched with their options and exceptions; comments and cosmetic lines count for nothing", async () => {
    const list = `[Adblock Plus 2.0]
! a comment
/banner/*/ad_
||metrics.test^$script
@@||metrics.test/needed.js
shop.test##.promo`;
    const own = await makeAdBlocker([list]);
    expect(own.filters).toBe(blocker.filters + 3);
    const judge = (url: string, type: "Script" | "Image") => own.blocks({ url, type, pageUrl });
    expect(judge("https://cdn.test/banner/1/ad_x.png", "Image")).toBe(true);
    expect(judge("https://metrics.test/m.js", "Script")).toBe(true);
    expect(judge("https://metrics.test/needed.js", "Script")).toBe(false);
    expect(judge("https://metrics.test/pixel.gif", "Image")).toBe(false);
  });

  test("never take away what a page loads from its own site for itself", async () => {
    const own = await makeAdBlocker(["/api/ads/*"]);
    const url = "https://shop.test/api/ads/list";
    expect(own.blocks({ url, type: "XHR", pageUrl })).toBe(false);
    expect(own.blocks({ url, type: "Fetch", pageUrl })).toBe(false);
    expect(own.blocks({ url: "https://cdn.other.test/api/ads/list", type: "XHR", pageUrl })).toBe(true);
  });

  test("of nonsense block nothing", async () => {
    const own = await makeAdBlocker(["<!doctype html><p>Not found", "\u0000\u0001", "||"]);
    expect(own.blocks({ url: "https://a.test/x.js", type: "Script", pageUrl })).toBe(false);
    expect(own.blocks({ url: "not a url", type: "Script", pageUrl: "about:blank" })).toBe(false);
  });
});
