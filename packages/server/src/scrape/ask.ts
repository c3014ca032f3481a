import { LRUCache } from "lru-cache";

import { ServiceError } from "../api/errors.ts";
import { stableHash } from "@pergamon-dev/kit/hash";
import { SingleFlight } from "@pergamon-dev/kit/single-flight";
import type { ModelAnswer, LanguageModels } from "../storage/models/language-models.ts";
import { ModelFailure } from "../storage/models/model-failure.ts";
import type { AskContext, AskFor, PageQuestion } from "./formats/ask.ts";

/** Maximum of all cached answers, in characters, and their lifetime. */
const MAX_REMEMBERED_LENGTH = 4 * 1024 * 1024;
const REMEMBERED_MS = 60 * 60 * 1000;

/** Remaining time of a scrape at which a model call is aborted. It is enough for the rules to answer. */
const MARGIN_MS = 1000;

interface AskOptions {
  readonly models: LanguageModels;
  /** Maximum tokens of page text in one call, and of an answer. */
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
  /** Called when no model answered. */
  readonly onFailure: (failure: ModelFailure) => void;
}

/**
 * The only place where pages meet language models. A question contains text of the page. Its answer is
 * remembered for requests of the same team that ask the same about the same text. Equal questions that are
 * under way are asked once.
 */
export function openAsk({ models, maxInputTokens, maxOutputTokens, onFailure }: AskOptions): AskFor {
  const remembered = new LRUCache<string, ModelAnswer<string>>({
    maxSize: MAX_REMEMBERED_LENGTH,
    sizeCalculation: ({ answer }, key) => answer.length + key.length,
    ttl: REMEMBERED_MS,
  });
  const asking = new SingleFlight<ModelAnswer<string>>();

  async function ask(
    question: PageQuestion<string>,
    { teamId, deadlineMs, signal }: AskContext,
    told: (failure: ModelFailure) => void,
  ): Promise<ModelAnswer<string> | undefined> {
    const key = stableHash([teamId, question.key, question.version]);
    const known = remembered.get(key);
    if (known) return known;
    const timeLeftMs = deadlineMs - MARGIN_MS - Date.now();
    if (timeLeftMs <= 0) return undefined;
    const limit = AbortSignal.timeout(timeLeftMs);
    try {
      const answered = await asking.join(key, AbortSignal.any([signal, limit]), (shared) =>
        models.ask({ ...question, maxOutputTokens }, shared, teamId),
      );
      remembered.set(key, answered);
      return answered;
    } catch (failure) {
      signal.throwIfAborted();
      told(asModelFailure(failure));
      return undefined;
    }
  }

  return (context) => {
    let [isSpent, isAsked, hasFailed] = [false, false, false];
    const told = (failure: ModelFailure) => {
      if (failure.kind === "spent") isSpent = true;
      else onFailure(failure);
    };
    return {
      maxTokens: maxInputTokens,
      maxOutputTokens,
      get isSpent() {
        return isSpent;
      },
      get isAsked() {
        return isAsked;
      },
      get hasFailed() {
        return hasFailed;
      },
      async ask(question) {
        isAsked = true;
        const { stages } = context;
        const answered = await (stages
          ? stages.time("model", () => ask(question, context, told))
          : ask(question, context, told));
        if (!answered) hasFailed = true;
        return answered;
      },
    };
  };
}

/** @throws a failure that no model caused. */
function asModelFailure(failure: unknown): ModelFailure {
  if (failure instanceof ModelFailure) return failure;
  const isTime = failure instanceof DOMException || failure instanceof ServiceError;
  if (isTime) return new ModelFailure("busy", "The scrape's time ended before the language model answered.");
  throw failure;
}
