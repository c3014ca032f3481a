import { z } from "zod";

import { answerByRules } from "./by-rules.ts";
import { defineFormat } from "./format.ts";

const WORDING = {
  title: "Summary",
  nothing: "Summary generation was skipped because the markdown content is empty.",
};

export const summary = defineFormat({
  options: z.strictObject({ type: z.literal("summary") }).describe("A short text about the page."),
  answer: { summary: z.string().describe("The sentences that say most of what the page says.") },
  leftOutWithoutRetention: "Summary mode is not supported with zero data retention.",
  credits: 0,
  async produce(page, _options, tools) {
    const text = answerByRules(await page.summary(), WORDING, tools);
    return text === undefined ? {} : { summary: text };
  },
});
