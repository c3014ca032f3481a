import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import type { FormatRequest } from "./format.ts";

/** A format without options. */
function bare<Type extends string>(type: Type, description: string) {
  return z.strictObject({ type: z.literal(type) }).describe(description);
}

const prompt = z.string().max(limits.promptLength);
const question = z.string().min(1).max(limits.promptLength);

const NO_QUERIES = "Query mode is not supported with zero data retention.";

/**
 * What requests for the formats are checked by whose machinery is not built yet. They are validated like the others
 * and then refused; a format that gets built moves from here to a file of its own.
 */
export const plannedFormats = {
  summary: {
    options: bare("summary", "A short text about the page."),
    leftOutWithoutRetention: "Summary mode is not supported with zero data retention.",
  },
  product: { options: bare("product", "The product that the page sells, with variants and prices.") },
  menu: { options: bare("menu", "The menu of a restaurant page.") },
  json: {
    options: z
      .object({
        type: z.literal("json"),
        schema: z.unknown().optional().describe("JSON Schema of the result."),
        prompt: prompt.optional().describe("What to extract, in words."),
        checkPromptInjection: z.boolean().optional(),
        citeSources: z.boolean().optional(),
      })
      .describe("Structured data extracted by a language model."),
    leftOutWithoutRetention: "JSON mode is not supported with zero data retention.",
  },
  question: {
    options: z
      .object({ type: z.literal("question"), question })
      .describe("An answer to a question, from the page alone."),
    leftOutWithoutRetention: NO_QUERIES,
  },
  highlights: {
    options: z
      .object({ type: z.literal("highlights"), query: question })
      .describe("The lines of the page that matter for a query."),
    leftOutWithoutRetention: NO_QUERIES,
  },
  query: {
    options: z
      .object({
        type: z.literal("query"),
        prompt: question,
        mode: z.enum(["freeform", "directQuote"]).default("freeform"),
      })
      .describe("Deprecated: use question or highlights."),
    leftOutWithoutRetention: NO_QUERIES,
  },
} as const satisfies Readonly<Record<string, FormatRequest>>;
