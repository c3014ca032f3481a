import { type LanguageModels, openLanguageModels } from "../platform/models/language-models.ts";
import { openAsk } from "../scrape/ask.ts";
import type { AskFor } from "../scrape/formats/ask.ts";
import type { AppContext } from "./context.ts";

/** Undefined when the operator has set none. */
export function openModels({ config }: AppContext): LanguageModels | undefined {
  const { isConfigured, ...options } = config.languageModel;
  return isConfigured ? openLanguageModels(options) : undefined;
}

/** Whom formats ask; undefined when the operator has set no language model. */
export function openAsking(
  { config, log }: AppContext,
  models: LanguageModels | undefined,
): AskFor | undefined {
  const { maxInputTokens, maxOutputTokens } = config.languageModel;
  if (!models) return undefined;
  return openAsk({
    models,
    maxInputTokens,
    maxOutputTokens,
    onFailure: ({ kind, message }) => log.warn({ kind }, message),
  });
}
