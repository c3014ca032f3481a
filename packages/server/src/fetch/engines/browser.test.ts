import { beforeAll, describe, expect, test } from "vitest";

import { openTestPool, testGuard } from "@pergamon-dev/browser/browser.suite";
import type { BrowserPool } from "@pergamon-dev/browser/pool";
import { fixedResolver, listenHttp, type Listener } from "../../net/loopback.suite.ts";
import { type Attempt, type EngineResult, isRefusal, type Refusal } from "../engine.ts";
import type { RequestedAction } from "../actions/requested-action.ts";
import { actions } from "../stages/actions.ts";
import type { BrowserStage } from "../stages/stage.ts";
import { attemptOf, closedPort, never, visitOf } from "../visit.suite.ts";
import { browserEngine, type BrowserKind, type BrowserPools } from "./browser.ts";

const guard = testGuard(["127.0.0.1"], fixedResolver("127.0.0.1"));
const shell = openTestPool(guard);
const none = openTestPool(guard, { find: async () => undefined });

let site: Listener;
const asked: string[] = [];

const PAGES: Readonly<Record<string, string>> = {
  "/written": "<p id=a>empty</p><script>a.textContent = 'written ' + location.hash</script>",
  "/large": `<p>${"x".repeat(5000)}</p>`,
  "/form": `<input id=name><button id=go onclick="out.textContent = document.getElementById('name').value">Go</button>
    <p id=out></p><p id=unseen style="display:none">No</p><a href="/written#next" id=away>Away</a>`,
};

beforeAll(async () => {
  site = await listenHttp((request, response) => {
    asked.push(request.url ?? "");
    response.setHeader("Content-Type", "text/html");
    response.setHeader("X-Twice", ["a", "b"]);
    response.end(PAGES[request.url ?? ""] ?? "<p>Words</p>");
  });
});

const urlOf = (path: string) => `http://site.test:${site.port}${path}`;

/** Every visit but those with a profile by this browser. */
function plainBy(browsers: BrowserPool): BrowserPools {
  return {
    of: ({ isWhole, isolatesSites }) => (isWhole || isolatesSites ? none : browsers),
    isStarting: false,
  };
}

function visit(
  path: string,
  stages: readonly BrowserStage[] = [],
  changes: Partial<Attempt> = {},
): Promise<EngineResult | Refusal> {
  const engine = browserEngine(plainBy(shell), stages);
  return engine.visit({ ...attemptOf({ url: urlOf(path) }), ...changes }, never);
}

async function captured(...given: Parameters<typeof visit>) {
  const result = await visit(...given);
  if (isRefusal(result)) throw new Error(result.message);
  return { ...result.capture, html: Buffer.from(result.capture.body).toString() };
}

describe("a page by browser", () => {
  test("is what its scripts made of it, where they left it", async () => {
    const capture = await captured("/written#part");
    expect(capture.html).toContain("written #part");
    expect(capture).toMatchObject({
      url: urlOf("/written#part"),
      statusCode: 200,
      reason: "OK",
      contentType: "text/html; charset=utf-8",
      engine: "browser",
      proxyUsed: "basic",
    });
    expect(capture.headers["x-twice"]).toBe("a, b");
  });

  test("uses the enhanced tier's browser only where there is one", async () => {
    expect((await captured("/", [], { tier: "enhanced" })).proxyUsed).toBe("stealth");
  });
});

describe("the stages of a visit", () => {
  /** A stage that notes its hooks, and adds to the capture. */
  function noting(name: string, notes: string[], evidence = {}): BrowserStage {
    return {
      prepare: async () => void notes.push(`${name} prepares`),
      onReady: async () => {
        notes.push(`${name} is ready`);
        return evidence;
      },
      onCaptured: async () => void notes.push(`${name} has captured`),
      onLeave: async () => void notes.push(`${name} leaves`),
    };
  }

  test("run hook by hook in the order of the table, and add to the capture", async () => {
    const notes: string[] = [];
    const capture = await captured("/", [
      noting("one", notes, { timezone: "Europe/Berlin" }),
      noting("other", notes, { timezone: "Asia/Tokyo" }),
    ]);
    expect(capture.timezone).toBe("Asia/Tokyo");
    expect(notes).toEqual(
      ["prepares", "is ready", "has captured", "leaves"].flatMap((hook) => [`one ${hook}`, `other ${hook}`]),
    );
  });

  test("leave also when the visit fails", async () => {
    const notes: string[] = [];
    const failing: BrowserStage = { prepare: () => Promise.reject(new TypeError("A fault.")) };
    await expect(visit("/", [failing, noting("one", notes)])).rejects.toThrow("A fault.");
    expect(notes).toEqual(["one leaves"]);
  });
});

