import type { ModelSetting } from "../../storage/models/language-models.ts";
import { ModelFailure } from "../../storage/models/model-failure.ts";
import { tryModel } from "../../storage/models/try-model.ts";
import type { DoctorSettings, Finding } from "./check.ts";

/** A model that needs longer for one word would delay every scrape. */
const ANSWER_MS = 20_000;

/** Asks each configured model one question, and reports the answers. */
export async function checkLanguageModel(
  { models, asksModels = true }: Pick<DoctorSettings, "models" | "asksModels">,
  signal = new AbortController().signal,
): Promise<Finding> {
  if (models.length === 0) {
    return {
      status: "missing",
      detail: "not configured",
      cost: "Summaries, answers and structured data are extracted by rules from the words of the page.",
      remedy: "Set LLM_BASE_URL, LLM_MODEL, and LLM_API_KEY if the model requires one (Ollama works).",
    };
  }
  if (!asksModels) return { status: "found", detail: models.map(nameOf).join("; ") };
  const tried = await Promise.all(models.map((model) => trialOf(model, signal)));
  const detail = tried.map((one) => one.words).join("; ");
  const remedies = new Set(tried.flatMap(({ remedy }) => remedy ?? []));
  if (remedies.size === 0) return { status: "found", detail, workedAtMs: Date.now() };
  return {
    status: "problem",
    detail,
    cost: "The next model answers instead of this one, or rules do.",
    remedy: [...remedies].join(" "),
  };
}

interface Trial {
  readonly words: string;
  /** Undefined when the model answers. */
  readonly remedy?: string;
}

async function trialOf(model: ModelSetting, signal: AbortSignal): Promise<Trial> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  try {
    const { durationMs, constrainsTo } = await tryModel(model, AbortSignal.any([signal, limit]));
    const how = constrainsTo
      ? `constrained to ${constrainsTo}`
      : "not constrained, format described in the prompt";
    return { words: `${nameOf(model)} answers in ${durationMs} ms, ${how}` };
  } catch (failure) {
    signal.throwIfAborted();
    if (limit.aborted) {
      return {
        words: `${nameOf(model)}: no answer within ${ANSWER_MS / 1000} s`,
        remedy: "Try again when the model is loaded, or use a smaller one.",
      };
    }
    if (!(failure instanceof ModelFailure)) throw failure;
    return { words: `${nameOf(model)}: ${failure.message}${reasonOf(failure)}`, remedy: remedyOf(failure) };
  }
}

/** The address without user name and password. */
function nameOf({ api, baseUrl, model }: ModelSetting): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${model} at ${origin}${pathname === "/" ? "" : pathname} (${api})`;
}

/** The system's reason for a failed connection, such as ECONNREFUSED. */
function reasonOf({ cause }: ModelFailure): string {
  const inner = cause instanceof Error ? cause.cause : undefined;
  if (!(inner instanceof Error)) return "";
  return ` ${"code" in inner && typeof inner.code === "string" ? inner.code : inner.message}`;
}

function remedyOf({ status, kind }: ModelFailure): string {
  if (status === 401 || status === 403) return "The model rejects LLM_API_KEY. Correct it.";
  if (status === 404) return "The model or URL does not exist. Correct LLM_MODEL or LLM_BASE_URL.";
  if (status === 429) return "The model's rate limit is reached. Wait, or raise the limit of the account.";
  if (status !== undefined) return "Check the log of the model server, or set LLM_API.";
  if (kind === "busy") return "Start the model server, or correct LLM_BASE_URL and LLM_API.";
  return "This model does not follow the requested format. Use another model.";
}
