import { z } from "zod";

import { limits } from "../api/limits.ts";
import * as builtFormats from "./formats/all.ts";
import { documentContent, PartTokens } from "../mcp/documents/document.ts";
import { pageInput, scrapePage } from "../mcp/page.ts";
import { defineTool } from "../mcp/tool.ts";

/** Formats that need options described elsewhere, or that have a tool of their own. */
const UNNAMED: ReadonlySet<string> = new Set(["attributes", "screenshot", "rawBase64"]);
const names = Object.keys(builtFormats).filter((name) => !UNNAMED.has(name));

/** Longer than any name of a format. */
const FormatName = z.string().max(100);

export const scrape = defineTool({
  title: "Scrape a page",
  description:
    "Fetch one web page or file and return its content as Markdown, or in other formats. Runs scripts where the page needs them. Long content comes in parts. Costs 1 credit, a PDF 1 per page; 4 more with answers of a model, audio or video.",
  input: z.strictObject({
    ...pageInput,
    formats: z
      .array(z.union([FormatName, z.looseObject({ type: FormatName })]))
      .min(1)
      .max(limits.formats)
      .default(["markdown"])
      .describe(`One or more of ${names.join(", ")}. Default: markdown.`),
    maxTokens: PartTokens,
    onlyMainContent: z.boolean().optional().describe("False keeps navigation, header and footer."),
    maxAge: z
      .int()
      .min(0)
      .optional()
      .describe("Maximum age of a cached copy in milliseconds. 0 bypasses the cache."),
  }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  endpoint: "scrape",
  rate: "scrape",
  async call({ maxTokens, ...input }, context, services) {
    const { answer, facts, job } = await scrapePage(input, context, services);
    return {
      content: documentContent(answer.data(facts), { from: 0, maxTokens, isKept: job.retention !== "none" }),
    };
  },
});