describe("section 4.2: a page that a browser does not bring", () => {
  test("because nobody listens, as the way out saw it", async () => {
    const wanted = attemptOf({ url: `http://site.test:${await closedPort()}/` });
    expect(await visit("/", [], wanted)).toMatchObject({
      code: "SCRAPE_ALL_ENGINES_FAILED",
      message: "The connection was refused.",
    });
  });

  test("because Chromium itself will not go there", async () => {
    expect(await visit("/", [], attemptOf({ url: "http://site.test:1/" }))).toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("ERR_UNSAFE_PORT"),
    });
  });

  test("because its address is private", async () => {
    const careful = openTestPool(testGuard([], fixedResolver("127.0.0.1")));
    const engine = browserEngine(plainBy(careful), []);
    expect(await engine.visit(attemptOf({ url: urlOf("/") }), never)).toMatchObject({
      code: "SCRAPE_ALL_ENGINES_FAILED",
      message: expect.stringMatching(/^Connection violated security rules\./),
    });
  });

  test("because it is larger than allowed", async () => {
    const wanted = attemptOf({ url: urlOf("/large"), maxBodyBytes: 1000 });
    expect(await visit("/large", [], wanted)).toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringContaining("File exceeds size limit"),
    });
  });

  test("because there is no browser", async () => {
    const engine = browserEngine(plainBy(none), []);
    expect(await engine.isAvailable(never)).toBe(false);
    expect(await engine.visit(attemptOf({ url: urlOf("/") }), never)).toMatchObject({
      code: "SCRAPE_ALL_ENGINES_FAILED",
      message: "No browser could be started.",
    });
  });

  test("because there is no browser that isolates sites, where the visit is logged in", async () => {
    const profile = { name: "ann", saveChanges: false };
    const attempt = attemptOf({ url: urlOf("/"), browser: { ...visitOf().browser, profile } });
    expect(await browserEngine(plainBy(shell), []).visit(attempt, never)).toMatchObject({
      message: "No browser could be started.",
    });
    const of = ({ isolatesSites }: BrowserKind) => (isolatesSites ? shell : none);
    const swapped = browserEngine({ of, isStarting: false }, []);
    expect(await swapped.visit(attempt, never)).toHaveProperty("capture");
    expect(await swapped.visit(attemptOf({ url: urlOf("/") }), never)).not.toHaveProperty("capture");
  });

  test("because nobody waits for it any more", async () => {
    const abort = new AbortController();
    const engine = browserEngine(plainBy(shell), []);
    abort.abort(new Error("Nobody waits."));
    await expect(engine.visit(attemptOf({ url: urlOf("/") }), abort.signal)).rejects.toThrow("Nobody waits.");
  });
});

describe("section 3.17: actions on a page", () => {
  const act = (...list: readonly RequestedAction[]) => {
    const { browser } = visitOf();
    return captured(
      "/form",
      [actions],
      attemptOf({ url: urlOf("/form"), browser: { ...browser, actions: list } }),
    );
  };

  test("are done in their order, and the page is captured after the last", async () => {
    const { html, actions: results } = await act(
      { type: "click", selector: "#name", all: false },
      { type: "write", text: "Ann" },
      { type: "click", selector: "#go", all: false },
      { type: "executeJavascript", script: "out.textContent.length" },
      { type: "scrape" },
    );
    expect(html).toContain('<p id="out">Ann</p>');
    expect(results?.javascriptReturns).toEqual([{ type: "number", value: 3 }]);
    expect(results?.scrapes[0]).toMatchObject({ url: urlOf("/form") });
    expect(results?.pages).toEqual([urlOf("/form")]);
  });

  test("may lead to another page, which is waited for", async () => {
    const { url, html, actions: results } = await act({ type: "click", selector: "#away", all: false });
    expect(url).toBe(urlOf("/written#next"));
    expect(html).toContain("written #next");
    expect(results?.pages).toHaveLength(2);
  });

  test("on all matches may find none", async () => {
    expect((await act({ type: "click", selector: ".none", all: true })).statusCode).toBe(200);
  });

  test.each<[string, RequestedAction, string]>([
    ["what matches nothing", { type: "click", selector: ".none", all: false }, "SELECTOR_NOT_FOUND"],
    ["what is no selector", { type: "click", selector: "p[", all: false }, "INVALID_SELECTOR"],
    ["what cannot be seen", { type: "click", selector: "#unseen", all: false }, "NOT_INTERACTABLE"],
    [
      "a box that there is not",
      { type: "scroll", direction: "down", selector: ".none" },
      "SELECTOR_NOT_FOUND",
    ],
    ["a script that throws", { type: "executeJavascript", script: "throw new Error('x')" }, "SCRIPT_ERROR"],
  ])("fail at %s, and say which one", async (_case, action, errorCode) => {
    await expect(act({ type: "wait", milliseconds: 1 }, action)).rejects.toMatchObject({
      code: "SCRAPE_ACTION_ERROR",
      message: expect.stringContaining(`Action(s) failed to complete. Error code: ${errorCode}. `),
      details: { action: 1, type: action.type, errorCode },
    });
  });
});
