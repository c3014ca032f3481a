import { describe, expect, test } from "vitest";

import { requestFor, teamWith } from "../scrape.suite.ts";
import { formatRequests } from "./formats.ts";
import { lastingPart, reduceRequest, refuseRetention, retentionOf } from "./retention.ts";

function reduce(options: object) {
  return reduceRequest(requestFor({ zeroDataRetention: true, ...options }));
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

test("who keeps a file or hands the page to others says so itself", () => {
  const names = (isMeant: (type: string) => unknown) =>
    Object.keys(formatRequests).filter(isMeant).toSorted();
  expect(names((type) => formatRequests[type]?.retention?.keepsFile)).toEqual([
    "audio",
    "screenshot",
    "video",
  ]);
  expect(names((type) => formatRequests[type]?.retention?.leftOut)).toEqual([
    "audio",
    "changeTracking",
    "highlights",
    "json",
    "query",
    "question",
    "summary",
    "video",
  ]);
});

describe("what a scrape may leave behind", () => {
  test.each([
    [{}, undefined, "usual"],
    [{}, "off", "usual"],
    [{}, "allowed", "usual"],
    [{}, "forced", "none"],
    [{ zeroDataRetention: true }, undefined, "none"],
    [{ zeroDataRetention: true }, "allowed", "none"],
    [{ lockdown: true }, "off", "none"],
  ] as const)("%j of a team that is %s: %s", (options, zeroDataRetention, retention) => {
    const flags = zeroDataRetention ? { zeroDataRetention } : {};
    expect(retentionOf(requestFor(options), teamWith({ flags }))).toBe(retention);
  });

  test("a team that may not have it is refused when it asks, and only then", () => {
    const team = teamWith({ flags: { zeroDataRetention: "off" } });
    expect(() => refuseRetention(requestFor({ zeroDataRetention: true }), team)).toThrow(
      "Zero Data Retention (ZDR) is not enabled for your team.",
    );
    expect(() => refuseRetention(requestFor({ lockdown: true }), team)).not.toThrow();
    expect(() => refuseRetention(requestFor({ zeroDataRetention: true }), teamWith())).not.toThrow();
  });
});

describe("the part of a request that is done", () => {
  const formats = ["markdown", "summary", "screenshot"];
  const done = (options: object) => lastingPart(requestFor({ formats, ...options }));

  test("is all of it, usually", () => {
    const request = requestFor({ formats });
    expect(lastingPart(request)).toBe(request);
  });

  test.each([{ zeroDataRetention: true }, { lockdown: true }])(
    "is what leaves nothing with %j",
    (options) => {
      expect(done(options).formats.map(({ type }) => type)).toEqual(["markdown"]);
      expect(done({ ...options, onlyCleanContent: true }).onlyCleanContent).toBe(false);
    },
  );
});
