import { z } from "zod";

import { unsupportedClaims } from "../../content/answers/unsupported.ts";
import type { Checked } from "../../platform/models/ask-endpoint.ts";
import { SCHEMA, SYSTEM, userText, VERSION } from "../prompts/summary.ts";
import { defineFormat } from "./format.ts";
import { answerEitherWay } from "./two-ways.ts";

const WORDING = {
  title: "Summary",
  nothing: "Summary generation was skipped because the markdown content is empty.",
};

/** A longer text sums nothing up. */
const Reply = z.object({ summary: z.string().trim().min(1).max(4000) });

export const summary = defineFormat({
  options: z.strictObject({ type: z.literal("summary") }).describe("A short text about the page."),
  answer: { summary: z.string().describe("The sentences that say most of what the page says.") },
  leftOutWithoutRetention: "Summary mode is not supported with zero data retention.",
  credits: 0,
  asksModel: () => true,
  async produce(page, _options, tools) {
    const ways = {
      wording: WORDING,
      byRules: () => page.summary(),
      async question(maxTokens: number) {
        const { lines, isWhole } = await page.reading(maxTokens);
        const text = lines.map((line) => line.text).join("\n");
        return {
          key: ["summary", text],
          version: VERSION,
          system: SYSTEM,
          user: userText(text),
          schema: SCHEMA,
          check: (value: unknown) => checkSummary(value, text),
          isWhole,
        };
      },
    };
    const text = await answerEitherWay(ways, tools);
    return text === undefined ? {} : { summary: text };
  },
});

function checkSummary(value: unknown, page: string): Checked<string> {
  const reply = Reply.safeParse(value).data;
  if (!reply) return { problem: "It has no summary of at most 4000 characters." };
  const invented = unsupportedClaims(reply.summary, page);
  if (invented.length > 0) return { problem: `The page does not say: ${invented.join(", ")}.` };
  return { answer: reply.summary };
}
