import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import type { Page } from "../../page/page.ts";
import { answerByRules } from "./by-rules.ts";
import { defineFormat, type FormatTools } from "./format.ts";

const WORDING = {
  title: "Answer",
  nothing: "Query was skipped because the markdown content is empty.",
  shortened: "The page was too long to process in full; the answer was generated from the first part of it.",
};

export const question = defineFormat({
  options: z
    .object({ type: z.literal("question"), question: z.string().min(1).max(limits.promptLength) })
    .describe("An answer to a question, from the page alone."),
  answer: { answer: z.string().describe("What the page says to the question.") },
  leftOutWithoutRetention: "Query mode is not supported with zero data retention.",
  credits: 0,
  async produce(page, options, tools) {
    const answer = await answerTo(options.question, page, tools);
    return answer === undefined ? {} : { answer };
  },
});

/** What the page says to a question, with the warnings that belong to it. Undefined when the page has no text. */
export async function answerTo(asked: string, page: Page, tools: FormatTools): Promise<string | undefined> {
  return answerByRules(await page.answer(asked), WORDING, tools);
}
