import { describe, expect, test } from "vitest";

import { limits } from "../../api/limits.ts";
import { never } from "../visit.suite.ts";
import type { ActionTools } from "./action.ts";
import { press } from "./press.ts";
import { Actions, waitBudgetMs } from "./requested-action.ts";

const WAIT = { type: "wait", milliseconds: 10 } as const;

describe("section 1.4: the actions of a request", () => {
  test("get their defaults", () => {
    expect(Actions.parse([{ type: "click", selector: "a" }, { type: "scroll" }, { type: "pdf" }])).toEqual([
      { type: "click", selector: "a", all: false },
      { type: "scroll", direction: "down" },
      { type: "pdf", format: "Letter", landscape: false, scale: 1 },
    ]);
  });

  test.each([
    ["no type", {}],
    ["an unknown type", { type: "dance" }],
    ["a wait for nothing", { type: "wait" }],
    ["a wait for two things", { type: "wait", milliseconds: 1, selector: "a" }],
    ["a wait of no time", { type: "wait", milliseconds: 0 }],
    ["a click on nothing", { type: "click" }],
    ["a page that is printed too small", { type: "pdf", scale: 0.01 }],
    ["an unknown paper", { type: "pdf", format: "Napkin" }],
  ])("cannot be %s", (_case, action) => {
    expect(Actions.safeParse([action]).success).toBe(false);
  });

  test("wait as long as their waits say, and a usual time for selectors", () => {
    const list = Actions.parse([WAIT, { type: "scroll" }, { type: "wait", selector: "a" }, WAIT]);
    expect(waitBudgetMs(list)).toBe(20 + limits.selectorWaitMs);
    expect(waitBudgetMs([])).toBe(0);
  });

  test("refuse a key that there is none of, before anything is typed", async () => {
    const untouched = { signal: never, tab: undefined } as unknown as ActionTools;
    await expect(press.run({ type: "press", key: "Control+Nonsense" }, untouched)).rejects.toMatchObject({
      code: "UNKNOWN_KEY",
      message: 'Unknown key: "Control+Nonsense".',
    });
  });
});
