import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { limits } from "../api/limits.ts";
import { batch as batches } from "./batch.ts";
import { defineTool } from "../mcp/tool.ts";

/** Larger batches suit programs, not conversations. */
const MAX_URLS = 1000;
const MAX_TOLD_URLS = 10;
const MAX_TOLD_LENGTH = 200;

export const batch = defineTool({
  title: "Scrape many pages",
  description: "Scrape many known URLs. Returns an id for crawl_status. Each page costs as scrape.",
  input: z.strictObject({
    urls: z.array(z.string().max(limits.urlLength)).min(1).max(MAX_URLS),
    options: boundedRecord(z.unknown())
      .optional()
      .describe("More fields of POST /v2/batch/scrape: formats, maxAge …"),
  }),
  hints: { readOnlyHint: false, idempotentHint: false, openWorldHint: true },
  endpoint: "batch",
  rate: "crawl",
  async call({ urls, options = {} }, { caller, linkBase, signal }, { families }) {
    const body = { ...options, urls, origin: "mcp" };
    const { id, accepted } = await families.jobs.start(batches, { caller, linkBase, body, signal });
    const text = `The batch ${id} has started. Ask crawl_status for its pages.${tellLeftOut(accepted.invalidUrls ?? [])}`;
    return { content: [{ type: "text", text }] };
  },
});

/**
 * Names the first URLs that were left out, and cuts them: the model has sent them itself, and pays for each
 * word.
 */
function tellLeftOut(urls: readonly string[]): string {
  if (urls.length === 0) return "";
  const told = urls.slice(0, MAX_TOLD_URLS).map((url) => url.slice(0, MAX_TOLD_LENGTH));
  const more = urls.length > told.length ? ` and ${urls.length - told.length} more` : "";
  return ` Left out, because they cannot be scraped: ${told.join(", ")}${more}`;
}
