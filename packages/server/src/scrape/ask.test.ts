import { expect, test } from "vitest";

import type { LanguageModels } from "../storage/models/language-models.ts";
import { openAsk } from "./ask.ts";

test("answers of models are remembered up to a bound in characters", async () => {
  let asked = 0;
  const models = {
    isConfigured: true,
    async ask() {
      asked += 1;
      return { answer: "x".repeat(1024 * 1024), model: "double" };
    },
  } as unknown as LanguageModels;
  const limits = { maxInputTokens: 1000, maxOutputTokens: 1000, onFailure: () => undefined };
  const ask = openAsk({ models, ...limits })({
    teamId: "team",
    deadlineMs: Date.now() + 60_000,
    signal: new AbortController().signal,
    stages: undefined,
  });
  const question = (key: string) => ({
    key: [key],
    version: 1,
    system: "",
    user: key,
    schema: {},
    check: () => ({ answer: "" }),
  });
  for (const key of ["a", "a", "b", "c", "d"]) await ask.ask(question(key));
  expect(asked).toBe(4);
  await ask.ask(question("a"));
  expect(asked).toBe(5);
});
