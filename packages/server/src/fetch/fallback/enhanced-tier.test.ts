import { describe, expect, test } from "vitest";

import type { Proxy } from "../../net/proxies.ts";
import type { Attempt, Tier } from "../engine.ts";
import { never, visitOf } from "../visit.suite.ts";
import { type Answer, engineOf, ladderOf, refusal, SHELL, TEXT } from "./fallback.suite.ts";

const ELSEWHERE = { tier: "enhanced", url: "http://proxy.test:1" } as Proxy;
const CHALLENGE = "<script>window._cf_chl_opt = {};</script>";

test.each([
  ["a scrape from the same address", { isOfJob: false }, [], ["fetch basic"]],
  ["a scrape that has another address", { isOfJob: false }, [ELSEWHERE], ["fetch basic", "browser enhanced"]],
  ["a page of a job", { isOfJob: true }, [ELSEWHERE], ["fetch basic"]],
])("a host that asks for a pause is asked again by no engine for %s", async (_name, job, proxies, asked) => {
  const asks: string[] = [];
  const busy = (name: string) => (attempt: Attempt) => {
    asks.push(`${name} ${attempt.tier}`);
    return { statusCode: 429, headers: { "retry-after": "60" }, body: Buffer.from(SHELL) };
  };
  const browser = engineOf("browser", { answer: busy("browser"), offers: "everything", cost: 9 });
  const fallback = ladderOf([engineOf("fetch", { answer: busy("fetch") }), browser], proxies);
  const { capture } = await fallback.acquire({ ...visitOf({ proxy: "auto" }), ...job }, never);
  expect([capture.statusCode, asks]).toEqual([429, asked]);
});

describe("the tier of a visit", () => {
  /** A ladder over one engine that answers by tier. */
  function site(answers: Readonly<Record<Tier, Answer>>) {
    const tiers: Tier[] = [];
    const answer = ({ tier }: { readonly tier: Tier }): Answer => {
      tiers.push(tier);
      return answers[tier];
    };
    const fallback = ladderOf([engineOf("fetch", { answer, offers: "everything" })]);
    const visit = async (proxy: "basic" | "enhanced" | "auto" = "auto") => {
      tiers.length = 0;
      const { capture } = await fallback.acquire(visitOf({ proxy }), never);
      return { tiers: [...tiers], capture };
    };
    return { visit, tiers };
  }

  test("is raised once when the site blocks it, and remembered when that helped", async () => {
    const { visit } = site({ basic: { statusCode: 403 }, enhanced: TEXT });
    const first = await visit();
    expect(first.tiers).toEqual(["basic", "enhanced"]);
    expect(first.capture).toMatchObject({ statusCode: 200, proxyUsed: "stealth" });
    expect((await visit()).tiers).toEqual(["enhanced"]);
  });

  test("is raised by a page that wants proof of being human, too", async () => {
    const { visit } = site({ basic: CHALLENGE, enhanced: TEXT });
    expect((await visit()).tiers).toEqual(["basic", "enhanced"]);
  });

  test("is not remembered when that did not help", async () => {
    const { visit } = site({ basic: { statusCode: 429 }, enhanced: { statusCode: 429 } });
    await visit();
    expect((await visit()).tiers).toEqual(["basic", "enhanced"]);
  });

  test("that fails leaves the first answer", async () => {
    const { visit } = site({ basic: { statusCode: 403 }, enhanced: refusal });
    const { tiers, capture } = await visit();
    expect(tiers).toEqual(["basic", "enhanced"]);
    expect(capture.statusCode).toBe(403);
  });

  test("is not raised after a refusal", async () => {
    const { visit, tiers } = site({ basic: refusal, enhanced: TEXT });
    await expect(visit()).rejects.toThrow(refusal.message);
    expect(tiers).toEqual(["basic"]);
  });

  test.each(["basic", "enhanced"] as const)("is not raised when the caller named %s", async (tier) => {
    const { visit } = site({ basic: { statusCode: 403 }, enhanced: { statusCode: 403 } });
    expect((await visit(tier)).tiers).toEqual([tier]);
  });
});
