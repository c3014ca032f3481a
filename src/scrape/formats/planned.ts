import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import type { FormatRequest } from "./format.ts";

const prompt = z.string().max(limits.promptLength);

/**
 * What requests for the formats are checked by whose machinery is not built yet. They are validated like the others
 * and then refused; a format that gets built moves from here to a file of its own.
 */
export const plannedFormats = {
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
} as const satisfies Readonly<Record<string, FormatRequest>>;
