import { z } from "zod";

import { Count, type Dialect, useOf } from "./dialect.ts";

/** API version, which every call must name. */
const VERSION = "2023-06-01";
const TOOL = "answer";

const Reply = z.object({
  stop_reason: z.string().nullish(),
  content: z.array(
    z.looseObject({ type: z.string(), text: z.string().optional(), input: z.unknown().optional() }),
  ),
  usage: z.object({ input_tokens: Count, output_tokens: Count }).nullish().catch(undefined),
});

const schemaWays: Dialect["schemaWays"] = [
  {
    constrainsTo: "a JSON Schema",
    fields: (schema) => ({
      tools: [{ name: TOOL, description: "Gives the answer.", input_schema: schema }],
      tool_choice: { type: "tool", name: TOOL },
    }),
  },
];

/** Anthropic's Messages API. The answer is the input of a tool that the model must use. */
export const anthropic: Dialect = {
  schemaFields: /\btools\b|tool_choice|input_schema/,
  schemaWays,
  request: (call, { apiKey, model }, habits) => ({
    path: "/v1/messages",
    headers: { "anthropic-version": VERSION, ...(apiKey !== undefined && { "x-api-key": apiKey }) },
    body: {
      model,
      system: call.system,
      messages: call.turns.map(({ role, text }) => ({ role, content: text })),
      max_tokens: call.maxOutputTokens,
      ...(habits.sendsTemperature && { temperature: 0 }),
      ...schemaWays[habits.refusedWays]?.fields(call.schema),
    },
  }),
  read(body) {
    const reply = Reply.safeParse(body).data;
    if (!reply) return undefined;
    const used = reply.content.find(({ type }) => type === "tool_use");
    const text = reply.content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
    const end = reply.stop_reason === "max_tokens" ? "cut" : "whole";
    return {
      text: used ? JSON.stringify(used.input) : text,
      end: reply.stop_reason === "refusal" ? "refused" : end,
      use: useOf(reply.usage?.input_tokens, reply.usage?.output_tokens),
    };
  },
};
