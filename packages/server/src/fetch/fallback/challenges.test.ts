import { describe, expect, test } from "vitest";

import { type Attempt, SCRIPTS } from "../engine.ts";
import { never as signal, visitOf as visit } from "../visit.suite.ts";
import { type Answer, engineOf, ladderOf, SHELL, TEXT, THIN } from "./fallback.suite.ts";

describe("while a challenge is not passed", () => {
  const challenge = "<script>window._cf_chl_opt = {};</script>";
  const browserThat = (answer: () => Answer) => {
    const attempts: Attempt[] = [];
    const browser = engineOf("browser", {
      offers: [SCRIPTS],
      answer: (attempt) => {
        attempts.push(attempt);
        return answer();
      },
    });
    return { attempts, fallback: ladderOf([browser]) };
  };

  test("is waited for once per visit, and said", async () => {
    const { attempts, fallback } = browserThat(() => challenge);
    const { capture, isWhole } = await fallback.acquire(visit(), signal);
    expect(attempts.map(({ tier, isPatient }) => [tier, isPatient])).toEqual([
      ["basic", true],
      ["enhanced", false],
    ]);
    expect(capture.blocked).toEqual({ kind: "challenge", system: "cloudflare" });
    expect(isWhole).toBe(false);
  });

  test("the host is asked once and without waiting, until it lets somebody in", async () => {
    let answer: Answer = challenge;
    const { attempts, fallback } = browserThat(() => answer);
    await fallback.acquire(visit(), signal);
    await fallback.acquire(visit(), signal);
    expect(attempts.slice(2).map(({ tier, isPatient }) => [tier, isPatient])).toEqual([["basic", false]]);
    answer = TEXT;
    await fallback.acquire(visit(), signal);
    await fallback.acquire(visit(), signal);
    expect(attempts.at(-1)?.isPatient).toBe(true);
  });

  test("nothing is learned about short pages of its host", async () => {
    let answer: Answer = challenge;
    const calls: string[] = [];
    const browser = engineOf("browser", { offers: [SCRIPTS], cost: 50, answer: () => answer, calls });
    const fallback = ladderOf([engineOf("http", { answer: () => THIN, calls }), browser]);
    await fallback.acquire(visit({ proxy: "basic" }), signal);
    answer = TEXT;
    await fallback.acquire(visit({ proxy: "basic", url: "http://site.test/other" }), signal);
    expect(calls.at(-1)).toContain("browser");
  });
});

test("an empty shell is said after its scripts have run", async () => {
  const browser = engineOf("browser", { offers: "everything", cost: 50, answer: () => SHELL });
  const fallback = ladderOf([engineOf("http", { answer: () => SHELL }), browser]);
  const { capture, isWhole } = await fallback.acquire(visit(), signal);
  expect(capture.blocked).toEqual({ kind: "empty" });
  expect(isWhole).toBe(false);
  const raw = await fallback.acquire(visit({ asReceived: true, browserFeatures: ["mobile"] }), signal);
  expect(raw.capture.blocked).toBeUndefined();
});
