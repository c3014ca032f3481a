import { z } from "zod";

import { Count, type Dialect, type TokenUse, useOf } from "./dialect.ts";

const Reply = z.object({
  candidates: z
    .array(
      z.object({
        finishReason: z.string().optional(),
        content: z
          .object({
            parts: z
              .array(z.looseObject({ text: z.string().optional(), thought: z.boolean().optional() }))
              .optional(),
          })
          .optional(),
      }),
    )
    .min(1),
  usageMetadata: z.object({ promptTokenCount: Count, totalTokenCount: Count }).nullish().catch(undefined),
});

const REFUSALS = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]);

const JSON_MODE = { responseMimeType: "application/json" };
const schemaWays: Dialect["schemaWays"] = [
  { constrainsTo: "a JSON Schema", fields: (schema) => ({ ...JSON_MODE, responseJsonSchema: schema }) },
  { constrainsTo: "JSON", fields: () => JSON_MODE },
];

/** Google's generateContent API. */
export const google: Dialect = {
  schemaFields: /response_?(?:json_?schema|mime_?type)/i,
  schemaWays,
  request: (call, { apiKey, model }, habits) => ({
    path: `/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    headers: apiKey === undefined ? {} : { "x-goog-api-key": apiKey },
    body: {
      systemInstruction: { parts: [{ text: call.system }] },
      contents: call.turns.map(({ role, text }) => ({
        role: role === "assistant" ? "model" : "user",
        parts: [{ text }],
      })),
      generationConfig: {
        maxOutputTokens: call.maxOutputTokens,
        ...(habits.sendsTemperature && { temperature: 0 }),
        ...schemaWays[habits.refusedWays]?.fields(call.schema),
      },
    },
  }),
  read(body) {
    const reply = Reply.safeParse(body).data;
    const candidate = reply?.candidates[0];
    if (!candidate) return undefined;
    const use = useOfReply(reply);
    const { finishReason = "STOP", content } = candidate;
    const parts = content?.parts ?? [];
    const spoken = parts.filter(({ thought }) => thought !== true);
    const text = spoken.map((part) => part.text ?? "").join("");
    if (REFUSALS.has(finishReason)) return { text, end: "refused", use };
    return { text, end: finishReason === "MAX_TOKENS" ? "cut" : "whole", use };
  },
};

/** Everything except the prompt counts as output. Thoughts are counted separately, and are charged too. */
function useOfReply({ usageMetadata }: z.output<typeof Reply>): TokenUse | undefined {
  const { promptTokenCount: input, totalTokenCount: all } = usageMetadata ?? {};
  return useOf(input, all === undefined || input === undefined ? undefined : Math.max(0, all - input));
}
