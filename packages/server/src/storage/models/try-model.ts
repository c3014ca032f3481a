import { ForeignThread } from "@pergamon-dev/kit/foreign/thread";
import { askEndpoint, type HabitMemory } from "./ask-endpoint.ts";
import { NO_HABITS } from "./dialect.ts";
import { apiBaseOf, dialects } from "./dialects.ts";
import type { ModelSetting } from "./language-models.ts";

interface TriedModel {
  readonly durationMs: number;
  /** Undefined for a model that takes a schema in words only. */
  readonly constrainsTo: string | undefined;
}

const QUESTION = {
  system: "This is a trial.",
  user: 'Answer with {"ok": true}.',
  schema: {
    type: "object",
    properties: { ok: { type: "boolean" } },
    required: ["ok"],
    additionalProperties: false,
  },
  maxOutputTokens: 1000,
  check: (value: unknown) =>
    typeof value === "object" && value !== null && "ok" in value
      ? { answer: true }
      : { problem: "The field `ok` is missing." },
};

/**
 * Asks one model a question as formats do. @throws ModelFailure when it gives no answer; the signal's reason.
 */
export async function tryModel(setting: ModelSetting, signal: AbortSignal): Promise<TriedModel> {
  const memory: HabitMemory = { habits: NO_HABITS };
  const endpoint = { ...setting, baseUrl: apiBaseOf(setting.api, setting.baseUrl) };
  const startedAtMs = performance.now();
  const spoken = {
    endpoint,
    dialect: dialects[setting.api],
    memory,
    thread: new ForeignThread(),
    book: async () => undefined,
  };
  await askEndpoint(QUESTION, spoken, signal);
  const durationMs = Math.round(performance.now() - startedAtMs);
  return { durationMs, constrainsTo: spoken.dialect.schemaWays[memory.habits.refusedWays]?.constrainsTo };
}
