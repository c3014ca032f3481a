import { latest } from "@pergamon-dev/kit/latest";
import type { Context } from "../../config/context.ts";
import type { Storage } from "../open.ts";
import { PARTS, type PartUse } from "../part-health.ts";
import type { TokenUse } from "./dialect.ts";
import { type LanguageModels, openLanguageModels } from "./language-models.ts";
import type { ModelFailure } from "./model-failure.ts";
import type { TokenLedger } from "./token-ledger.ts";

export interface ModelContext {
  readonly models: LanguageModels;
}

interface Counting {
  readonly modelTokens: TokenLedger;
  readonly metrics: { countTokens(model: string, use: TokenUse): void };
}

/** Opens the configured language models; there may be none. */
export function openModels({
  config,
  health,
  modelTokens,
  metrics,
}: Context & Storage & Counting): ModelContext {
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
  const models: LanguageModels = {
    get isConfigured() {
      return config.languageModel.isConfigured;
    },
    ask: (question, signal, tenant) => current().ask(question, signal, tenant),
  };
  return { models };
}

/** Only a missing answer counts as a fault of a model. The content of a question or a reply does not. */
function modelUse(model: string, failure: ModelFailure | undefined): PartUse {
  const isBroken = failure !== undefined && (failure.kind === "busy" || failure.kind === "rejected");
  return { part: PARTS.model, target: model, problem: isBroken ? failure.message : undefined };
}
