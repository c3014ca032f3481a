import { describe, expect, test } from "vitest";
import { z } from "zod";

import { captureFacts, scrapeFacts, type ScrapeFacts } from "../../api/answer.ts";
import type { PageMetadata } from "../page/page.ts";
import type { Capture } from "../../fetch/capture.ts";
import { captureOf } from "../scrape.suite.ts";
import { Answer } from "./answer.ts";
import type { Produced } from "./produce.ts";
import { ScrapeAnswer } from "./schema.ts";

const file = { kind: "html", mimeType: "text/html" } as const;

/** With every member that a scrape can have. */
const facts: ScrapeFacts = {
  sourceURL: "http://site.test/",
  scrapeId: "0190a7d5-1c2b-7a3e-8f4d-0123456789ab",
  creditsUsed: 1,
  cacheState: "hit",
  revalidated: true,
  cachedAt: "2026-11-20T10:20:30.456Z",
  concurrencyLimited: true,
  concurrencyQueueDurationMs: 5,
};

function answerOf(
  changes: Partial<Capture> = {},
  pageMetadata: PageMetadata = {},
  fields: Readonly<Record<string, unknown>> = {},
  found: Partial<Produced> = {},
) {
  const capture = captureOf("<p>x", changes);
  return new Answer({
    capture,
    file,
    produced: {
      fields,
      pageMetadata,
      pageCounts: undefined,
      answeredBy: [],
      byModel: new Set(),
      warnings: [],
      isPartial: false,
      isForNothing: false,
      ...found,
    },
    timings: new Map(),
  });
}

describe("metadata", () => {
  test("holds nothing of the service's that is not declared", () => {
    const blocked = { kind: "captcha", system: "hcaptcha" } as const;
    const everything = { statusCode: 404, reason: "Not Found", timezone: "Europe/Berlin", blocked };
    const { metadata } = answerOf(everything, {}, {}, { pageCounts: { numPages: 2, totalPages: 3 } }).data(
      facts,
    );
    const declared = z.strictObject({ ...captureFacts, ...scrapeFacts });
    expect(declared.parse(metadata)).toEqual(metadata);
    expect(Object.keys(metadata).toSorted()).toEqual(Object.keys(declared.shape).toSorted());
  });

  test("says why it is not the page, where the status does not", () => {
    const { metadata } = answerOf({ blocked: { kind: "challenge", system: "anubis" } }).data(facts);
    expect(metadata.error).toBe(
      "The site answered with a check of its visitors instead of the page (anubis).",
    );
    expect(
      answerOf({ statusCode: 403, reason: "Forbidden", blocked: { kind: "denied" } }).data(facts).metadata,
    ).toMatchObject({
      error: "Forbidden",
      blocked: { kind: "denied" },
    });
  });

  test("takes what the page says, but under none of the service's names", () => {
    const lies = Object.fromEntries(
      Object.keys({ ...captureFacts, ...scrapeFacts }).map((name) => [name, "a lie"]),
    );
    const { metadata } = answerOf({}, { ...lies, title: "Page", "og:title": ["a", "b"] }).data({
      sourceURL: "http://site.test/",
      scrapeId: "id",
      creditsUsed: 1,
      concurrencyLimited: false,
    });
    expect(metadata).toEqual({
      title: "Page",
      "og:title": ["a", "b"],
      url: "http://site.test/",
      statusCode: 200,
      contentType: "text/html",
      proxyUsed: "basic",
      sourceURL: "http://site.test/",
      scrapeId: "id",
      creditsUsed: 1,
      concurrencyLimited: false,
    });
  });

  test.each([
    [200, "OK", undefined],
    [204, "No Content", undefined],
    [299, "", undefined],
    [304, "Not Modified", "Not Modified"],
    [404, "Not Found", "Not Found"],
    [503, "Service Unavailable", "Service Unavailable"],
    [599, "", undefined],
  ])("of status %i %s tells the error %s", (statusCode, reason, error) => {
    expect(answerOf({ statusCode, reason }).data(facts).metadata.error).toBe(error);
  });
});

describe("the encoded answer", () => {
  const texts = async (answer: Answer, of: ScrapeFacts = facts) =>
    Buffer.concat(await answer.encode(of)).toString("utf8");

  test.each<readonly [string, PageMetadata, Readonly<Record<string, unknown>>]>([
    ["with fields", { title: "Ä “page”" }, { markdown: 'a "b"\n\u2028', links: [], warning: "w" }],
    ["of nothing but metadata", {}, {}],
  ])("%s is the JSON of the data", async (_name, metadata, fields) => {
    const answer = answerOf({}, metadata, fields);
    const body: unknown = JSON.parse(await texts(answer));
    expect(body).toEqual({ success: true, data: answer.data(facts) });
    expect(ScrapeAnswer.parse(body)).toEqual(body);
  });

  test("says what was missing sentence by sentence, and that it is partial", async () => {
    const said = { warnings: ["First.", "Second."], isPartial: true };
    const answer = answerOf({}, { partial: "a lie" }, { warning: "First. Second." }, said);
    expect(answer.data(facts).metadata).toMatchObject({ warnings: ["First.", "Second."], partial: true });
    const [encoded] = await answer.encode(facts, { tools: [], warning: "Third." });
    const { data } = ScrapeAnswer.parse(JSON.parse(String(encoded)));
    expect(data).toMatchObject({ tools: [], warning: "First. Second. Third." });
    expect(data.metadata.warnings).toEqual(["First.", "Second.", "Third."]);
  });

  test("that lacks nothing but what is added says so too", async () => {
    const [encoded] = await answerOf().encode(facts, { tools: [], warning: "Third." });
    expect(ScrapeAnswer.parse(JSON.parse(String(encoded))).data).toMatchObject({
      warning: "Third.",
      metadata: { warnings: ["Third."], partial: true },
    });
  });

  test("is made once, but for what is of the single scrape", async () => {
    const answer = answerOf({}, {}, { markdown: "x" });
    const [first] = await answer.encode(facts);
    const [second, ...rest] = await answer.encode({ ...facts, creditsUsed: 7 });
    expect(second).toBe(first);
    expect(Buffer.concat(rest).toString()).toContain('"creditsUsed":7');
    expect(await texts(answer)).toContain('"creditsUsed":1');
  });
});
