import { expect, test } from "vitest";
import { z } from "zod";

import { scrapeFacts } from "../../api/answer.ts";
import { uuidV7 } from "@pergamon-dev/kit/uuid";
import { startJob } from "../request/job.ts";
import { planScrape } from "../request/plan.ts";
import { callerWith, requestFor } from "../scrape.suite.ts";
import { factsOf, factsOfJob } from "./facts.ts";

const id = uuidV7();
const captureId = uuidV7(Date.parse("2026-11-20T10:20:30.456Z"));
const known = {
  id,
  sourceUrl: "http://site.test/",
  creditsUsed: 1,
  cacheState: undefined,
  captureId: undefined,
};
const usual = { sourceURL: "http://site.test/", scrapeId: id, creditsUsed: 1, concurrencyLimited: false };

test.each<readonly [string, Partial<Parameters<typeof factsOf>[0]>, object]>([
  ["the cache was not asked", {}, {}],
  ["the cache was not asked, but the page is kept now", { captureId }, {}],
  ["the cache did not have it", { cacheState: "miss" }, { cacheState: "miss" }],
  ["the cache did not have it, and has it now", { cacheState: "miss", captureId }, { cacheState: "miss" }],
  [
    "the cache had it",
    { cacheState: "hit", captureId },
    { cacheState: "hit", cachedAt: "2026-11-20T10:20:30.456Z" },
  ],
  ["it had its turn at once", { queuedMs: undefined }, {}],
  [
    "it waited for its turn",
    { queuedMs: 12.6 },
    { concurrencyLimited: true, concurrencyQueueDurationMs: 13 },
  ],
  ["it waited no time", { queuedMs: 0 }, { concurrencyLimited: true, concurrencyQueueDurationMs: 0 }],
])("%s", (_name, more, told) => {
  const facts = factsOf({ ...known, ...more });
  expect(facts).toEqual({ ...usual, ...told });
  expect(z.strictObject(scrapeFacts).parse(facts)).toEqual(facts);
});

const ANSWER = {
  pageCounts: undefined,
  fields: ["markdown"],
  byModel: new Set<string>(),
  isInjectionChecked: false,
  isForNothing: false,
};

test("of a job tell its price, with what came to light on the way", () => {
  const request = requestFor({ url: "site.test/x", zeroDataRetention: true });
  const order = { caller: callerWith(), linkBase: "http://here", id };
  const job = { ...startJob({ request, plan: planScrape(request) }, order), queuedMs: 5 };
  expect(factsOfJob(job, { cacheState: "miss", captureId: undefined }, ANSWER, 2)).toEqual({
    sourceURL: "http://site.test/x",
    scrapeId: id,
    creditsUsed: 6,
    cacheState: "miss",
    concurrencyLimited: true,
    concurrencyQueueDurationMs: 5,
  });
});
