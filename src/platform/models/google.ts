import { z } from "zod";

import type { Dialect, Habits, ModelCall } from "./dialect.ts";

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
});

const REFUSALS = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]);

/** Google's generateContent. */
export const google: Dialect = {
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
        ...responseFormat(call, habits),
      },
    },
  }),
  read(body) {
    const candidate = Reply.safeParse(body).data?.candidates[0];
    if (!candidate) return undefined;
    const { finishReason = "STOP", content } = candidate;
    const parts = content?.parts ?? [];
    const spoken = parts.filter(({ thought }) => thought !== true);
    const text = spoken.map((part) => part.text ?? "").join("");
    if (REFUSALS.has(finishReason)) return { text, end: "refused" };
    return { text, end: finishReason === "MAX_TOKENS" ? "cut" : "whole" };
  },
};

function responseFormat({ schema }: ModelCall, { rung }: Habits) {
  if (rung === 2) return {};
  return { responseMimeType: "application/json", ...(rung === 0 && { responseJsonSchema: schema }) };
}
