import { z } from "zod";

import { Count, type Dialect, useOf } from "./dialect.ts";

const Text = z.string().nullish();
const Parts = z.array(z.looseObject({ text: z.string().optional() }));

const Reply = z.object({
  choices: z
    .array(
      z.object({
        finish_reason: Text,
        message: z.object({
          content: z.union([z.string(), Parts]).nullish(),
          refusal: Text,
          reasoning_content: Text,
          reasoning: Text,
          tool_calls: z.array(z.object({ function: z.object({ arguments: z.string() }) })).nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: Count, completion_tokens: Count }).nullish().catch(undefined),
});

const schemaWays: Dialect["schemaWays"] = [
  {
    constrainsTo: "a JSON Schema",
    fields: (schema) => ({
      response_format: { type: "json_schema", json_schema: { name: "answer", schema } },
    }),
  },
  // llama-cpp-python and others know the schema only beside the mode.
  {
    constrainsTo: "a JSON Schema",
    fields: (schema) => ({ response_format: { type: "json_object", schema } }),
  },
  { constrainsTo: "JSON", fields: () => ({ response_format: { type: "json_object" } }) },
];

/** Chat completions, as OpenAI, vLLM, llama.cpp, LM Studio, OpenRouter and many others offer them. */
export const openai: Dialect = {
  schemaFields: /response_format|json_schema/,
  schemaWays,
  request: (call, { apiKey, model }, habits) => ({
    path: "/chat/completions",
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    body: {
      model,
      messages: [
        { role: "system", content: call.system },
        ...call.turns.map(({ role, text }) => ({ role, content: text })),
      ],
      [habits.renamesLimit ? "max_completion_tokens" : "max_tokens"]: call.maxOutputTokens,
      ...(habits.sendsTemperature && { temperature: 0 }),
      ...schemaWays[habits.refusedWays]?.fields(call.schema),
    },
  }),
  read(body) {
    const reply = Reply.safeParse(body).data;
    const choice = reply?.choices[0];
    if (!choice) return undefined;
    const use = useOf(reply.usage?.prompt_tokens, reply.usage?.completion_tokens);
    const { message, finish_reason: reason } = choice;
    if (message.refusal || reason === "content_filter")
      return { text: message.refusal ?? "", end: "refused", use };
    const content = Array.isArray(message.content)
      ? message.content.map(({ text = "" }) => text).join("")
      : message.content;
    const said = [
      content,
      message.tool_calls?.[0]?.function.arguments,
      message.reasoning_content,
      message.reasoning,
    ];
    return { text: said.find((text) => text?.trim()) ?? "", end: reason === "length" ? "cut" : "whole", use };
  },
};
