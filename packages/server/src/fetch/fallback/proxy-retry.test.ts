import { describe, expect, test } from "vitest";

import type { Proxy } from "../../net/proxies.ts";
import type { Attempt, Refusal } from "../engine.ts";
import { never, visitOf } from "../visit.suite.ts";
import { engineOf, ladderOf, refusal, TEXT } from "./fallback.suite.ts";

const UNREACHABLE: Refusal = {
  code: "SCRAPE_SITE_ERROR",
  message: 'error code "ERR_TUNNEL_CONNECTION_FAILED"',
};
const ONE: Proxy = { tier: "basic", url: "http://one" };
const OTHER: Proxy = { tier: "basic", url: "http://other" };

describe("a proxy that does not connect", () => {
  /** Makes a visit whose first attempt fails. @returns the proxies of its attempts, and what became of it. */
  async function through(proxies: readonly Proxy[], first: Refusal, changes = {}) {
    const urls: (string | undefined)[] = [];
    const answer = ({ proxy }: Attempt) => {
      urls.push(proxy?.url);
      return urls.length === 1 ? first : TEXT;
    };
    const fallback = ladderOf([engineOf("fetch", { answer, offers: "everything" })], proxies);
    const visit = visitOf({ proxy: "basic", ...changes });
    const end = await fallback.acquire(visit, never).then(
      ({ capture }) => capture.statusCode,
      (failure: unknown) => failure,
    );
    return { urls, end };
  }

  test("is replaced once by another", async () => {
    const { urls, end } = await through([ONE, OTHER], UNREACHABLE);
    expect(new Set(urls)).toEqual(new Set(["http://one", "http://other"]));
    expect(urls).toHaveLength(2);
    expect(end).toBe(200);
  });

  test("is the answer when there is no other", async () => {
    const { urls, end } = await through([ONE], UNREACHABLE);
    expect(urls).toEqual(["http://one"]);
    expect(end).toMatchObject({ code: "SCRAPE_SITE_ERROR", message: UNREACHABLE.message });
  });

  test("is not what a site does that fails", async () => {
    expect((await through([ONE, OTHER], refusal)).urls).toHaveLength(1);
    expect((await through([], UNREACHABLE)).urls).toEqual([undefined]);
  });

  test("is not looked for where none leads to the country", async () => {
    const proxies: Proxy[] = [{ tier: "basic", country: "DE", url: "http://de" }];
    const { urls, end } = await through(proxies, refusal, { proxyCountry: "FR" });
    expect(urls).toEqual([]);
    expect(end).toMatchObject({
      code: "SCRAPE_PROXY_SELECTION_ERROR",
      message: expect.stringContaining("no proxy for FR is configured") as string,
    });
  });
});
