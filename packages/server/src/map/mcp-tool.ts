import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import { limits } from "../api/limits.ts";
import type { MapLink } from "./links.ts";
import { defineTool } from "../mcp/tool.ts";

/** The default is small because every line costs tokens. */
const DEFAULT_LINKS = 100;
const MAX_LINKS = 5000;

export const map = defineTool({
  title: "List the pages of a site",
  description:
    "List the URLs of a site, from its sitemaps and the links on one page. Use it to find the page to scrape. Costs 1 credit.",
  input: z.strictObject({
    url: z
      .string()
      .max(limits.urlLength)
      .describe("URL of the site. With a path, only pages below the path are listed."),
    search: z.string().max(limits.promptLength).optional().describe("Words to rank the pages by."),
    limit: z.int().min(1).max(MAX_LINKS).default(DEFAULT_LINKS),
    options: boundedRecord(z.unknown())
      .optional()
      .describe("More fields of POST /v2/map: sitemap, includePaths, excludePaths …"),
  }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  endpoint: "map",
  rate: "map",
  async call({ options = {}, ...fields }, { caller, linkBase, signal }, { families }) {
    const body = { ...options, ...fields, origin: "mcp" };
    const { links, warning } = await families.map.run({ caller, linkBase, body }, signal);
    const lines = [...links.map(lineOf), ...(warning === undefined ? [] : [warning])];
    return {
      content: [{ type: "text", text: lines.length > 0 ? lines.join("\n") : "No pages were found." }],
    };
  },
});

function lineOf({ url, title, description }: MapLink): string {
  return [url, title, description].filter((part) => part !== undefined).join(" – ");
}
