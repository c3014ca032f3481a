import { z } from "zod";

import { limits } from "./limits.ts";

const Pdf = z.strictObject({
  type: z.literal("pdf"),
  mode: z.enum(["fast", "auto", "ocr"]).default("auto").describe("How text is extracted."),
  maxPages: z.int().min(1).max(limits.maxPages).optional(),
  pages: z.boolean().optional().describe("Also returns the Markdown of each page."),
  pageMarkdown: z.boolean().optional().describe("Deprecated alias of pages."),
  blocks: z.boolean().optional().describe("Also returns the layout blocks of each page."),
  pageMarkers: z.boolean().optional().describe("Marks page breaks in the Markdown."),
});

const Image = z.strictObject({ type: z.literal("image") });

/** The `parsers` of a request: kinds of files to convert to Markdown. */
export const Parsers = z
  .array(z.xor([z.enum(["pdf", "image"]).transform((type) => bareParsers[type]), Pdf, Image]))
  .max(limits.parsers)
  .default([{ type: "pdf", mode: "auto" }, { type: "image" }]);

const bareParsers = {
  pdf: { type: "pdf", mode: "auto" } as z.output<typeof Pdf>,
  image: { type: "image" } as z.output<typeof Image>,
} as const;

/**
 * A language as in `Accept-Language` (RFC 9110, section 12.5.4). The order of the list counts, not the
 * quality.
 */
const LANGUAGE = /^ *(?:\*|[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*) *(?:; *q=[01](?:\.[0-9]{0,3})? *)?$/;

/** Country and languages of the visitor. */
export function locationIn(country: z.ZodType<string, string>) {
  return z.object({
    country: country
      .default("US")
      .describe("ISO 3166-1 alpha-2 country code, case-insensitive.")
      .meta({ default: "US", pattern: "^[A-Za-z]{2}$", examples: ["DE"] }),
    languages: z
      .array(
        z
          .string()
          .max(100)
          .regex(LANGUAGE, "must be a locale tag, such as de-DE")
          .meta({ examples: ["de-DE"] }),
      )
      .max(limits.languages)
      .default([])
      .describe("Locale tags in order of preference."),
  });
}

export const Profile = z.strictObject({
  name: z.string().min(1).max(limits.profileNameLength),
  saveChanges: z.boolean().default(true),
});

/** Includes repetitions; there are six kinds. */
const MAX_ENTITIES = 100;

export const RedactionEntity = z.enum(["PERSON", "EMAIL", "PHONE", "LOCATION", "FINANCIAL", "SECRET"]);

export const RedactPii = z.union([
  z.boolean(),
  z.strictObject({
    mode: z.enum(["accurate", "aggressive", "fast"]).default("accurate"),
    entities: z.array(RedactionEntity).max(MAX_ENTITIES).optional(),
    replaceStyle: z.enum(["tag", "mask", "remove"]).default("tag"),
  }),
]);

export const AuditMetadata = z.strictObject({ username: z.string().max(1024) });
