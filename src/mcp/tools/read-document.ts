import { z } from "zod";

import { documentContent } from "../documents/document.ts";
import { storedDocument } from "../documents/stored-document.ts";
import { defineTool, MAX_ID_LENGTH } from "./tool.ts";

export const readDocument = defineTool({
  title: "Read on in a document",
  description: "Return a later part of what scrape returned, free of charge.",
  input: z.strictObject({
    scrapeId: z.string().max(MAX_ID_LENGTH).describe("From the result of scrape."),
    from: z.int().min(0).default(0).describe("First character of the part."),
  }),
  hints: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  endpoint: "scrape",
  isWork: false,
  async call({ scrapeId, from }, context, services) {
    return {
      content: documentContent(await storedDocument(scrapeId, context, services), { from, isKept: true }),
    };
  },
});
