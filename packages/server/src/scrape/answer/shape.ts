import { z } from "zod";

import { SCRAPE_ID, success, EXAMPLE_URL } from "../../api/example-values.ts";
import { defineShape } from "../../api/operation-shape.ts";
import { FileAnswer, ScrapeAnswer } from "./schema.ts";

/** Example page in the API reference. */
export const exampleDocument = {
  markdown: "# Example Domain\n\nThis domain is for use in documents.",
  links: ["https://iana.org/domains/example"],
  metadata: {
    title: "Example Domain",
    sourceURL: "https://example.com",
    url: EXAMPLE_URL,
    statusCode: 200,
    contentType: "text/html",
    proxyUsed: "basic",
    scrapeId: SCRAPE_ID,
    creditsUsed: 1,
    concurrencyLimited: false,
    cacheState: "miss",
  },
};

export const scrapeAnswer = defineShape("ScrapeAnswer", ScrapeAnswer, { success, data: exampleDocument });

export const fileAnswer = defineShape("FileAnswer", FileAnswer, {
  success,
  data: {
    markdown: "# Report\n\nSales rose.",
    metadata: {
      title: "Report",
      sourceFile: "report.pdf",
      statusCode: 200,
      contentType: "application/pdf",
      proxyUsed: "basic",
      numPages: 1,
      totalPages: 1,
      scrapeId: SCRAPE_ID,
      creditsUsed: 1,
      concurrencyLimited: false,
    },
  },
});

/** A stored response of any of these operations. */
export const storedAnswer = defineShape(
  "StoredAnswer",
  () => z.union([ScrapeAnswer, FileAnswer()]),
  scrapeAnswer.example,
);
