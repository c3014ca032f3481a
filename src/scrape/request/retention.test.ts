import { describe, expect, test } from "vitest";

import { scrapeRequestSchema } from "./schema.ts";
import { reduceRequest } from "./retention.ts";

const schema = scrapeRequestSchema(() => true);

function reduce(options: object) {
  return reduceRequest(schema.parse({ url: "http://a.test/", zeroDataRetention: true, ...options }));
}

describe("A53 zero data retention", () => {
  test.each([
    ["summary", "summary", "Summary mode is not supported with zero data retention."],
    [
      "question",
      { type: "question", question: "x" },
      "Query mode is not supported with zero data retention.",
    ],
    [
      "highlights",
      { type: "highlights", query: "x" },
      "Query mode is not supported with zero data retention.",
    ],
    ["query", { type: "query", prompt: "x" }, "Query mode is not supported with zero data retention."],
    ["json", { type: "json", prompt: "x" }, "JSON mode is not supported with zero data retention."],
    ["changeTracking", "changeTracking", "Change tracking is not supported with zero data retention."],
  ])("leaves %s out, and says so", (_name, format, sentence) => {
    const { request, warnings } = reduce({ formats: ["markdown", format] });
    expect(request.formats.map(({ type }) => type)).toEqual(["markdown"]);
    expect(warnings).toEqual([sentence]);
    expect(request.storeInCache).toBe(false);
  });

  test("says the same once, and leaves cleaning by a model out", () => {
    const formats = [{ type: "question", question: "x" }, { type: "query", prompt: "x" }, "html"];
    const { request, warnings } = reduce({ formats, onlyCleanContent: true });
    expect(request.onlyCleanContent).toBe(false);
    expect(warnings).toHaveLength(2);
  });

  test.each([
    ["screenshot", { formats: ["screenshot"] }],
    ["screenshot", { actions: [{ type: "screenshot" }] }],
    ["pdf", { actions: [{ type: "pdf" }] }],
    ["audio", { formats: ["markdown", "audio"] }],
    ["video", { formats: ["video"] }],
    ["profile", { profile: { name: "ann" } }],
  ])("refuses %s: %j", (feature, options) => {
    expect(() => reduce(options)).toThrow(
      `The feature "${feature}" is not available when using Zero Data Retention (ZDR) mode.`,
    );
    expect(() => reduce({ ...options, lockdown: true })).not.toThrow();
  });

  test("leaves everything else as it is", () => {
    const options = {
      formats: ["markdown", "html", "rawHtml", "links"],
      profile: { name: "x", saveChanges: false },
    };
    expect(reduce(options).warnings).toEqual([]);
    expect(reduce(options).request.formats).toHaveLength(4);
  });
});
