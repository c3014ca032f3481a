import { expect, test } from "vitest";

import { ServiceError } from "../../api/errors.ts";
import { ownProperty } from "@pergamon-dev/kit/own-property";
import { callerWith, requestFor } from "../scrape.suite.ts";
import type { Format } from "../formats/format.ts";
import * as formats from "../formats/all.ts";
import { startJob } from "./job.ts";
import { planScrape } from "./plan.ts";
import { type Findings, highestPrice, priceOf, priceOfFailure } from "./price.ts";
import { lastingPart } from "./retention.ts";

function jobFor(options: object) {
  const request = requestFor(options);
  return startJob(
    { request, plan: planScrape(lastingPart(request)) },
    { caller: callerWith(), linkBase: "http://x" },
  );
}

/** What formats add, and what they make of the base, where that is not nothing. Source: contract, section 5.1. */
const PRICED = {
  audio: [4],
  video: [4],
  json: [0, 5],
  changeTracking: [0, 1],
  // By rules. What a language model adds to its answers is charged only when it answered.
  question: [0],
  query: [0],
  highlights: [0],
} as const satisfies Partial<Record<keyof typeof formats, readonly [added: number, base?: number]>>;

test.each(Object.entries<readonly [added: number, base?: number]>(PRICED))(
  "5.1 the price of %s",
  (name, [added, base]) => {
    const format: Format | undefined = ownProperty<Format>(formats, name);
    expect(format?.price?.credits ?? 0).toBe(added);
    expect(format?.model?.baseCredits?.({ type: name, modes: [] } as never)).toBe(base);
  },
);

/** Formats of the interface that cost nothing on top. What is added later says its own price. */
const FREE = [
  "markdown",
  "html",
  "rawHtml",
  "rawBase64",
  "links",
  "images",
  "attributes",
  "screenshot",
  "summary",
];

test.each([...FREE, "branding", "product", "menu"])("5.1 %s is free", (name) => {
  const format = ownProperty<Format>(formats, name);
  expect(format?.answer).toBeDefined();
  expect(format?.price).toBeUndefined();
  expect(format?.model?.baseCredits).toBeUndefined();
});

const FOUND: Findings = { threatScans: 0 };
const TWELVE_PAGES: Findings = { ...FOUND, documentPages: 12 };

test.each<readonly [string, object, Findings, number]>([
  ["a page", {}, FOUND, 1],
  ["nothing but metadata", { formats: [] }, FOUND, 1],
  [
    "all that is free",
    { formats: ["html", "links", "images", "screenshot"], mobile: true, waitFor: 1 },
    FOUND,
    1,
  ],
  ["actions", { actions: [{ type: "wait", milliseconds: 1 }] }, FOUND, 1],
  ["the enhanced proxy", { proxy: "enhanced" }, FOUND, 1],
  ["the same format twice", { formats: ["links", { type: "links" }] }, FOUND, 1],
  ["tracked changes", { formats: ["markdown", { type: "changeTracking", modes: ["git-diff"] }] }, FOUND, 1],
  ["a PDF of twelve pages", {}, TWELVE_PAGES, 12],
  ["a PDF that is not parsed", { parsers: [] }, FOUND, 1],
  ["a redacted page", { redactPII: true }, FOUND, 5],
  ["a redacted PDF of twelve pages", { redactPII: {} }, TWELVE_PAGES, 60],
  ["zero data retention", { zeroDataRetention: true }, FOUND, 2],
  ["a hit in lockdown", { lockdown: true }, FOUND, 5],
  ["a hit in lockdown with zero data retention", { lockdown: true, zeroDataRetention: true }, FOUND, 5],
  ["a redacted PDF in lockdown", { lockdown: true, redactPII: true }, TWELVE_PAGES, 5],
  [
    "what a model would answer in lockdown",
    { lockdown: true, formats: ["json", "markdown"], checkPromptInjection: true },
    FOUND,
    5,
  ],
  ["a look for prompt injections", { checkPromptInjection: true, formats: ["summary"] }, FOUND, 5],
  ["such a look where no model reads the page", { checkPromptInjection: true }, FOUND, 1],
  [
    "such a look that could not be made",
    { checkPromptInjection: true, formats: ["summary"] },
    { ...FOUND, isInjectionChecked: false },
    1,
  ],
  ["json by rules", { formats: ["json"] }, FOUND, 1],
  ["json by a model", { formats: ["json"] }, { ...FOUND, byModel: new Set(["json"]) }, 5],
  [
    "json and changes of it by a model",
    { formats: ["json", "markdown", { type: "changeTracking", modes: ["json"] }] },
    { ...FOUND, byModel: new Set(["json", "changeTracking"]) },
    5,
  ],
  ["two scans by the classifier", { threatProtection: { mode: "normal" } }, { ...FOUND, threatScans: 2 }, 5],
])("5.1 %s", (_name, options, findings, credits) => {
  expect(priceOf(jobFor(options), findings)).toBe(credits);
});

test.each<object>([
  { type: "summary" },
  { type: "json", prompt: "x" },
  { type: "question", question: "x" },
  { type: "highlights", query: "x" },
  { type: "query", prompt: "x" },
])("C-40 %j, which zero data retention leaves out, adds nothing to its price", (format) => {
  expect(priceOf(jobFor({ formats: ["markdown", format], zeroDataRetention: true }), FOUND)).toBe(2);
});

test("5.1 what is set aside is enough for what it comes to", () => {
  expect(highestPrice(jobFor({ lockdown: true }), { threatScans: 0 })).toBe(5);
  expect(highestPrice(jobFor({ zeroDataRetention: true }), { threatScans: 2 })).toBe(6);
});

test.each<readonly [string, unknown, number, number]>([
  ["a failure", new ServiceError("SCRAPE_SITE_ERROR"), 0, 0],
  ["an unexpected failure", new Error("x"), 0, 0],
  ["C-38 an unknown name", new ServiceError("SCRAPE_DNS_RESOLUTION_ERROR"), 0, 0],
  ["C-38 an unknown name, scanned", new ServiceError("SCRAPE_DNS_RESOLUTION_ERROR"), 1, 2],
  ["a miss in lockdown", new ServiceError("SCRAPE_LOCKDOWN_CACHE_MISS", { creditsUsed: 1 }), 0, 1],
  [
    "a refused prompt injection",
    new ServiceError("SCRAPE_PROMPT_INJECTION_DETECTED", { creditsUsed: 5 }),
    0,
    5,
  ],
  ["a blocked site, scanned", new ServiceError("unsafe_domain_blocked"), 1, 2],
  ["a failure after two scans", new ServiceError("SCRAPE_SITE_ERROR"), 2, 4],
])("5.1 %s costs no more than it must", (_name, failure, scans, credits) => {
  expect(priceOfFailure(failure, scans)).toBe(credits);
});
