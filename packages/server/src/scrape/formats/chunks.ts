import { z } from "zod";

import { NOT_DECODED } from "./coverage.ts";
import { defineFormat } from "./format.ts";

const Share = z.number().min(0).max(1);
const Offset = z.int().min(0);

/** Tokens as `countTokens` estimates them: a quarter of the characters, or one for each of scripts without spaces. */
export const MaxTokens = z
  .int()
  .min(32)
  .max(8192)
  .default(512)
  .describe("Maximum size of a chunk: a quarter of its characters, or one for each CJK or Thai character.");

export const Chunk = z.strictObject({
  id: z
    .string()
    .describe(
      "Made from the URL, the headings and the first words. It stays when the rest of the text changes.",
    ),
  hash: z.string().describe("Changes with the text."),
  text: z.string().describe("The Markdown from start to end of the span."),
  tokens: z.int().min(0).describe("An estimate: its size as maxTokens counts it."),
  headings: z.array(z.string()).describe("The headings that hold for all of it, outermost first."),
  span: z.tuple([Offset, Offset]).describe("[start, end) in UTF-16 code units of the Markdown."),
  isCut: z.literal(true).optional().describe("It has a part of a block that exceeds maxTokens alone."),
  places: z
    .array(
      z.strictObject({
        page: z.int().min(1).describe("Page number in the file, from 1."),
        box: z
          .tuple([Share, Share, Share, Share])
          .nullable()
          .describe("[x0, y0, x1, y1] as fractions of the page size; null if unknown."),
      }),
    )
    .optional()
    .describe("Where it is in a PDF: each page, with the box around what it has there."),
});

export const chunks = defineFormat({
  options: z
    .strictObject({ type: z.literal("chunks"), maxTokens: MaxTokens })
    .describe(
      "The Markdown in parts for search indexes, split at headings, never in a table, list item or code.",
    ),
  isRedacted: true,
  answer: { chunks: z.array(Chunk).describe("In order. Their spans cover the Markdown.") },
  coverage: NOT_DECODED,
  async produce(page, { maxTokens }, { warn }) {
    const found = await page.retrievalChunks({ maxTokens, url: page.capture.url });
    if (found.some(({ tokens }) => tokens > maxTokens))
      warn(`Chunks exceed maxTokens ${maxTokens}, of which this long page would have too many.`);
    return { chunks: found };
  },
});
