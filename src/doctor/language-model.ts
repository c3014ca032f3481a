import type { ModelSetting } from "../platform/models/language-models.ts";
import { ModelFailure } from "../platform/models/model-failure.ts";
import { tryModel } from "../platform/models/try-model.ts";
import type { DoctorSettings, Finding } from "./finding.ts";

/** A model that takes longer for one word makes every scrape wait. */
const ANSWER_MS = 20_000;

const RUNGS = ["held to a JSON Schema", "held to JSON", "told in words alone what to answer"] as const;

/** Asks each model that is set one question, and says how it answers. */
export async function checkLanguageModel(
  { models, asksModels = true }: Pick<DoctorSettings, "models" | "asksModels">,
  signal = new AbortController().signal,
): Promise<Finding> {
  if (models.length === 0) {
    return {
      status: "missing",
      detail: "not configured",
      cost: "Summaries, answers and structured data are made by rules from the page's own words.",
      remedy: "Set LLM_BASE_URL, LLM_MODEL, and LLM_API_KEY where one is needed (Ollama works).",
    };
  }
  if (!asksModels) return { status: "found", detail: `${models.map(nameOf).join("; ")}: not asked` };
  const tried = await Promise.all(models.map((model) => trialOf(model, signal)));
  const detail = tried.map((one) => one.words).join("; ");
  const remedies = new Set(tried.flatMap(({ remedy }) => remedy ?? []));
  if (remedies.size === 0) return { status: "found", detail };
  return {
    status: "problem",
    detail,
    cost: "What this model should answer is answered by the next one, or by rules.",
    remedy: [...remedies].join(" "),
  };
}

interface Trial {
  readonly words: string;
  /** Undefined when it answers. */
  readonly remedy?: string;
}

async function trialOf(model: ModelSetting, signal: AbortSignal): Promise<Trial> {
  const limit = AbortSignal.timeout(ANSWER_MS);
  try {
    const { durationMs, rung } = await tryModel(model, AbortSignal.any([signal, limit]));
    return { words: `${nameOf(model)} answers in ${durationMs} ms, ${RUNGS[rung]}` };
  } catch (failure) {
    signal.throwIfAborted();
    if (limit.aborted) {
      return {
        words: `${nameOf(model)}: no answer within ${ANSWER_MS / 1000} s`,
        remedy: "Try again once the model is loaded, or take a smaller one.",
      };
    }
    if (!(failure instanceof ModelFailure)) throw failure;
    return { words: `${nameOf(model)}: ${failure.message}${reasonOf(failure)}`, remedy: remedyOf(failure) };
  }
}

/** Without user name and password, which an address may hold. */
function nameOf({ api, baseUrl, model }: ModelSetting): string {
  const { origin, pathname } = new URL(baseUrl);
  return `${model} at ${origin}${pathname === "/" ? "" : pathname} (${api})`;
}

/** Why nothing was reached, in the words of the system, such as ECONNREFUSED. */
function reasonOf({ cause }: ModelFailure): string {
  const inner = cause instanceof Error ? cause.cause : undefined;
  if (!(inner instanceof Error)) return "";
  return ` ${"code" in inner && typeof inner.code === "string" ? inner.code : inner.message}`;
}

function remedyOf({ status, kind }: ModelFailure): string {
  if (status === 401 || status === 403) return "Correct LLM_API_KEY: it is not accepted.";
  if (status === 404) return "Correct LLM_MODEL or LLM_BASE_URL: there is no such model or address.";
  if (status === 429) return "Wait, or raise the account's limit: the model takes no more calls now.";
  if (status !== undefined) return "Look into the log of the model's server, or set LLM_API.";
  if (kind === "busy") return "Start the model's server, or correct LLM_BASE_URL and LLM_API.";
  return "Take another model: this one does not keep to what it is asked.";
}
