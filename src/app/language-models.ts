import { openLanguageModels } from "../platform/models/language-models.ts";
import { openAsk } from "../scrape/ask.ts";
import type { AskFor } from "../scrape/formats/ask.ts";
import type { AppContext } from "./context.ts";

/** Whom formats ask; undefined when the operator has set no language model. */
export function openAsking({ config, log }: AppContext): AskFor | undefined {
  const { isConfigured, maxInputTokens, maxOutputTokens, ...options } = config.languageModel;
  if (!isConfigured) return undefined;
  return openAsk({
    models: openLanguageModels(options),
    maxInputTokens,
    maxOutputTokens,
    onFailure: ({ kind, message }) => log.warn({ kind }, message),
  });
}
