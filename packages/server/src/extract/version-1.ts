import { extractOperationsAt } from "./extract-operations.ts";
import { jobOptionsOf } from "../jobs/version-1-options.ts";
import type { LooseOptions } from "../scrape/version-1-options.ts";

/** How older clients ask for extractions and watch them. */
export const extract1 = extractOperationsAt({ path: "/v1/extract", tag: "Version 1", bodyOf });

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
