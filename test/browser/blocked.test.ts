import type { IncomingMessage, ServerResponse } from "node:http";

import { afterEach, describe, expect, test } from "vitest";

import { htmlPage } from "../site.ts";
import { openWorld, type World } from "../world.ts";

let world: World | undefined;

afterEach(async () => {
  await world?.close();
  world = undefined;
});

const PARAGRAPH =
  "<p>A sentence with a good number of words, so that the page counts as one with content.</p>";
const INSIDE = htmlPage(`<h1>Inside</h1>${PARAGRAPH.repeat(8)}`);
const MARK = '<script id="anubis_challenge" type="application/json">{}</script>';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** A page that is behind another one until a cookie comes. */
function behind(closed: string, status = 200): Handler {
  return (request, response) => {
    const isOpen = /\bpass=1\b/.test(request.headers.cookie ?? "");
    response.writeHead(isOpen ? 200 : status, { "content-type": "text/html; charset=utf-8" });
    response.end(isOpen ? INSIDE : htmlPage(closed));
  };
}

async function scrape(page: Handler | string, more: object = {}, path = "/page") {
  world ??= await openWorld();
  const url = world.site.page(path, page);
  const { status, body } = await world.scrape({
    url,
    formats: ["markdown"],
    onlyMainContent: false,
    ...more,
  });
  expect(status).toBe(200);
  return { ...body.data, hits: () => world?.site.hits(path).length ?? 0 };
}

const CHALLENGE = { kind: "challenge", system: "anubis" };
const passAfter = (ms: number) =>
  `<script>setTimeout(() => { document.cookie = "pass=1"; location.reload(); }, ${ms})</script>`;

describe("a challenge that runs by itself", () => {
  test.each([
    ["of a known system is waited for", `${MARK}<p>One moment</p>${passAfter(3000)}`, 200],
    ["with a long text is waited for", `${MARK}${PARAGRAPH.repeat(40)}${passAfter(2500)}`, 200],
    ["of an unknown system is waited for", `<p>Eine Sekunde</p>${passAfter(2500)}`, 200],
    ["with a refusing status is waited for", `<p>Un instant</p>${passAfter(2500)}`, 403],
    ["with 202 is waited for", `<p></p>${passAfter(2000)}`, 202],
  ])("%s", async (_name, html, status) => {
    const { markdown, metadata } = await scrape(behind(html, status));
    expect(markdown).toContain("# Inside");
    expect(metadata).toMatchObject({ statusCode: 200 });
    expect(metadata.blocked).toBeUndefined();
  });

  test("that is never passed is said, and stored nowhere", async () => {
    const page = htmlPage(`${MARK}<p>One moment</p>`);
    const tracking = { formats: ["markdown", "changeTracking"], proxy: "basic" };
    const { metadata, warning, markdown, changeTracking } = await scrape(page, tracking);
    expect(metadata).toMatchObject({ statusCode: 200, blocked: CHALLENGE, partial: true });
    expect(metadata.error).toContain("instead of the page (anubis)");
    expect(warning).toContain(metadata.error);
    expect(markdown).toContain("One moment");
    expect(changeTracking).toBeUndefined();
    const again = await scrape(page, { proxy: "basic" });
    expect(again.metadata).toMatchObject({ cacheState: "miss", blocked: CHALLENGE });
    const figures = await (await fetch(`${world?.baseUrl}/metrics`)).text();
    expect(figures).toMatch(/pergamon_scrapes_total\{result="blocked: challenge",cache="(?:miss|none)"\} 1/);
  });

  test("costs a host that never lets in one wait, and less for the next visit", async () => {
    const page = htmlPage(`${MARK}<p>One moment</p>`);
    const startedAtMs = performance.now();
    const first = await scrape(page, { maxAge: 0 });
    const firstMs = performance.now() - startedAtMs;
    const before = first.hits();
    const second = await scrape(page, { maxAge: 0 });
    const secondMs = performance.now() - startedAtMs - firstMs;
    expect(firstMs).toBeGreaterThan(8000);
    expect(secondMs).toBeLessThan(firstMs - 6000);
    expect(second.hits() - before).toBeLessThan(before);
  });

  test("is not passed where two lead to each other", async () => {
    world = await openWorld();
    const to = (path: string) =>
      htmlPage(`${MARK}<p>Wait</p><script>setTimeout(() => location.replace("${path}"), 300)</script>`);
    world.site.page("/other", to("/page"));
    const { metadata } = await scrape(to("/other"), { proxy: "basic", timeout: 10_000 });
    expect(metadata.blocked).toEqual(CHALLENGE);
  });

  test("is said where it comes after the text was shown", async () => {
    const late = `<script>setTimeout(() => { document.body.innerHTML = "<div class=h-captcha></div>"; }, 300)</script>`;
    const { metadata } = await scrape(htmlPage(PARAGRAPH.repeat(8) + late), { waitFor: 600 });
    expect(metadata.blocked).toEqual({ kind: "captcha", system: "hcaptcha" });
  });
});

describe("a page about cookies", () => {
  const refuses = `onclick="document.cookie='pass=1'; location.reload()"`;

  test("is refused once, and what follows is the page", async () => {
    const wall = `<form id="consent-form"><p>Wir verwenden Cookies und ähnliche Techniken.</p>
      <button type="button">Alle akzeptieren</button><button type="button" ${refuses}>Alle ablehnen</button></form>`;
    const { markdown, metadata } = await scrape(behind(wall));
    expect(markdown).toContain("# Inside");
    expect(metadata.blocked).toBeUndefined();
  });

  test("is no page where nothing can be refused", async () => {
    const wall = `<div class="cookie-wall"><p>We use cookies.</p><button>Accept all</button></div>`;
    const { metadata } = await scrape(htmlPage(wall));
    expect(metadata.blocked).toEqual({ kind: "consent" });
  });
});

test("a page that led to a login form gets a warning, and is stored", async () => {
  world = await openWorld();
  world.site.page("/login", htmlPage('<form>Sign in, please, with your name <input type="password"></form>'));
  const leave: Handler = (_request, response) => void response.writeHead(302, { location: "/login" }).end();
  const { warning, metadata } = await scrape(leave);
  expect(warning).toContain("asks for a password");
  expect(metadata.blocked).toBeUndefined();
  expect((await scrape(leave)).metadata).toMatchObject({ cacheState: "hit" });
});
