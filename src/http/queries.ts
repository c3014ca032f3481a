import { z } from "zod";

import { sessionStatuses } from "../contract/interact.ts";

/** What makes a link one. */
export const FileQuery = z.object({ expires: z.string(), signature: z.string() });

/** Only the word true asks for it; anything else is no. */
export const HistoryQuery = z.object({
  byApiKey: z.string().optional().describe("true: one entry per month and key."),
});

export const ActivityQuery = z.object({
  endpoint: z
    .enum([
      "scrape",
      "crawl",
      "batch_scrape",
      "search",
      "extract",
      "llmstxt",
      "deep_research",
      "map",
      "agent",
      "browser",
      "interact",
    ])
    .optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
  cursor: z.string().optional(),
});

export const TermsQuery = z.object({ provider: z.string().min(1).describe("Whose terms.") });

export const SessionsQuery = z.object({
  status: z.enum(sessionStatuses).optional().describe("Only those. Default: all of the last day."),
});
