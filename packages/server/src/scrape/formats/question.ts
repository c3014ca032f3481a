import { z } from "zod";

import { defined } from "@pergamon-dev/kit/defined";
import { NOT_TOLD } from "@pergamon-dev/facts/answers/answer-question";
import type { Extract } from "@pergamon-dev/facts/answers/passages";
import { unsupportedClaims } from "@pergamon-dev/facts/answers/unsupported";
import { TextCitations } from "../../api/citation.ts";
import { limits } from "../../api/limits.ts";
import type { Page } from "../page/page.ts";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import { questionPrompt } from "../prompts/prompts.ts";
import type { Ask } from "./ask.ts";
import { citedText, citeSources } from "./cited-text.ts";
import { NO_MODEL } from "./coverage.ts";
import { defineFormat, type FormatTools } from "./format.ts";
import { answerEitherWay } from "./two-ways.ts";

const WORDING = {
  title: "Answer",
  nothing: "Query was skipped because the markdown content is empty.",
  shortened: "The page was too long to process in full; the answer was generated from the first part of it.",
  failed: "Query generation failed after all models.",
};

const Reply = z.object({ found: z.boolean(), answer: z.string().trim().max(2000) });

export const question = defineFormat({
  options: z
    .object({
      type: z.literal("question"),
      question: z.string().min(1).max(limits.promptLength),
      citeSources,
    })
    .describe("An answer to a question, based only on the page."),
  examples: [{ type: "question", question: "How fast did the north slope grow?" }],
  isRedacted: true,
  answer: {
    answer: z.string().describe("Answer to the question, based on the page."),
    answerCitations: TextCitations.exactOptional().describe(
      "With citeSources: the parts of the page that answer is from.",
    ),
  },
  retention: { leftOut: "Query mode is not supported with zero data retention." },
  model: { credits: 4 },
  coverage: NO_MODEL,
  produce: (page, { question: asked, citeSources: isCited }, tools) =>
    citedAnswer((within) => answerTo(asked, page, within), isCited, page, tools),
});

/** The answer that is made, with the parts of the page that it is from where these are wanted. */
export async function citedAnswer(
  make: (tools: FormatTools) => Promise<string | undefined>,
  isCited: boolean | undefined,
  page: Page,
  tools: FormatTools,
) {
  if (isCited !== true) return defined({ answer: await make(tools) });
  const cited = await citedText(page, make, tools);
  return cited ? { answer: cited.text, answerCitations: cited.citations } : {};
}

/** The page's answer to a question. Adds the warnings that apply. Undefined when the page has no text. */
export async function answerTo(asked: string, page: Page, tools: FormatTools): Promise<string | undefined> {
  const ways = {
    wording: WORDING,
    byRules: () => page.answer(asked),
    async byModel(model: Ask, hint: Extract) {
      const { lines, isWhole } = await page.subjectReading(model.maxTokens, asked);
      const text = lines.map((line) => line.text).join("\n");
      const answered = await model.ask({
        key: ["question", text, asked],
        ...questionPrompt(text, asked, hint.text),
        check: (value) => checkAnswer(value, text),
      });
      return answered && { ...answered, ...(!isWhole && { warning: WORDING.shortened }) };
    },
  };
  return answerEitherWay(ways, tools);
}

function checkAnswer(value: unknown, page: string): Checked<string> {
  const reply = Reply.safeParse(value).data;
  if (!reply) return { problem: "The fields `found` and `answer` are missing." };
  if (!reply.found || reply.answer === "") return { answer: NOT_TOLD };
  const invented = unsupportedClaims(reply.answer, page);
  if (invented.length > 0) return { problem: `The page does not say: ${invented.join(", ")}.` };
  return { answer: reply.answer };
}
