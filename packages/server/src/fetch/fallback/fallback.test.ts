import { describe, expect, test } from "vitest";

import type { Proxy } from "../../net/proxies.ts";
import type { Attempt, EngineResult, Engine, Refusal } from "../engine.ts";
import { type Fallback, openLadder } from "./fallback.ts";
import { type Answer, captureOf, SHELL, TEXT } from "./fallback.suite.ts";
import { never as signal, visitOf as visit } from "../visit.suite.ts";
import { parseHtml } from "@pergamon-dev/html/parser/parse";
import { selectReadable } from "@pergamon-dev/html/selection/scriptless";
import { toMarkdown } from "@pergamon-dev/html/markdown/convert";
import type { Visit } from "../visit.ts";

/** What was asked of the engines, in order: name and tier. */
type Calls = string[];

function engineResult(engine: string, answer: Answer, attempt: Attempt): EngineResult | Refusal {
  if (typeof answer !== "string" && "code" in answer) return answer;
  return { capture: { ...captureOf(answer, attempt), engine } };
}

interface World {
  readonly http: (attempt: Attempt) => Answer;
  readonly browser?: (attempt: Attempt) => Answer;
  readonly proxies?: readonly Proxy[];
}

function openWorld({ http, browser, proxies = [] }: World): { fallback: Fallback; calls: Calls } {
  const calls: Calls = [];
  const engine = (
    name: string,
    answer: World["http"] | undefined,
    terms: Pick<Engine, "offers" | "cost">,
  ): Engine => ({
    name,
    ...terms,
    isAvailable: async () => answer !== undefined,
    async visit(attempt) {
      calls.push(`${name} ${attempt.tier}${attempt.proxy ? ` by ${attempt.proxy.url}` : ""}`);
      return engineResult(name, answer?.(attempt) ?? "", attempt);
    },
  });
  return {
    fallback: openLadder({
      engines: [
        engine("browser", browser, { offers: "everything", cost: 50 }),
        engine("http", http, { offers: [], cost: 1 }),
      ],
      proxies: () => proxies,
      countText: async ({ body, url }) => {
        const tree = parseHtml(Buffer.from(body).toString("utf8"));
        return toMarkdown(selectReadable(tree), url).length;
      },
    }),
    calls,
  };
}

describe("section 3.21: the engine", () => {
  test("is HTTP alone for a page that is whole", async () => {
    const { fallback, calls } = openWorld({ http: () => TEXT, browser: () => TEXT });
    const { capture, isWhole } = await fallback.acquire(visit(), signal);
    expect(capture.engine).toBe("http");
    expect(isWhole).toBe(true);
    expect(calls).toEqual(["http basic"]);
  });

  test("is a browser for a shell, which takes over what was fetched", async () => {
    const { fallback, calls } = openWorld({ http: () => SHELL, browser: () => TEXT });
    expect((await fallback.acquire(visit(), signal)).capture.engine).toBe("browser");
    expect(calls).toEqual(["http basic", "browser basic"]);
  });

  test("stays HTTP without a browser, and says what is lacking", async () => {
    const { fallback } = openWorld({ http: () => TEXT });
    const { capture, isWhole } = await fallback.acquire(visit({ browserFeatures: ["screenshot"] }), signal);
    expect(capture).toMatchObject({ engine: "http", lacks: ["screenshot"] });
    expect(isWhole).toBe(false);
    const actions = fallback.acquire(visit({ browserFeatures: ["actions"] }), signal);
    await expect(actions).rejects.toMatchObject({ code: "SCRAPE_ACTIONS_NOT_SUPPORTED" });
  });

  test("tells why the first engine was not enough, and nothing where it was", async () => {
    const because = async (http: Answer, changes: Partial<Visit> = {}) => {
      const { fallback } = openWorld({ http: () => http, browser: () => TEXT });
      return (await fallback.acquire(visit(changes), signal)).capture.climbed;
    };
    expect(await because(SHELL)).toEqual({ from: "http", because: "the static page had no text" });
    const asked = { from: "http", because: "the request asks for screenshot" };
    expect(await because(TEXT, { browserFeatures: ["screenshot"] })).toEqual(asked);
    const mobile = { from: "http", because: "the request asks for mobile" };
    expect(await because(TEXT, { browserFeatures: ["mobile"] })).toEqual(mobile);
    expect(await because(TEXT)).toBeUndefined();
  });

  test("is asked once per host whether thin pages are more than that", async () => {
    const thin = '<p>Hello</p><script src="/analytics.js"></script>';
    const { fallback, calls } = openWorld({ http: () => thin, browser: () => thin });
    await fallback.acquire(visit(), signal);
    await fallback.acquire(visit({ url: "http://site.test/other" }), signal);
    await fallback.acquire(visit({ url: "http://elsewhere.test/" }), signal);
    expect(calls.map((call) => call.split(" ", 1)[0]).join()).toBe("http,browser,http,http,browser");
  });

  describe("after scripts took away what the server sent", () => {
    const held = `<div class="spinner"></div><script src="/app.js"></script><noscript>${TEXT}</noscript>`;
    const emptied = '<div class="spinner"></div>';
    const steps = async (browser: Answer, http: Answer = held, changes: Partial<Visit> = {}) => {
      const { fallback } = openWorld({ http: () => http, browser: () => browser });
      const { capture, isWhole } = await fallback.acquire(visit({ proxy: "basic", ...changes }), signal);
      return { engine: capture.engine, isWhole };
    };

    test("is HTTP, and the page is whole", async () => {
      expect(await steps(emptied)).toEqual({ engine: "http", isWhole: true });
    });

    test("is the browser when it shows another page, or was asked for", async () => {
      const browser = { engine: "browser", isWhole: true };
      const body = Buffer.from(emptied);
      expect(await steps({ body, url: "http://site.test/login" })).toEqual(browser);
      expect(await steps({ body, statusCode: 404 })).toEqual(browser);
      expect(await steps(emptied, held, { browserFeatures: ["waitFor"] })).toEqual(browser);
    });

    test("is the browser when the server sent a challenge", async () => {
      const challenge = `<script>window._cf_chl_opt = {};</script>${held}`;
      expect(await steps(emptied, challenge)).toEqual({ engine: "browser", isWhole: true });
    });

    test("is the browser while most is left", async () => {
      const words = TEXT.slice(0, TEXT.length / 2);
      expect(await steps(words)).toEqual({ engine: "browser", isWhole: true });
    });
  });
});

