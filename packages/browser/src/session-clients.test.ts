import { chromium } from "playwright-core";
import { connect } from "puppeteer-core";
import { beforeAll, expect, test } from "vitest";

import { listenHttp, type Listener } from "@pergamon-dev/server/net/loopback.suite";
import { openDoor, openTestSession } from "./session-browser.suite.ts";
import type { SessionBrowser } from "./session-browser.ts";

const SHOP = `<title>Shop</title><h1>Hi</h1><form><label>Name <input id=n></label>
<button type=button onclick="document.title='clicked '+n.value">Go</button></form><a href=/2 target=_blank>pop</a>
<input type=file id=f>`;

let site: Listener;
let session: SessionBrowser;
let address: string;

beforeAll(async () => {
  site = await listenHttp((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end(SHOP);
  });
  session = await openTestSession();
  address = await openDoor(session);
});

test("Playwright drives a session as it drives any browser", async () => {
  const base = `http://127.0.0.1:${site.port}`;
  const browser = await chromium.connectOverCDP(address);
  const [context] = browser.contexts();
  const page = context?.pages()[0];
  if (!context || !page) throw new Error("Playwright sees no page.");
  await page.goto(base);
  await page.fill("#n", "Ada");
  await page.getByRole("button", { name: "Go" }).click();
  expect(await page.title()).toBe("clicked Ada");
  expect(await page.evaluate(() => 1 + 1)).toBe(2);
  expect((await page.screenshot()).subarray(1, 4).toString()).toBe("PNG");
  expect((await page.pdf()).subarray(0, 4).toString()).toBe("%PDF");
  const [popup] = await Promise.all([context.waitForEvent("page"), page.click("a")]);
  await popup.waitForLoadState();
  expect(popup.url()).toBe(`${base}/2`);
  await page.route("**/x", (route) => route.fulfill({ body: "routed" }));
  expect(await page.evaluate(() => fetch("/x").then((answer) => answer.text()))).toBe("routed");
  await context.addCookies([{ name: "k", value: "v", url: base }]);
  expect((await context.cookies()).map(({ name, value }) => `${name}=${value}`)).toEqual(["k=v"]);
  const another = await context.newPage();
  await another.goto(`${base}/3`);
  expect(another.url()).toBe(`${base}/3`);
  const own = await context.newCDPSession(another);
  expect(await own.send("Runtime.evaluate", { expression: "location.pathname" })).toMatchObject({
    result: { value: "/3" },
  });
  await another.close();
  await page.setInputFiles("#f", {
    name: "a.txt",
    mimeType: "text/plain",
    buffer: Buffer.from("of the client"),
  });
  expect(await page.evaluate("document.querySelector('#f').files[0].text()")).toBe("of the client");
  await browser.close();
  expect(session.tab.failure).toBeUndefined();
});

test("puppeteer drives a session as it drives any browser", async () => {
  const base = `http://127.0.0.1:${site.port}`;
  const browser = await connect({ browserWSEndpoint: address, defaultViewport: null });
  const [page] = await browser.pages();
  if (!page) throw new Error("puppeteer sees no page.");
  await page.goto(base);
  await page.type("#n", "Ada");
  await page.click("button");
  expect(await page.title()).toBe("clicked Ada");
  expect(
    Buffer.from(await page.screenshot())
      .subarray(1, 4)
      .toString(),
  ).toBe("PNG");
  const another = await browser.newPage();
  await another.goto(`${base}/3`);
  expect(another.url()).toBe(`${base}/3`);
  await another.close();
  await browser.disconnect();
});
