import { expect, test } from "vitest";

import type { PartState } from "../../storage/part-health.ts";
import { recentlyWorked, withLastUse } from "./last-use.ts";

const MINUTE_MS = 60_000;
const nowMs = Date.UTC(2026, 10, 15, 12);
const good: PartState = {
  part: "Language model",
  target: "small",
  lastSuccessMs: nowMs - MINUTE_MS,
  lastFailureMs: null,
  problem: null,
  failuresInRow: 0,
  hourMs: nowMs,
  successes: 4,
  failures: 0,
};
const failed: PartState = {
  ...good,
  lastFailureMs: nowMs - 1000,
  problem: "It took too long.",
  failuresInRow: 1,
  failures: 1,
};
const model = { name: "Language model", status: "found", detail: "small" } as const;
const judge = (state: PartState) => withLastUse([model], [state], nowMs)[0];

test("the last use of the last ten minutes decides, an older one is told", () => {
  expect(judge(good)).toEqual({ ...model, detail: "small. small last worked 1 min ago" });
  expect(judge(failed)).toEqual({
    ...model,
    status: "problem",
    detail:
      "small. small failed just now (It took too long); 1 of 5 uses in that hour failed; small last worked 1 min ago",
    cost: "The next model answers instead of this one, or rules do.",
    remedy: "Start the model server, or correct LLM_BASE_URL, LLM_MODEL and LLM_API_KEY.",
  });
  const old = { ...failed, lastFailureMs: nowMs - 11 * MINUTE_MS, lastSuccessMs: null, successes: 0 };
  expect(judge(old)).toMatchObject({
    status: "found",
    detail: "small. small failed 11 min ago (It took too long); small has never worked",
  });
  expect([...recentlyWorked([good], nowMs)]).toEqual(["Language model"]);
  expect([...recentlyWorked([old], nowMs)]).toEqual([]);
});

test("a failure is tested again at once, and does not count once the test has succeeded", () => {
  expect([...recentlyWorked([{ ...good, target: "other" }, failed], nowMs)]).toEqual([]);
  const tested = (workedAtMs: number) => withLastUse([{ ...model, workedAtMs }], [failed], nowMs)[0]?.status;
  expect([tested(nowMs), tested(nowMs - 2000)]).toEqual(["found", "problem"]);
  const found = { ...model, status: "problem", detail: "small: It took too long." } as const;
  expect(withLastUse([found], [failed], nowMs)).toEqual([
    { ...found, detail: "small: It took too long. small last worked 1 min ago" },
  ]);
});

test("a part that only its use shows is listed, one of several that fails is a problem", () => {
  const engines = [good, failed].map((state, index) => ({
    ...state,
    part: "Search engine",
    target: `e${index}`,
  }));
  const [, engine] = withLastUse([model], engines, nowMs);
  expect(engine).toMatchObject({ name: "Search engine", status: "problem" });
});
