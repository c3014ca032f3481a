import { z } from "zod";

import { limits } from "../../contract/limits.ts";

/** A format without options. */
function bare<Type extends string>(type: Type, description: string) {
  return z.strictObject({ type: z.literal(type) }).describe(description);
}

const prompt = z.string().max(limits.promptLength);
const question = z.string().min(1).max(limits.promptLength);

/**
 * Request shapes of the formats whose machinery is not built yet. They are validated like the others and then
 * refused; a format that gets built moves from here to a file of its own.
 */
export const plannedFormats = {
  summary: bare("summary", "A short text about the page."),
  branding: bare("branding", "Colours, fonts, logo and other marks of the page's brand."),
  product: bare("product", "The product that the page sells, with variants and prices."),
  menu: bare("menu", "The menu of a restaurant page."),
  audio: bare("audio", "The audio of a media page as MP3."),
  video: bare("video", "The video of a media page."),
  json: z
    .object({
      type: z.literal("json"),
      schema: z.unknown().optional().describe("JSON Schema of the result."),
      prompt: prompt.optional().describe("What to extract, in words."),
      checkPromptInjection: z.boolean().optional(),
      citeSources: z.boolean().optional(),
    })
    .describe("Structured data extracted by a language model."),
  changeTracking: z
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
  question: z
    .object({ type: z.literal("question"), question })
    .describe("An answer to a question, from the page alone."),
  highlights: z
    .object({ type: z.literal("highlights"), query: question })
    .describe("The lines of the page that matter for a query."),
  query: z
    .object({
      type: z.literal("query"),
      prompt: question,
      mode: z.enum(["freeform", "directQuote"]).default("freeform"),
    })
    .describe("Deprecated: use question or highlights."),
} as const;
