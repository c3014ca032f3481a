import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { limits } from "../api/limits.ts";
import { crawl as crawls } from "./crawl.ts";
import { defineTool } from "../mcp/tool.ts";

/** Defaults are low because models read the pages one after the other. */
const DEFAULT_PAGES = 20;
const MAX_PAGES = 10_000;

export const crawl = defineTool({
  title: "Crawl a site",
  description:
    "Scrape the pages of a site, following its links. Returns an id for crawl_status. Each page costs as scrape.",
  input: z.strictObject({
    url: z.string().max(limits.urlLength).describe("First page; only pages below its path are visited."),
    limit: z.int().min(1).max(MAX_PAGES).default(DEFAULT_PAGES).describe("Maximum pages."),
    options: boundedRecord(z.unknown())
      .optional()
      .describe("More fields of POST /v2/crawl: includePaths, excludePaths, crawlEntireDomain …"),
  }),
  hints: { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
  endpoint: "crawl",
  rate: "crawl",
  async call({ options = {}, ...fields }, { caller, linkBase, signal }, { families }) {
    const body = { ...options, ...fields, origin: "mcp" };
    const { id } = await families.jobs.start(crawls, { caller, linkBase, body, signal });
    return {
      content: [{ type: "text", text: `The crawl ${id} has started. Ask crawl_status for its pages.` }],
    };
  },
});
