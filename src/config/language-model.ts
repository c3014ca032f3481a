import { z } from "zod";

import { headerKey, urlOf } from "./kinds.ts";
import { definePart } from "./part.ts";

/** The language model that formats will ask. */
export const languageModel = definePart({
  title: "Language model (so far only the doctor looks at these)",
  settings: z.object({
    LLM_BASE_URL: urlOf("http", "https")
      .optional()
      .describe("OpenAI-compatible endpoint of a language model"),
    LLM_API_KEY: headerKey().optional().describe("key of that endpoint; not used yet"),
    LLM_MODEL: z.string().optional().describe("name of the model"),
  }),
  derive: (settings) => ({ isConfigured: Boolean(settings.LLM_BASE_URL && settings.LLM_MODEL) }),
});
