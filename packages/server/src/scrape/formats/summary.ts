import { z } from "zod";
import type { Extract } from "@pergamon-dev/facts/answers/passages";
import type { Ask, PageQuestion } from "./ask.ts";
import { NO_MODEL } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { answerEitherWay, type ByModel } from "./two-ways.ts";
import { chunksOf } from "@pergamon-dev/facts/answers/chunks";
import { unsupportedClaims } from "@pergamon-dev/facts/answers/unsupported";
import type { Page } from "../page/page.ts";
import type { Checked } from "../../storage/models/ask-endpoint.ts";
import { joiningPrompt, type Prompt, summaryPrompt } from "../prompts/prompts.ts";
import { chunkLimits, trimmed } from "./long-page.ts";

/** Maximum parts of a page with a summary each. The question that joins them is the eighth. */
const MAX_PARTS = 7;

const WORDING = {
  title: "Summary",
  nothing: "Summary generation was skipped because the markdown content is empty.",
};

export const summary = defineFormat({
  options: z.strictObject({ type: z.literal("summary") }).describe("A short summary of the page."),
  isRedacted: true,
  answer: { summary: z.string().describe("The most important statements of the page, in a few sentences.") },
  retention: { leftOut: "Summary mode is not supported with zero data retention." },
  model: {},
  coverage: NO_MODEL,
  async produce(page, _options, tools) {
    const ways = {
      wording: WORDING,
      byRules: () => page.summary(),
      byModel: (model: Ask, hint: Extract) => summaryByModel(page, hint, model),
    };
    const text = await answerEitherWay(ways, tools);
    return text === undefined ? {} : { summary: text };
  },
});

/** A longer text is no summary. */
const Reply = z.object({ summary: z.string().trim().min(1).max(4000) });

/**
 * Summarises a short page at once. A longer one is summarised part by part, and the summaries are joined.
 * Undefined when a part got no answer.
 * @param hint summary by rules, which chooses parts when there are too many.
 */
async function summaryByModel(page: Page, hint: Extract, model: Ask): Promise<ByModel | undefined> {
  const limits = chunkLimits(model, MAX_PARTS);
  const { chunks, isWhole, tokens } = await page.subjectChunks(limits, hint.text);
  const answers = await Promise.all(
    chunks.map((chunk) => model.ask(questionAbout(chunk, chunk, summaryPrompt))),
  );
  const given = answers.flatMap((answer) => answer ?? []);
  const [first] = given;
  if (!first || given.length < chunks.length) return undefined;
  if (given.length === 1) return first;
  const each = { maxTokens: Math.floor(limits.maxTokens / MAX_PARTS), most: 1 };
  const parts = given.map(({ answer }) => chunksOf(answer, each, "").chunks[0] ?? "").join("\n\n");
  const joined = await model.ask(questionAbout(parts, chunks.join("\n"), joiningPrompt));
  const warning = isWhole ? undefined : trimmed(tokens, limits.maxTokens * MAX_PARTS);
  return joined && { ...joined, warning };
}

/** @param page text on which figures and addresses must occur. */
function questionAbout(text: string, page: string, promptOf: (text: string) => Prompt): PageQuestion<string> {
  return {
    key: ["summary", text, page],
    ...promptOf(text),
    check: (value) => checkSummary(value, page),
  };
}

function checkSummary(value: unknown, page: string): Checked<string> {
  const reply = Reply.safeParse(value).data;
  if (!reply) return { problem: "The field `summary`, a text of at most 4000 characters, is missing." };
  const invented = unsupportedClaims(reply.summary, page);
  if (invented.length > 0) return { problem: `The page does not say: ${invented.join(", ")}.` };
  return { answer: reply.summary };
}
