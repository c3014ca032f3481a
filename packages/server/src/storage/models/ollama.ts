import { z } from "zod";

import { countTokens } from "@pergamon-dev/kit/count-tokens";
import { Count, type Dialect, type ModelCall, useOf } from "./dialect.ts";

const Reply = z.object({
  done_reason: z.string().optional(),
  message: z.object({ content: z.string(), thinking: z.string().optional() }),
  prompt_eval_count: Count,
  eval_count: Count,
});

/**
 * Smaller contexts make no model faster, and Ollama truncates a prompt that does not fit without an error.
 */
const SMALLEST_CONTEXT = 4096;

const schemaWays: Dialect["schemaWays"] = [
  { constrainsTo: "a JSON Schema", fields: (schema) => ({ format: schema }) },
  { constrainsTo: "JSON", fields: () => ({ format: "json" }) },
];

/** Ollama's native chat API, which allows a context size per call. */
export const ollama: Dialect = {
  schemaFields: /\bformat\b/,
  schemaWays,
  request: (call, { apiKey, model }, habits) => ({
    path: "/api/chat",
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    body: {
      model,
      stream: false,
      messages: [
        { role: "system", content: call.system },
        ...call.turns.map(({ role, text }) => ({ role, content: text })),
      ],
      options: {
        num_predict: call.maxOutputTokens,
        num_ctx: Math.max(SMALLEST_CONTEXT, contextOf(call)),
        ...(habits.sendsTemperature && { temperature: 0 }),
      },
      ...schemaWays[habits.refusedWays]?.fields(call.schema),
    },
  }),
  read(body) {
    const reply = Reply.safeParse(body).data;
    if (!reply) return undefined;
    const { content, thinking = "" } = reply.message;
    return {
      text: content.trim() === "" ? thinking : content,
      end: reply.done_reason === "length" ? "cut" : "whole",
      use: useOf(reply.prompt_eval_count, reply.eval_count),
    };
  },
};

function contextOf({ system, turns, maxOutputTokens }: ModelCall): number {
  return countTokens(system) + turns.reduce((sum, { text }) => sum + countTokens(text), 0) + maxOutputTokens;
}
