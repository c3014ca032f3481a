import type { Metrics } from "../http/metrics.ts";
import { type LanguageModels, openLanguageModels } from "../platform/models/language-models.ts";
import type { TokenLedger } from "../platform/models/token-ledger.ts";
import { openAsk } from "../scrape/ask.ts";
import type { AskFor } from "../scrape/formats/ask.ts";
import type { AppContext } from "./context.ts";
import type { RetainedData } from "./retained-data.ts";

/** Undefined when the operator has set none. */
export function openModels(
  { config }: AppContext,
  { kept: { modelTokens }, metrics }: { readonly kept: RetainedData; readonly metrics: Metrics },
): LanguageModels | undefined {
  const { isConfigured, models, timeoutMs, concurrency } = config.languageModel;
  if (!isConfigured) return undefined;
  const ledger: TokenLedger = {
    mayAsk: modelTokens.mayAsk,
    book(teamId, model, use) {
      metrics.countTokens(model, use);
      return modelTokens.book(teamId, model, use);
    },
  };
  return openLanguageModels({ models, timeoutMs, concurrency, ledger });
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
