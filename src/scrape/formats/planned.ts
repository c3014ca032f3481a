import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import type { FormatRequest } from "./format.ts";

/** A format without options. */
function bare<Type extends string>(type: Type, description: string) {
  return z.strictObject({ type: z.literal(type) }).describe(description);
}

const prompt = z.string().max(limits.promptLength);

/**
 * What requests for the formats are checked by whose machinery is not built yet. They are validated like the others
 * and then refused; a format that gets built moves from here to a file of its own.
 */
export const plannedFormats = {
  branding: { options: bare("branding", "Colours, fonts, logo and other marks of the page's brand.") },
  audio: { options: bare("audio", "The audio of a media page as MP3."), keepsFile: true },
  video: { options: bare("video", "The video of a media page."), keepsFile: true },
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
  changeTracking: {
    options: z
      .object({
        type: z.literal("changeTracking"),
        modes: z
          .array(z.enum(["json", "git-diff"]))
          .max(10)
          .default([]),
        tag: z.string().nullable().default(null),
        schema: z.record(z.string(), z.unknown()).optional(),
        prompt: z.string().optional(),
      })
      .describe("What changed since the previous scrape of this URL."),
    listRule: {
      message: "The changeTracking format requires the markdown format to be specified as well",
      isKept: (types: readonly string[]) => types.includes("markdown"),
    },
    leftOutWithoutRetention: "Change tracking is not supported with zero data retention.",
  },
} as const satisfies Readonly<Record<string, FormatRequest>>;
