import { z } from "zod";

import { Citations } from "../../api/citation.ts";
import { limits } from "../../api/limits.ts";
import { describesValues } from "./describes-values.ts";
import { NO_MODEL } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { jsonEitherWay } from "./json-either-way.ts";

const WORDING = {
  title: "JSON",
  failed: "JSON extraction failed after all models.",
  nothing: "JSON extraction failed because the page does not contain every field that the schema requires.",
};

const EMPTY_SCHEMA =
  "The schema has no fields, so it was ignored. With zod 4, send z.toJSONSchema(schema), because clients built for zod 3 convert zod 4 schemas to empty ones.";

export const json = defineFormat({
  options: z
    .object({
      type: z.literal("json"),
      schema: z.unknown().optional().describe("JSON Schema of the result."),
      prompt: z
        .string()
        .max(limits.promptLength)
        .optional()
        .describe("What to extract, in natural language."),
      checkPromptInjection: z.boolean().optional().describe("Same as the request option of this name."),
      citeSources: z.boolean().optional().describe("Also say where each value stands on the page."),
    })
    .describe("Values from the page, described by a JSON Schema or a prompt."),
  examples: [
    {
      type: "json",
      schema: {
        type: "object",
        properties: { title: { type: "string" }, price: { type: "number" } },
      },
    },
  ],
  isRedacted: true,
  answer: {
    json: z.unknown().describe("The values, in the shape of the schema."),
    citations: Citations.exactOptional().describe(
      "With citeSources: where each value of json stands, by its path, such as `company.name` or `products[0].price`. Empty for a value without a place.",
    ),
  },
  retention: { leftOut: "JSON mode is not supported with zero data retention." },
  model: {
    baseCredits: () => 5,
    checksInjection: ({ checkPromptInjection }) => checkPromptInjection === true,
  },
  coverage: NO_MODEL,
  async produce(page, { schema, prompt, citeSources }, tools) {
    if (!describesValues(schema)) tools.warn(EMPTY_SCHEMA);
    const asked = { schema, prompt };
    const { value, isByModel } = await jsonEitherWay(page, { asked, wording: WORDING }, tools);
    if (value === undefined) return {};
    const cited = { value, asked, foundBy: isByModel ? ("model" as const) : ("data" as const) };
    return {
      json: value,
      ...(citeSources === true && { citations: await page.citations(cited, page.capture.url) }),
    };
  },
});
