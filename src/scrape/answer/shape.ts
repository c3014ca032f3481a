import { SCRAPE_ID, success, URL } from "../../contract/example-values.ts";
import { defineShape } from "../../contract/operation.ts";
import { ScrapeAnswer } from "./schema.ts";

/** What a page can be, as the reference shows it. */
export const exampleDocument = {
  markdown: "# Example Domain\n\nThis domain is for use in documents.",
  links: ["https://iana.org/domains/example"],
  metadata: {
    title: "Example Domain",
    sourceURL: "https://example.com",
    url: URL,
    statusCode: 200,
    contentType: "text/html",
    proxyUsed: "basic",
    scrapeId: SCRAPE_ID,
    creditsUsed: 1,
    concurrencyLimited: false,
    cacheState: "miss",
  },
};

/** What a scrape answers with, as the reference shows it. */
export const scrapeAnswer = defineShape("ScrapeAnswer", ScrapeAnswer, { success, data: exampleDocument });
