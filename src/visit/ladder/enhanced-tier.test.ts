import { describe, expect, test } from "vitest";

import type { Tier } from "../engine.ts";
import { tryByTier } from "./enhanced-tier.ts";
import { HostMemory } from "./host-memory.ts";
import { refusal, TEXT, visitOf, outcomeOf } from "./ladder.suite.ts";
import type { Outcome } from "./outcome.ts";

const refused: Outcome = { result: refusal, tried: ["fetch"], isWhole: true };

describe("the tier of a visit", () => {
  async function tiersOf(
    answers: Readonly<Record<Tier, Outcome>>,
    proxy: "basic" | "enhanced" | "auto" = "auto",
    hosts = new HostMemory(),
  ) {
    const tiers: Tier[] = [];
    const outcome = await tryByTier(visitOf({ proxy }), hosts, async (tier) => {
      tiers.push(tier);
      return answers[tier];
    });
    return { tiers, outcome };
  }

  test("is raised once when the site blocks it, and remembered when that helped", async () => {
    const hosts = new HostMemory();
    const answers = { basic: await outcomeOf({ statusCode: 403 }), enhanced: await outcomeOf(TEXT) };
    const { tiers, outcome } = await tiersOf(answers, "auto", hosts);
    expect(tiers).toEqual(["basic", "enhanced"]);
    expect(outcome).toBe(answers.enhanced);
    expect((await tiersOf(answers, "auto", hosts)).tiers).toEqual(["enhanced"]);
  });

  test("is raised by a page that wants proof of being human, too", async () => {
    const challenge = await outcomeOf("<title>Just a moment...</title><script src=/a.js></script>");
    const { tiers } = await tiersOf({ basic: challenge, enhanced: challenge });
    expect(tiers).toEqual(["basic", "enhanced"]);
  });

  test("is not remembered when that did not help", async () => {
    const hosts = new HostMemory();
    const blocked = await outcomeOf({ statusCode: 429 });
    await tiersOf({ basic: blocked, enhanced: blocked }, "auto", hosts);
    expect((await tiersOf({ basic: blocked, enhanced: blocked }, "auto", hosts)).tiers[0]).toBe("basic");
  });

  test("that fails leaves the first answer", async () => {
    const basic = await outcomeOf({ statusCode: 401 });
    expect((await tiersOf({ basic, enhanced: refused })).outcome).toBe(basic);
  });

  test("is not raised after a refusal, nor when the caller named one", async () => {
    const blocked = await outcomeOf({ statusCode: 403 });
    expect((await tiersOf({ basic: refused, enhanced: blocked })).tiers).toEqual(["basic"]);
    expect((await tiersOf({ basic: blocked, enhanced: blocked }, "basic")).tiers).toEqual(["basic"]);
    expect((await tiersOf({ basic: blocked, enhanced: blocked }, "enhanced")).tiers).toEqual(["enhanced"]);
  });
});
