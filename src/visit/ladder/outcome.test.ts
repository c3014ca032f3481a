import { describe, expect, test } from "vitest";

import { captureOf, refusal, TEXT, outcomeOf } from "./ladder.suite.ts";
import { visitOf } from "../visit.suite.ts";
import { type Outcome, settle } from "./outcome.ts";

const refused: Outcome = { result: refusal, tried: ["fetch"], isWhole: true };

describe("the end of a visit", () => {
  test("is the page, and what it lacks", async () => {
    const outcome = await outcomeOf(TEXT);
    expect(settle(outcome, visitOf())).toEqual({
      capture: { ...captureOf(TEXT), file: { kind: "html", mimeType: "text/html" } },
      isWhole: true,
    });
    expect(settle(outcome, visitOf({ browserFeatures: ["waitFor", "mobile"] }))).toMatchObject({
      capture: { lacks: ["waitFor", "mobile"] },
      isWhole: false,
    });
  });

  test("is an error when actions cannot be done", async () => {
    const outcome = await outcomeOf(TEXT);
    expect(() => settle(outcome, visitOf({ browserFeatures: ["actions"] }))).toThrow(
      expect.objectContaining({ code: "SCRAPE_ACTIONS_NOT_SUPPORTED" }),
    );
  });

  test("is the refusal, with its cause", () => {
    const cause = new Error("The wire broke.");
    const outcome = { ...refused, result: { ...refusal, cause } };
    expect(() => settle(outcome, visitOf())).toThrow(
      expect.objectContaining({ code: "SCRAPE_SITE_ERROR", message: "The site is away.", cause }),
    );
  });
});
