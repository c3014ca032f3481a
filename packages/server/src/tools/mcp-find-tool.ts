import { z } from "zod";

import { limits } from "../api/limits.ts";
import { discover, DiscoverOptions } from "./discovery/discover.ts";
import { defineTool } from "../mcp/tool.ts";

export const findTools = defineTool({
  title: "Find provider tools",
  description:
    "Find tools of other providers, such as weather or encyclopaedias, with their options and prices.",
  input: z.strictObject({
    query: z
      .string()
      .max(limits.promptLength)
      .optional()
      .describe("Search words. Omit them to list all tools."),
    url: z.string().max(limits.urlLength).optional().describe("Only tools for this site."),
    offset: z.int().min(0).optional(),
  }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  endpoint: "scrape",
  rate: "status",
  async call({ query, url, offset }, { caller }, { providers }) {
    providers.require(caller.team);
    const urls = url === undefined ? undefined : [url];
    const options = DiscoverOptions.parse({
      query,
      urls,
      offset,
      level: "tools",
      expand: "options",
      limit: 10,
    });
    const { items, total } = await discover(options, providers.catalogue);
    return { content: [{ type: "text", text: JSON.stringify({ total, items }) }] };
  },
});
