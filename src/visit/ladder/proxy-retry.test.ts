import { describe, expect, test } from "vitest";

import { ProxyHealth } from "../../platform/net/proxy-health.ts";
import type { Proxy } from "../../platform/net/proxies.ts";
import { isRefused } from "./judge.ts";
import { refusal, TEXT, visitOf, outcomeOf } from "./ladder.suite.ts";
import type { Outcome } from "./outcome.ts";
import { tryByProxy } from "./proxy-retry.ts";

const refused: Outcome = { result: refusal, tried: ["fetch"], isWhole: true };

describe("a proxy that does not connect", () => {
  const unreachable: Outcome = {
    result: { code: "SCRAPE_SITE_ERROR", message: 'error code "ERR_TUNNEL_CONNECTION_FAILED"' },
    tried: ["fetch"],
    isWhole: true,
  };

  async function through(proxies: readonly Proxy[], first: Outcome, changes = {}) {
    const urls: (string | undefined)[] = [];
    const wanted = { visit: visitOf(changes), tier: "basic" as const };
    const outcome = await tryByProxy(new ProxyHealth(proxies), wanted, async ({ proxy }) => {
      urls.push(proxy?.url);
      return urls.length === 1 ? first : outcomeOf(TEXT);
    });
    return { urls, outcome };
  }

  test("is replaced once by another", async () => {
    const proxies: Proxy[] = [
      { tier: "basic", url: "http://one" },
      { tier: "basic", url: "http://other" },
    ];
    const { urls, outcome } = await through(proxies, unreachable);
    expect(new Set(urls)).toEqual(new Set(["http://one", "http://other"]));
    expect(urls).toHaveLength(2);
    expect(isRefused(outcome.result)).toBe(false);
  });

  test("is the answer when there is no other", async () => {
    const { urls, outcome } = await through([{ tier: "basic", url: "http://one" }], unreachable);
    expect(urls).toEqual(["http://one"]);
    expect(outcome).toBe(unreachable);
  });

  test("is not what a site does that fails", async () => {
    const proxies: Proxy[] = [
      { tier: "basic", url: "http://one" },
      { tier: "basic", url: "http://other" },
    ];
    expect((await through(proxies, refused)).urls).toHaveLength(1);
    expect((await through([], unreachable)).urls).toEqual([undefined]);
  });

  test("is not looked for where none leads to the country", async () => {
    const proxies: Proxy[] = [{ tier: "basic", country: "DE", url: "http://de" }];
    const { urls, outcome } = await through(proxies, refused, { proxyCountry: "FR" });
    expect(urls).toEqual([]);
    expect(outcome.result).toMatchObject({
      code: "SCRAPE_PROXY_SELECTION_ERROR",
      message: expect.stringContaining("no proxy for FR is configured"),
    });
  });
});
