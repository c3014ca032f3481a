import { z } from "zod";

import { wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

/** A product token as in robots.txt (RFC 9309, section 2.2.1). */
const ProductToken = z.string().regex(/^[A-Za-z_-]{1,64}$/, {
  error: "must be a product token as in robots.txt: letters, _ and -",
});

export const crawling = definePart({
  title: "Crawls and maps",
  settings: z.object({
    ROBOTS_AGENT: ProductToken.default("PergamonBot").describe(
      "product token that crawls, extracts below an address and safe mode obey in robots.txt",
    ),
    CRAWL_MAX_LIMIT: wholeNumber({ least: 1, most: 1_000_000_000 })
      .default(1_000_000)
      .describe("documents that a crawl may be asked for"),
  }),
  derive: (settings) => ({ robotsAgent: settings.ROBOTS_AGENT, maxLimit: settings.CRAWL_MAX_LIMIT }),
});
