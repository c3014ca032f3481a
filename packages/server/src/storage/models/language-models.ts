import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { Gate } from "@pergamon-dev/kit/gate";
import { askEndpoint, type HabitMemory, type ModelQuestion } from "./ask-endpoint.ts";
import { type ModelEndpoint, NO_HABITS, type TokenUse } from "./dialect.ts";
import { apiBaseOf, type DialectName, dialects } from "./dialects.ts";
import { ModelFailure } from "./model-failure.ts";
import type { TokenLedger } from "./token-ledger.ts";

/** A model with the name that the operator gave it. */
export interface ModelSetting extends ModelEndpoint {
  readonly api: DialectName;
}

interface LanguageModelOptions {
  /** Tried in this order, each after those before it have failed. */
  readonly models: readonly ModelSetting[];
  /** Limit in milliseconds for all tries with one model. */
  readonly timeoutMs: number;
  /** Maximum number of questions at once. */
  readonly concurrency: number;
  /** Undefined when tokens are not counted. */
  readonly ledger?: TokenLedger | undefined;
  /** Called for each model that was asked. @param failure undefined when it answered. */
  readonly onAsked?: ((model: string, failure: ModelFailure | undefined) => void) | undefined;
}

/** An answer, with the name of the model that gave it. */
export interface ModelAnswer<Answer> {
  readonly answer: Answer;
  readonly model: string;
}

export interface LanguageModels {
  /** False when the operator has configured no model. No question is sent then. */
  readonly isConfigured: boolean;
  /**
   * @param tenant asking tenant. Models are shared fairly between tenants.
   * @throws ModelFailure when no model answers; the signal's reason once it is aborted.
   */
  ask<Answer>(
    question: ModelQuestion<Answer>,
    signal: AbortSignal,
    tenant: string,
  ): Promise<ModelAnswer<Answer>>;
}

const SPENT = "The tokens of this day are used up.";

export function openLanguageModels({
  models,
  timeoutMs,
  concurrency,
  ledger,
  onAsked,
}: LanguageModelOptions): LanguageModels {
  const gate = new Gate(concurrency);
  const thread = new ForeignThread();
  const spoken = models.map((model) => {
    const memory: HabitMemory = { habits: NO_HABITS };
    const endpoint = { ...model, baseUrl: apiBaseOf(model.api, model.baseUrl) };
    return { endpoint, dialect: dialects[model.api], memory };
  });

  async function askInTurn<Answer>(question: ModelQuestion<Answer>, signal: AbortSignal, tenant: string) {
    let last = new ModelFailure("rejected", "No language model is set.");
    for (const one of spoken) {
      if (ledger && !(await ledger.mayAsk(tenant))) throw new ModelFailure("spent", SPENT);
      const limit = AbortSignal.timeout(timeoutMs);
      const book = async (use: TokenUse) => ledger?.book(tenant, one.endpoint.model, use);
      try {
        const answer = await askEndpoint(
          question,
          { ...one, book, thread },
          AbortSignal.any([signal, limit]),
        );
        onAsked?.(one.endpoint.model, undefined);
        return { answer, model: one.endpoint.model };
      } catch (failure) {
        signal.throwIfAborted();
        last = asModelFailure(failure, limit);
        onAsked?.(one.endpoint.model, last);
      }
    }
    throw last;
  }

  return {
    isConfigured: models.length > 0,
    ask: (question, signal, tenant) => gate.run(() => askInTurn(question, signal, tenant), signal, tenant),
  };
}

/** @throws the failure itself when it is neither a model failure nor a timeout. */
function asModelFailure(failure: unknown, limit: AbortSignal): ModelFailure {
  if (failure instanceof ModelFailure) return failure;
  if (limit.aborted) return new ModelFailure("busy", "The language model took too long.", { cause: failure });
  throw failure;
}
