import { isIPv6 } from "node:net";

import { z } from "zod";

import { list, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";
import { usualLimits } from "./usual-limits.ts";

/** Names in any script. The maximum length of a name is 253 characters (RFC 1035, section 2.3.4). */
const NAME = /^[^\s/\\:@?#*%<>"'&|$()]{1,253}$/;

/** An entry with more than a host would match nothing. */
const Domain = z.string().refine((text) => isIPv6(text) || NAME.test(text), {
  error: (issue) =>
    `"${String(issue.input).slice(0, 100)}" is not a domain: give it without scheme, port and path`,
});

/** Permitted targets, and concurrency. */
export const scraping = definePart({
  title: "Scraping",
  settings: z.object({
    SCRAPE_CONCURRENCY: wholeNumber({ most: 100_000 }).default(usualLimits().pages).meta({
      description: "maximum pages fetched at once",
      unset: "64 per core, at least 256, in as much memory as there is",
    }),
    SCRAPE_QUEUE: wholeNumber({ most: 1_000_000 }).optional().meta({
      description: "maximum pages waiting to be fetched; further requests get status 503",
      unset: "4 × `SCRAPE_CONCURRENCY`",
    }),
    BLOCKED_DOMAINS: list(Domain)
      .default([])
      .describe("domains that cannot be scraped, including their subdomains: comma-separated list"),
    CHANGE_TRACKING_DIFF: z
      .enum(["string", "object"])
      .default("string")
      .describe(
        "what `changeTracking.diff` is: `string`, or `object` as examples of the public service read it (`diff.text`, `diff.json.files`)",
      ),
  }),
  derive: (settings) => ({
    concurrency: settings.SCRAPE_CONCURRENCY,
    queue: settings.SCRAPE_QUEUE ?? settings.SCRAPE_CONCURRENCY * 4,
    hasDiffObjects: settings.CHANGE_TRACKING_DIFF === "object",
    blockedDomains: settings.BLOCKED_DOMAINS,
    /** Also that of processes which read documents. */
    workerThreads: usualLimits().threads,
  }),
});
