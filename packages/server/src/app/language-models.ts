import type { Metrics } from "../operator/health/metrics.ts";
import { latest } from "@pergamon-dev/kit/latest";
import { type LanguageModels, openLanguageModels } from "../storage/models/language-models.ts";
import type { ModelFailure } from "../storage/models/model-failure.ts";
import type { TokenLedger } from "../storage/models/token-ledger.ts";
import { openAsk } from "../scrape/ask.ts";
import type { AskFor } from "../scrape/formats/ask.ts";
import type { AppContext } from "./context.ts";
import { PARTS, type PartUse } from "../operator/health/part-health.ts";
import type { RetainedData } from "./retained-data.ts";

/** The language models that are set at the moment; there may be none. */
export function openModels(
  { config }: AppContext,
  { kept: { modelTokens, health }, metrics }: { readonly kept: RetainedData; readonly metrics: Metrics },
): LanguageModels {
  const ledger: TokenLedger = {
    mayAsk: modelTokens.mayAsk,
    book(teamId, model, use) {
      metrics.countTokens(model, use);
      return modelTokens.book(teamId, model, use);
    },
  };
  const current = latest(
    () => config.languageModel,
    ({ models, timeoutMs, concurrency }) =>
      openLanguageModels({
        models,
        timeoutMs,
        concurrency,
        ledger,
        onAsked: (model, failure) => health.note(modelUse(model, failure)),
      }),
  );
  return {
    get isConfigured() {
      return config.languageModel.isConfigured;
    },
    ask: (question, signal, tenant) => current().ask(question, signal, tenant),
  };
}

/** What a model says, or is asked, is not a fault of it: only that it does not answer is. */
function modelUse(model: string, failure: ModelFailure | undefined): PartUse {
  const isBroken = failure !== undefined && (failure.kind === "busy" || failure.kind === "rejected");
  return { part: PARTS.model, target: model, problem: isBroken ? failure.message : undefined };
}

/** Whom formats ask at the moment; undefined while no language model is set. */
export function openAsking({ config, log }: AppContext, models: LanguageModels): () => AskFor | undefined {
  return latest(
    () => config.languageModel,
    ({ isConfigured, maxInputTokens, maxOutputTokens }) => {
      if (!isConfigured) return undefined;
      return openAsk({
        models,
        maxInputTokens,
        maxOutputTokens,
        onFailure: ({ kind, message }) => log.warn({ kind }, message),
      });
    },
  );
}
