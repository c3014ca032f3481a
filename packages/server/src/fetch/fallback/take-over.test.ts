import { describe, expect, test } from "vitest";

import { engineOf, judgedOf, SHELL, TEXT } from "./fallback.suite.ts";
import { withOwnBody } from "./take-over.ts";

const full = engineOf("full", { offers: "everything" });

describe("the body of a page that another engine went on with", () => {
  const shown = { screenshot: { bytes: Buffer.from("image"), contentType: "image/png" as const } };

  test("is what it made of a page, or of nothing", async () => {
    const after = await judgedOf(TEXT, full);
    expect(withOwnBody(await judgedOf(SHELL), after)).toBe(after);
    expect(withOwnBody(await judgedOf({ body: Buffer.alloc(0) }), after)).toBe(after);
  });

  test("stays that of a file, with what was seen of it", async () => {
    const body = Buffer.from('{"a":1}');
    const file = await judgedOf({ body, contentType: "application/json", headers: { etag: "1" } });
    const { capture } = withOwnBody(file, await judgedOf({ ...shown, contentType: "text/html" }, full));
    expect(capture).toMatchObject({
      body,
      contentType: "application/json",
      headers: { etag: "1" },
      engine: "full",
      ...shown,
    });
  });

  test("stays nothing when nothing was made of it", async () => {
    const empty = await judgedOf({ body: Buffer.alloc(0) });
    const after = withOwnBody(empty, await judgedOf("<html><body></body></html>", full));
    expect(after.capture.body.byteLength).toBe(0);
  });

  test.each([SHELL, { body: Buffer.alloc(0) }, { contentType: "application/json", body: Buffer.from("{}") }])(
    "R2 is trusted no more than what it went on from (%#)",
    async (answer) => {
      const parts = typeof answer === "string" ? { body: Buffer.from(answer) } : answer;
      const unverified = await judgedOf({ ...parts, hasUnverifiedTls: true });
      const after = await judgedOf({ hasUnverifiedTls: false }, full);
      expect(withOwnBody(unverified, after).capture.hasUnverifiedTls).toBe(true);
      const verified = await judgedOf({ ...parts, hasUnverifiedTls: false });
      expect(withOwnBody(verified, after).capture.hasUnverifiedTls).toBe(false);
    },
  );
});
