import { describe, expect, test } from "vitest";

import { shortInput } from "./end-step.ts";
import { exhausted, lastStepOf, MAX_CREDITS, OUT_OF_TIME, type StepLimits } from "./step-limits.ts";
import { CREDITS_PER_QUESTION } from "./step-account.ts";

const ENOUGH: StepLimits = { stepsLeft: 5, creditsLeft: 1000, timeLeftMs: 300_000 };

describe("a run", () => {
  test("continues while steps, credits and time are left", () => {
    expect([exhausted(ENOUGH, 20), lastStepOf(ENOUGH, 20)]).toEqual([undefined, undefined]);
  });

  test.each([
    ["credits", { creditsLeft: CREDITS_PER_QUESTION - 1 }, MAX_CREDITS],
    ["time", { timeLeftMs: 0 }, OUT_OF_TIME],
    ["steps", { stepsLeft: 0 }, "The agent had no answer within 20 steps."],
  ])("ends without %s", (_what, left, why) => {
    expect(exhausted({ ...ENOUGH, ...left }, 20)).toBe(why);
  });

  test("ends by its credits first, which are charged", () => {
    expect(exhausted({ stepsLeft: 0, creditsLeft: 0, timeLeftMs: 0 }, 20)).toBe(MAX_CREDITS);
  });

  test.each([
    ["credits for one question", { creditsLeft: 2 * CREDITS_PER_QUESTION - 1 }, MAX_CREDITS],
    ["one step", { stepsLeft: 1 }, "The agent had no answer within 20 steps."],
    ["less than a minute", { timeLeftMs: 59_999 }, OUT_OF_TIME],
  ])("has to answer with %s left", (_what, left, error) => {
    const last = lastStepOf({ ...ENOUGH, ...left }, 20);
    expect(last).toMatchObject({ error, words: expect.stringContaining("Use done now") as string });
  });
});

describe("an input as it is shown", () => {
  test("is as it was where it is short", () => {
    const input = { url: "https://a.test", formats: ["markdown"], n: 1, no: null };
    expect(shortInput(input)).toEqual(input);
  });

  test("has long texts cut, wherever they are", () => {
    expect(shortInput({ a: ["x".repeat(400)] })).toEqual({ a: [`${"x".repeat(300)}…`] });
  });

  test("is the beginning of its text where it is large as a whole", () => {
    const shown = shortInput({ list: Array.from({ length: 500 }, (_, at) => at) }) as {
      readonly input: string;
    };
    expect(shown.input).toMatch(/^\{"list":\[0,1,2,.*…$/);
    expect(shown.input.length).toBeLessThan(310);
  });

  test("is counted in bytes, not in characters", () => {
    expect(shortInput({ a: "日".repeat(290) })).toHaveProperty("input");
  });
});
