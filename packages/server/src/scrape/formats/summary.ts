import { z } from "zod";

import type { Extract } from "@pergamon-dev/facts/answers/passages";
import type { Ask } from "./ask.ts";
import { NO_MODEL } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { summaryByModel } from "./summary-by-model.ts";
import { answerEitherWay } from "./two-ways.ts";

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
