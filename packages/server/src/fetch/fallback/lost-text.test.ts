import { describe, expect, test } from "vitest";

import { judgedOf, TEXT } from "./fallback.suite.ts";
import { never } from "../visit.suite.ts";
import { hasLostText } from "./lost-text.ts";

describe("text that scripts took away", () => {
  const lengthOf = async ({ body }: { body: Uint8Array }) => body.byteLength;
  const emptied = '<div class="spinner"></div>';

  test.each([
    ["most of it", TEXT, emptied, true],
    ["little of it", TEXT, TEXT.slice(0, TEXT.length / 2), false],
    ["nothing of a page that says plenty", TEXT.repeat(3), TEXT.repeat(3), false],
  ])("%s: %#", async (_case, before, after, isLost) => {
    expect(await hasLostText(await judgedOf(before), await judgedOf(after), lengthOf, never)).toBe(isLost);
  });

  test.each([
    ["another address", { url: "http://site.test/login" }],
    ["another status", { statusCode: 404 }],
    ["a blocked page", { statusCode: 403 }],
  ])("does not count where %s came", async (_case, changes) => {
    const after = await judgedOf({ body: Buffer.from(emptied), ...changes });
    expect(await hasLostText(await judgedOf(TEXT), after, lengthOf, never)).toBe(false);
  });

  test("counts wherever in the page one is", async () => {
    const after = await judgedOf({ body: Buffer.from(emptied), url: "http://site.test/page#part" });
    expect(await hasLostText(await judgedOf(TEXT), after, lengthOf, never)).toBe(true);
  });
});
