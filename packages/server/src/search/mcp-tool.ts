import { z } from "zod";

import { boundedRecord } from "../api/bounded-record.ts";
import type { EngineResult } from "./engines/search-engine.ts";
import { defineTool } from "../mcp/tool.ts";

/** The default is small because every line costs tokens. */
const DEFAULT_LIMIT = 5;

export const search = defineTool({
  title: "Search for pages",
  description:
    "Search the web, or the pages stored here where no search engine is set. Returns URLs with titles and descriptions. Costs 2 credits per ten results.",
  input: z.strictObject({
    query: z.string().max(500).describe("Words; most engines know site: and quotes."),
    limit: z.int().min(1).max(100).default(DEFAULT_LIMIT),
    options: boundedRecord(z.unknown())
      .optional()
      .describe("More fields of POST /v2/search: sources, includeDomains, tbs, country …"),
  }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  endpoint: "search",
  rate: "search",
  async call({ options = {}, ...fields }, { caller, linkBase, signal }, { families }) {
    const body = { ...options, ...fields, origin: "mcp" };
    const { byKind, warning } = await families.search.run({ caller, linkBase, body }, signal);
    const found = [...byKind.values()].flat().map(textOf);
    const parts = [...(found.length > 0 ? found : ["Nothing was found."]), ...(warning ? [warning] : [])];
    return { content: [{ type: "text", text: parts.join("\n\n") }] };
  },
});

function textOf({ url, title, description, date }: EngineResult): string {
  return [date === undefined ? title : `${title} (${date})`, url, description].filter(Boolean).join("\n");
}