describe("section 3.21: the tier", () => {
  const keptOut = ({ tier }: Attempt): Answer => (tier === "basic" ? { statusCode: 403 } : TEXT);

  test.each([
    ["a page that only refuses", { statusCode: 403 }],
    [
      "a refusal without a page",
      { statusCode: 403, contentType: "application/json", body: Buffer.from("{}") },
    ],
    ["an empty refusal", { statusCode: 403, body: Buffer.from("") }],
  ])("is enhanced once after %s, and remembered", async (_name, refused) => {
    const { fallback, calls } = openWorld({ http: ({ tier }) => (tier === "basic" ? refused : TEXT) });
    expect((await fallback.acquire(visit(), signal)).capture).toMatchObject({
      statusCode: 200,
      proxyUsed: "stealth",
    });
    await fallback.acquire(visit(), signal);
    expect(calls).toEqual(["http basic", "http enhanced", "http enhanced"]);
  });

  const navigation = Buffer.from(`<nav>${'<a href="/a">Part of the site</a>'.repeat(6)}</nav>${TEXT}`);
  test.each([
    ["asks for a login", { statusCode: 401 }],
    ["says within the site that a page is for members", { statusCode: 403, body: navigation }],
  ])("stays after an answer that %s", async (_name, answer) => {
    const { fallback, calls } = openWorld({ http: () => answer });
    expect((await fallback.acquire(visit(), signal)).capture.proxyUsed).toBe("basic");
    expect(calls).toEqual(["http basic"]);
  });

  test("is enhanced once after 429, which teaches nothing", async () => {
    const { fallback, calls } = openWorld({
      http: ({ tier }) => (tier === "basic" ? { statusCode: 429 } : TEXT),
    });
    expect((await fallback.acquire(visit(), signal)).capture.proxyUsed).toBe("stealth");
    await fallback.acquire(visit(), signal);
    expect(calls).toEqual(["http basic", "http enhanced", "http basic", "http enhanced"]);
  });

  test("stays when a host that has too many requests asks for a short pause", async () => {
    let visits = 0;
    const { fallback, calls } = openWorld({
      http: () => ((visits += 1) === 1 ? { statusCode: 429, headers: { "retry-after": "0" } } : TEXT),
    });
    expect((await fallback.acquire(visit(), signal)).capture.statusCode).toBe(200);
    expect(calls).toEqual(["http basic", "http basic"]);
  });

  test("is what the caller says, if not auto", async () => {
    const { fallback, calls } = openWorld({ http: keptOut });
    expect((await fallback.acquire(visit({ proxy: "basic" }), signal)).capture.statusCode).toBe(403);
    expect((await fallback.acquire(visit({ proxy: "enhanced" }), signal)).capture.proxyUsed).toBe("stealth");
    expect(calls).toEqual(["http basic", "http enhanced"]);
  });

  test("keeps the first answer when the second try fails", async () => {
    const { fallback } = openWorld({
      http: ({ tier }) =>
        tier === "basic" ? { statusCode: 429 } : { code: "SCRAPE_SITE_ERROR", message: "no" },
    });
    expect((await fallback.acquire(visit(), signal)).capture).toMatchObject({
      statusCode: 429,
      proxyUsed: "basic",
    });
  });

  test("chooses the proxy, and engines leave through it; the enhanced one begins in the browser", async () => {
    const proxies: Proxy[] = [
      { tier: "basic", country: "DE", url: "http://de" },
      { tier: "enhanced", url: "socks5://any" },
    ];
    const { fallback, calls } = openWorld({
      http: () => SHELL,
      browser: () => ({ statusCode: 403 }),
      proxies,
    });
    await fallback.acquire(visit({ proxyCountry: "DE" }), signal);
    expect(calls).toEqual([
      "http basic by http://de",
      "browser basic by http://de",
      "browser enhanced by socks5://any",
    ]);
    const nowhere = fallback.acquire(visit({ proxyCountry: "FR", proxy: "basic" }), signal);
    await expect(nowhere).rejects.toMatchObject({ code: "SCRAPE_PROXY_SELECTION_ERROR" });
  });
});

test("a proxy that does not connect is replaced by another", async () => {
  const proxies: Proxy[] = [
    { tier: "basic", url: "http://broken" },
    { tier: "basic", url: "http://working" },
  ];
  const { fallback, calls } = openWorld({
    http: ({ proxy }) =>
      proxy?.url === "http://broken"
        ? { code: "SCRAPE_SITE_ERROR", message: "ERR_PROXY_CONNECTION_FAILED" }
        : TEXT,
    proxies,
  });
  for (let round = 0; round < 10; round += 1) await fallback.acquire(visit(), signal);
  expect(calls.filter((call) => call.endsWith("http://broken")).length).toBeLessThanOrEqual(1);
});
