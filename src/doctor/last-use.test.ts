import { expect, test } from "vitest";

import type { PartState } from "../stores/health/part-rows.ts";
import { recentlyUsed, withLastUse } from "./last-use.ts";

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
  expect(judge(good)).toEqual({
    ...model,
    detail: "small. small: last succeeded 1 min ago; 0 of 4 uses in that hour failed.",
  });
  expect(judge(failed)).toMatchObject({
    status: "problem",
    detail:
      "small. small: last succeeded 1 min ago, last failed just now (It took too long); 1 of 5 uses in that hour failed.",
  });
  const old = { ...failed, lastFailureMs: nowMs - 11 * MINUTE_MS, lastSuccessMs: null };
  expect(judge(old)).toMatchObject({ status: "found", detail: expect.stringContaining("11 min ago") });
  expect([...recentlyUsed([old, good], nowMs)]).toEqual(["Language model"]);
  expect([...recentlyUsed([old], nowMs)]).toEqual([]);
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
