import { describe, expect, test } from "vitest";

import { judgeReadiness, type PageReport, type PageState } from "./readiness-policy.ts";

const REPORT: PageReport = {
  mainText: 1000,
  otherText: 50,
  elements: 100,
  loadingMarkers: 0,
  scripts: 3,
  height: 2000,
};

/** A page whose document came whole at 0 and that has been still since. */
function page(changes: Partial<PageState> = {}, report: Partial<PageReport> = {}): PageState {
  return {
    navigatedAtMs: 0,
    report: { ...REPORT, ...report },
    isParsed: true,
    isLoaded: true,
    statusCode: 200,
    requests: [],
    hasAsked: false,
    hasWorkers: false,
    changedAtMs: 0,
    networkAtMs: 0,
    isRendered: false,
    leavesAtMs: undefined,
    ...changes,
  };
}

/** When a page that stays as it is counts as ready, to the millisecond; `never` within ten seconds. */
function readyAtMs(state: PageState): number | "never" {
  let nowMs = 0;
  while (nowMs < 10_000) {
    const judgement = judgeReadiness(state, nowMs);
    if ("readyBecause" in judgement) return nowMs;
    nowMs += judgement.againInMs;
  }
  return "never";
}

const open = { startedAtMs: 0, answeredAtMs: undefined };

describe("section 3.23: a page is ready", () => {
  test.each([
    ["at once, without scripts", page({}, { scripts: 0, mainText: 5 }), 0],
    ["soon, when its text was served", page(), 20],
    ["a little later, when scripts have asked for something", page({ hasAsked: true }), 100],
    ["after a pause, when scripts have made it", page({ isRendered: true }), 250],
    ["after the last answer, when scripts have made it", page({ isRendered: true, networkAtMs: 400 }), 500],
    ["after a long pause, when it is thin", page({}, { mainText: 10 }), 1000],
    [
      "after a longer one, while it says that it is loading",
      page({}, { mainText: 10, loadingMarkers: 1 }),
      2500,
    ],
    [
      "after a longer one, when it is thin and has workers",
      page({ hasWorkers: true }, { mainText: 10 }),
      2500,
    ],
    ["like a thin one, when its status is an error", page({ statusCode: 403 }), 1000],
    ["like any other, when it is not found", page({ statusCode: 404 }), 20],
    ["without its load event, when that hangs", page({ isLoaded: false }), 400],
    ["although a request never ends", page({ isRendered: true, requests: [open] }), 800],
    [
      "although an answer streams",
      page({ requests: [{ startedAtMs: 0, answeredAtMs: 0 }], hasAsked: true }),
      250,
    ],
    ["once it has not left after all", page({ leavesAtMs: 0 }), 3000],
  ])("%s", (_when, state, atMs) => {
    expect(readyAtMs(state)).toBe(atMs);
  });

  test.each([
    ["it was not measured", page({ report: undefined })],
    ["its document is still coming", page({ isParsed: false })],
    ["it is thin and has not loaded", page({ isLoaded: false }, { mainText: 10 })],
    ["it is thin and waits for an answer", page({ requests: [open] }, { mainText: 10 })],
  ])("never, as long as %s", (_why, state) => {
    expect(readyAtMs(state)).toBe("never");
  });
});
