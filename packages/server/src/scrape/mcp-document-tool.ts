import { z } from "zod";

import { documentContent, PartTokens } from "../mcp/documents/document.ts";
import { storedDocument } from "../mcp/documents/stored-document.ts";
import { defineTool, MAX_ID_LENGTH } from "../mcp/tool.ts";

export const readDocument = defineTool({
  title: "Continue reading a document",
  description: "Return a later part of the content of a scrape, free of charge.",
  input: z.strictObject({
    scrapeId: z.string().max(MAX_ID_LENGTH).describe("The scrapeId in the result of scrape."),
    from: z
      .int()
      .min(0)
      .default(0)
      .describe("Offset of the first character, such as that of a listed section."),
    maxTokens: PartTokens,
  }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  endpoint: "scrape",
  rate: "status",
  async call({ scrapeId, from, maxTokens }, context, services) {
    return {
      content: documentContent(await storedDocument(scrapeId, context, services), {
        from,
        maxTokens,
        isKept: true,
      }),
    };
  },
});
