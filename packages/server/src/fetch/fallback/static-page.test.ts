import { describe, expect, test } from "vitest";

import type { Capture } from "../capture.ts";
import { judgeStaticPage, textOfPage } from "./static-page.ts";

const SENTENCE = "<p>One of many sentences of an article, long enough to be read by somebody.</p>";
const ARTICLE = `<main><h1>Article</h1>${SENTENCE.repeat(12)}</main>`;
const APP = '<script src="/app.js"></script>';

function capture(html: string, changes: Partial<Capture> = {}): Capture {
  return {
    requestedUrl: "http://site.test/",
    url: "http://site.test/",
    statusCode: 200,
    reason: "OK",
    headers: {},
    contentType: "text/html",
    body: Buffer.from(html),
    engine: "http",
    proxyUsed: "basic",
    capturedAtMs: 0,
    ...changes,
  };
}

describe("pages that are whole without a browser", () => {
  test.each([
    ["an article", `${ARTICLE}${APP}`],
    ["a short page without scripts", "<h1>Example</h1><p>For use in examples.</p>"],
    ["a short page with a frame of another site", '<h1>A</h1><iframe src="https://maps.test/"></iframe>'],
    ["an article with a frame", `${ARTICLE}<iframe src="/notes.html"></iframe>`],
    ["a rendered application", `<div id="__next">${ARTICLE}</div>${APP}`],
    ["a list of short items", `<ul>${"<li><a href=/x>A</a></li>".repeat(40)}</ul>${APP}`],
    ["a login form", `<form>Sign in, please, with your<input type="password"></form>${APP}`],
    [
      "an article with a note for those without scripts",
      `${ARTICLE}<noscript>Please enable JavaScript</noscript>${APP}`,
    ],
    [
      "data in a script",
      `<p>${"Text of the page. ".repeat(30)}</p><script type="application/json">{"a":1}</script>`,
    ],
    [
      "a long article about challenges",
      `${SENTENCE.repeat(40)}<p>Just a moment... verify you are human</p>${APP}`,
    ],
    [
      "a short page that is watched for robots in the background",
      `${ARTICLE}<script>a.src='/cdn-cgi/challenge-platform/scripts/jsd/main.js'</script>`,
    ],
  ])("%s", (_name, html) => {
    const judgement = judgeStaticPage(capture(html));
    expect(judgement.needsBrowser).toBe(false);
    expect(judgement.blocked).toBeUndefined();
  });

  test.each([
    ["a frameset", '<frameset cols="9,*"><frame src=nav.html><frame name=a src="main.html"></frameset>'],
    ["a page that is a frame", '<title>Inner</title><iframe width=9 src="/main.html"></iframe>'],
  ])("not those that hold all in frames: %s", (_name, html) => {
    expect(judgeStaticPage(capture(html))).toMatchObject({ needsBrowser: true, because: "frames" });
  });

  test("an error or an empty answer that has nothing to say", () => {
    expect(judgeStaticPage(capture("", { statusCode: 204 })).needsBrowser).toBe(false);
    expect(judgeStaticPage(capture("", { statusCode: 404 })).needsBrowser).toBe(false);
  });
});

describe("pages that are empty without a browser", () => {
  test.each([
    ["an empty mount point", `<nav>Home</nav><div id="root"></div>${APP}`, "empty-root"],
    [
      "a mount point that is loading",
      `<div id=app><div class="page-loader">Loading…</div></div>${APP}`,
      "empty-root",
    ],
    ["skeletons", `<section>${'<div class="skeleton"></div>'.repeat(9)}</section>${APP}`, "loading-marker"],
    [
      "words for those without scripts",
      `<noscript>You need to enable JavaScript</noscript>${APP}`,
      "noscript-asks",
    ],
    ["a plea in the page", `<p>Please activate JavaScript to go on.</p>${APP}`, "text-asks"],
    ["a script that leaves", `<p>Moving</p><script>location.replace("/x")</script>`, "script-leaves"],
    ["a custom element", `<shop-window></shop-window>${APP}`, "empty-custom-element"],
    ["a thin page with a script", `<p>Hello</p>${APP}`, "thin"],
    [
      "text that is hidden",
      `<div style="display:none">${ARTICLE}</div><div id="root"></div>${APP}`,
      "empty-root",
    ],
    [
      "navigation alone",
      `<nav>${"A place to go. ".repeat(90)}</nav><div id="root"></div>${APP}`,
      "empty-root",
    ],
    [
      "a script that renders",
      `<p>${"Some words. ".repeat(18)}</p><script>fetch("/a").then(render)</script>`,
      "thin-and-rendering",
    ],
  ])("%s", (_name, html, because) => {
    expect(judgeStaticPage(capture(html))).toMatchObject({ needsBrowser: true, because });
  });

  test.each([401, 403, 429, 503])("an answer with scripts and status %i", (statusCode) => {
    const judgement = judgeStaticPage(capture(`<p>No.</p>${APP}`, { statusCode }));
    expect(judgement).toMatchObject({ needsBrowser: true, because: "blocked-status" });
  });

  test("an empty answer that should have something to say", () => {
    expect(judgeStaticPage(capture(""))).toMatchObject({ needsBrowser: true, isGuess: true });
  });
});

test.each([
  ["by its script", capture(`<p>Just a moment...</p><script>window._cf_chl_opt = {};</script>`)],
  ["by its header", capture(ARTICLE, { headers: { "cf-mitigated": "challenge" } })],
])("a challenge is known %s", (_how, page) => {
  expect(judgeStaticPage(page)).toMatchObject({
    needsBrowser: true,
    blocked: { kind: "challenge", system: "cloudflare" },
  });
});

describe("a page that sends visitors on", () => {
  test.each([
    ['<meta http-equiv="refresh" content="0; url=/next">', "/next"],
    ["<meta http-equiv=refresh content=\"3;URL='http://a.test/b'\">", "http://a.test/b"],
  ])("by %s", (html, refreshUrl) => {
    expect(judgeStaticPage(capture(html)).refreshUrl).toBe(refreshUrl);
  });

  test.each([
    '<meta http-equiv="refresh" content="300; url=/next">',
    '<meta http-equiv="refresh" content="5">',
  ])("not by %s", (html) => {
    expect(judgeStaticPage(capture(html)).refreshUrl).toBeUndefined();
  });

  test.each(["", "<h1>Moved</h1>"])("by a header, with the body %j", (html) => {
    const page = capture(html, { headers: { refresh: "0; url=/next" } });
    expect(judgeStaticPage(page).refreshUrl).toBe("/next");
  });
});

test("text is counted in UTF-16, too", () => {
  const body = Buffer.from(`\uFEFF${ARTICLE}`, "utf16le");
  expect(textOfPage(capture("", { body }))).toBeGreaterThan(800);
});

test.each([
  ["unclosed quotes", "<div a='"],
  ["unclosed scripts", "<script><div id=app class=loading hidden>"],
  ["unclosed watched elements", '<x-a class="loading hidden">'],
  ["lone brackets", "< <<"],
  ["comments without end", "<!--"],
])("a megabyte of %s is judged", (_name, piece) => {
  const html = piece.repeat(1_000_000 / piece.length);
  expect(judgeStaticPage(capture(html)).because).toEqual(expect.any(String));
});
