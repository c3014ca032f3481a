import { afterAll, describe, expect, test } from "vitest";

import { openAdLists } from "../ad-lists.ts";
import { openMemoryBlobs } from "../../storage/blobs/memory.ts";
import { openTestClient } from "../../net/loopback.suite.ts";
import { attemptOf, never, visitOf } from "../visit.suite.ts";
import type { BrowserOrder } from "../visit.ts";
import { actions } from "./actions.ts";
import { adBlocking } from "./ad-blocking.ts";
import { consent } from "./consent.ts";
import { recordTab } from "./recorded-tab.suite.ts";
import { requestHeaders } from "./request-headers.ts";
import { screenshot } from "./screenshot.ts";
import type { BrowserStage, OpenPage } from "./stage.ts";
import { brand } from "./brand.ts";
import { waitFor } from "./wait-for.ts";

const order = (changes: Partial<BrowserOrder>) => ({ browser: { ...visitOf().browser, ...changes } });

/** The seed hosts alone: no list is subscribed to. */
const adLists = openAdLists({
  urls: [],
  blobs: openMemoryBlobs(),
  client: openTestClient(),
});

afterAll(() => adLists.close());

function pageOf(changes: Parameters<typeof attemptOf>[0] = {}): OpenPage {
  return { ...attemptOf(changes), settle: async () => "quiet" };
}

describe("a stage that has nothing to do", () => {
  test.each<[string, BrowserStage]>([
    ["request headers", requestHeaders],
    ["ad blocking", adBlocking(adLists)],
    ["consent", consent],
    ["waiting", waitFor],
    ["actions", actions],
    ["brand", brand],
    ["screenshot", screenshot],
  ])("sends no command and adds nothing: %s", async (_name, stage) => {
    const { tab, commands, judge } = recordTab();
    const page = pageOf(order({ blockAds: false }));
    await stage.prepare?.(tab, page, never);
    expect(await stage.onReady?.(tab, page, never)).toBeUndefined();
    await stage.onCaptured?.(tab, page, never);
    await stage.onLeave?.(tab);
    expect(commands).toEqual([]);
    expect(judge({ url: "http://site.test/" })).toEqual([]);
  });
});

test("how a page looks is asked once, and the page is not changed for it", async () => {
  const look = { pageHeight: 900 };
  const { tab, commands } = recordTab({ "Runtime.callFunctionOn": { result: { value: look } } });
  const found = await brand.onReady?.(tab, pageOf(order({ brand: true })), never);
  expect(found).toEqual({ brand: look });
  expect(commands.map(({ method }) => method)).toEqual([
    "Page.createIsolatedWorld",
    "Runtime.callFunctionOn",
  ]);
});

describe("section 3.22: the caller's headers", () => {
  const headers = { "X-Name": "me", Authorization: "Basic abc", Cookie: "a=1; b; c=d=e", Host: "evil.test" };

  async function prepared() {
    const recorded = recordTab();
    await requestHeaders.prepare?.(recorded.tab, attemptOf({ headers }), never);
    return recorded;
  }

  test("go with documents of the page's own frame, credentials to their own origin only", async () => {
    const { judge } = await prepared();
    expect(judge({ url: "http://site.test/other" })).toEqual([
      {
        verdict: "continue",
        headers: [
          { name: "Accept", value: "*/*" },
          { name: "X-Name", value: "me" },
          { name: "Authorization", value: "Basic abc" },
        ],
      },
    ]);
    const [elsewhere] = judge({ url: "http://elsewhere.test/" });
    expect(JSON.stringify(elsewhere)).toContain("X-Name");
    expect(JSON.stringify(elsewhere)).not.toContain("Authorization");
    expect(judge({ url: "http://site.test/frame", frameId: "inner" })).toEqual([undefined]);
  });

  test("become cookies of the host where they are cookies", async () => {
    const { commands } = await prepared();
    const url = "http://site.test/page";
    expect(commands).toEqual(
      [
        { name: "a", value: "1" },
        { name: "", value: "b" },
        { name: "c", value: "d=e" },
      ].map((cookie) => ({ method: "Network.setCookie", params: { ...cookie, url, secure: false } })),
    );
  });

  test("leave the agent to the emulation", async () => {
    const { tab, judge } = recordTab();
    await requestHeaders.prepare?.(tab, attemptOf({ headers: { "user-agent": "Mine" } }), never);
    expect(judge({ url: "http://site.test/" })).toEqual([]);
  });
});

describe("section 3.20: advertisements", () => {
  const AD = "https://securepubads.g.doubleclick.net/tag/js/gpt.js";

  async function judgeOf(blockAds: boolean) {
    const { tab, judge } = recordTab();
    await adBlocking(adLists).prepare?.(tab, attemptOf(order({ blockAds })), never);
    return judge;
  }

  test("are not loaded; all else is", async () => {
    const judge = await judgeOf(true);
    expect(judge({ url: AD, type: "Script" })).toEqual([{ verdict: "fail", reason: "BlockedByClient" }]);
    expect(judge({ url: "http://site.test/app.js", type: "Script" })).toEqual([undefined]);
    expect(judge({ url: "data:text/plain,x", type: "Fetch" })).toEqual([undefined]);
  });

  test("are the page when the page itself is asked for", async () => {
    const judge = await judgeOf(true);
    expect(judge({ url: AD })).toEqual([undefined]);
    expect(judge({ url: AD, frameId: "inner" })).toEqual([{ verdict: "fail", reason: "BlockedByClient" }]);
  });

  test("are loaded when they are not to be blocked", async () => {
    expect((await judgeOf(false))({ url: AD, type: "Script" })).toEqual([]);
  });
});

describe("section 3.23: the wait that the caller wants", () => {
  test("takes its time once the page is ready", async () => {
    const startMs = performance.now();
    await waitFor.onReady?.(recordTab().tab, pageOf(order({ waitForMs: 60 })), never);
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(55);
  });

  test("ends with the scrape", async () => {
    const abort = new AbortController();
    const waiting = waitFor.onReady?.(recordTab().tab, pageOf(order({ waitForMs: 60_000 })), abort.signal);
    abort.abort();
    await expect(waiting).rejects.toThrow("abort");
  });
});
