import { describe, expect, test } from "vitest";

import { captureOf, engineOf, judgedOf, outcomeOf, refusal, TEXT } from "./fallback.suite.ts";
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

  test("is a file, and what was not done with it, whichever engine brought it", async () => {
    const asked = visitOf({ browserFeatures: ["mobile", "actions"] });
    const file = { body: Buffer.from("%PDF-1.4"), contentType: "application/pdf" };
    const kept = { headers: { "content-disposition": 'Attachment; filename="page.html"' } };
    const lacks = { capture: { lacks: ["mobile", "actions"] }, isWhole: true };
    expect(settle(await outcomeOf(file), asked)).toMatchObject(lacks);
    expect(settle(await outcomeOf(kept), asked)).toMatchObject(lacks);
    const full = engineOf("full", { offers: "everything" });
    const result = await judgedOf({ ...file, lacks: ["mobile"] }, full);
    const outcome = { result, tried: ["full"], isWhole: true };
    expect(settle(outcome, asked)).toMatchObject({ capture: { lacks: ["mobile"] }, isWhole: true });
  });

  test("is the refusal, with its cause", () => {
    const cause = new Error("The wire broke.");
    const outcome = { ...refused, result: { ...refusal, cause } };
    expect(() => settle(outcome, visitOf())).toThrow(
      expect.objectContaining({ code: "SCRAPE_SITE_ERROR", message: "The site is away.", cause }),
    );
  });
});
