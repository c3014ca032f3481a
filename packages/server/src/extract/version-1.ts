import { extract } from "./extract.ts";
import { deprecation, extractAnswer, extractRequest } from "./operations.ts";
import { jobOptionsOf } from "../jobs/version-1-options.ts";
import type { LooseOptions } from "../scrape/version-1-options.ts";

/** Extractions for clients of version 1. */
export const extract1 = extract.version1({
  path: "/v1/extract",
  body: extractRequest,
  answer: extractAnswer,
  bodyOf,
  reply: ({ invalidUrls }) => ({ urlTrace: [], invalidURLs: invalidUrls, ...deprecation }),
});

function bodyOf(body: LooseOptions): LooseOptions {
  const { scrapeOptions } = body;
  const isGiven = typeof scrapeOptions === "object" && scrapeOptions !== null;
  const options = jobOptionsOf(isGiven ? (scrapeOptions as LooseOptions) : {});
  return {
    ignoreInvalidURLs: false,
    ...body,
    scrapeOptions: { onlyMainContent: false, ...options },
  };
}
