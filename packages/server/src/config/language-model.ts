import { z } from "zod";

import { dialectAt, type DialectName, dialectNames } from "../storage/models/dialects.ts";
import type { ModelSetting } from "../storage/models/language-models.ts";
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

export const languageModel = definePart({
  title: "Language model",
  settings: z.object({
    LLM_BASE_URL: urlOf("http", "https")
      .optional()
      .describe("base URL of a language model, such as `http://127.0.0.1:11434` (Ollama)"),
    LLM_API_KEY: headerKey().optional().describe("API key for that URL"),
    LLM_MODEL: z
      .string()
      .optional()
      .describe("name of the model; without a model, formats are produced by rules"),
    LLM_API: choice(...dialectNames)
      .optional()
      .meta({
        description: `API of the model: ${dialectNames.join(", ")}`,
        unset: "detected from the URL, else openai",
      }),
    LLM_FALLBACKS: parsedBy((text) => fitting(Fallbacks, jsonOf(text)))
      .optional()
      .describe(
        "fallback models, tried in order when the first fails: JSON list of {baseUrl, apiKey, model, api}",
      ),
    LLM_TIMEOUT: wholeNumber().default(60_000).describe("timeout of a model call in milliseconds"),
    LLM_CONCURRENCY: wholeNumber().default(4).describe("maximum concurrent model calls"),
    LLM_MAX_INPUT_TOKENS: wholeNumber({ least: 1000 })
      .default(120_000)
      .describe(
        "maximum tokens of a page sent to a model; of longer pages, the most relevant parts are sent",
      ),
    LLM_MAX_OUTPUT_TOKENS: wholeNumber({ least: 100 })
      .default(16_000)
      .describe("maximum tokens of a model's answer"),
    LLM_DAILY_TOKENS: wholeNumber()
      .optional()
      .describe("maximum tokens per team and day (UTC); beyond it, formats are produced by rules"),
    LLM_HEADERS: parsedBy((text) => fitting(Headers, jsonOf(text)))
      .default({})
      .describe("additional headers of model calls: JSON object"),
  }),
  derive(settings) {
    const models = modelsOf(settings);
    return {
      isConfigured: models.length > 0,
      /** Tried in this order. Without models, every format is made by rules. */
      models,
      timeoutMs: settings.LLM_TIMEOUT,
      concurrency: settings.LLM_CONCURRENCY,
      /** Limit per team. Undefined means no limit. */
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

/** @throws Error in plain words. It does not quote the text, which may hold a key. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("must be JSON");
  }
}

/** @throws Error in plain words, with the place of the problem. It does not quote the value. */
function fitting<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(value);
  if (success) return data;
  throw new Error(error.issues.map(({ path, message }) => `${path.join(".")} ${message}`.trim()).join("; "));
}
