import { z } from "zod";

import { dialectAt, type DialectName, dialectNames } from "../platform/models/dialects.ts";
import type { ModelSetting } from "../platform/models/language-models.ts";
import { choice, headerKey, parsedBy, urlOf, wholeNumber } from "./kinds.ts";
import { definePart } from "./part.ts";

const Headers = z.record(z.string(), z.string());

const Fallbacks = z.array(
  z.strictObject({
    baseUrl: urlOf("http", "https"),
    apiKey: z.string().optional(),
    model: z.string().min(1),
    api: z.enum(dialectNames).optional(),
  }),
);

/** The language models that formats ask. */
export const languageModel = definePart({
  title: "Language model",
  settings: z.object({
    LLM_BASE_URL: urlOf("http", "https")
      .optional()
      .describe("address of a language model, such as `http://127.0.0.1:11434` (Ollama)"),
    LLM_API_KEY: headerKey().optional().describe("key of that address"),
    LLM_MODEL: z.string().optional().describe("name of the model; without it, formats are made by rules"),
    LLM_API: choice(...dialectNames)
      .optional()
      .meta({
        description: `how it is spoken to: ${dialectNames.join(", ")}`,
        unset: "told by the address, else openai",
      }),
    LLM_FALLBACKS: parsedBy((text) => fitting(Fallbacks, jsonOf(text)))
      .optional()
      .describe("models asked when the first fails: JSON list of {baseUrl, apiKey, model, api}"),
    LLM_TIMEOUT: wholeNumber().default(60_000).describe("milliseconds that a model may take"),
    LLM_CONCURRENCY: wholeNumber().default(4).describe("questions to models at once"),
    LLM_MAX_INPUT_TOKENS: wholeNumber({ least: 1000 })
      .default(120_000)
      .describe("tokens of a page that a model is shown; of longer pages, the parts that matter most"),
    LLM_MAX_OUTPUT_TOKENS: wholeNumber({ least: 100 }).default(16_000).describe("tokens of an answer"),
    LLM_DAILY_TOKENS: wholeNumber()
      .optional()
      .describe("tokens that a team may use on a day (UTC); above them, formats are made by rules"),
    LLM_HEADERS: parsedBy((text) => fitting(Headers, jsonOf(text)))
      .default({})
      .describe("headers added to calls: JSON object"),
  }),
  derive(settings) {
    const models = modelsOf(settings);
    return {
      isConfigured: models.length > 0,
      /** Asked in this order; empty: every format is made by rules. */
      models,
      timeoutMs: settings.LLM_TIMEOUT,
      concurrency: settings.LLM_CONCURRENCY,
      /** Of each team. Undefined: no limit. */
      dailyTokens: settings.LLM_DAILY_TOKENS,
      maxInputTokens: settings.LLM_MAX_INPUT_TOKENS,
      maxOutputTokens: settings.LLM_MAX_OUTPUT_TOKENS,
    };
  },
});

interface Settings {
  readonly LLM_BASE_URL?: string | undefined;
  readonly LLM_API_KEY?: string | undefined;
  readonly LLM_MODEL?: string | undefined;
  readonly LLM_API?: DialectName | undefined;
  readonly LLM_FALLBACKS?: z.output<typeof Fallbacks> | undefined;
  readonly LLM_HEADERS: Readonly<Record<string, string>>;
}

function modelsOf(settings: Settings): readonly ModelSetting[] {
  const { LLM_BASE_URL: baseUrl, LLM_MODEL: model, LLM_HEADERS: headers } = settings;
  const first =
    baseUrl && model ? [{ baseUrl, model, apiKey: settings.LLM_API_KEY, api: settings.LLM_API }] : [];
  return [...first, ...(settings.LLM_FALLBACKS ?? [])].map((one) => ({
    baseUrl: one.baseUrl,
    model: one.model,
    apiKey: one.apiKey,
    api: one.api ?? dialectAt(one.baseUrl),
    headers,
  }));
}

/** @throws Error in words; what is wrong is not quoted, because it may hold a key. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("must be JSON");
  }
}

/** @throws Error in words, with the place of what is wrong; its value is not quoted. */
function fitting<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new Error(error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim()).join("; "));
}
