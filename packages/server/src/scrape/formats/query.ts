import { z } from "zod";

import { limits } from "../../api/limits.ts";
import { citeSources } from "./cited-text.ts";
import { NO_MODEL } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { linesFor } from "./highlights.ts";
import { answerTo, citedAnswer, question } from "./question.ts";

/** Functions that answer each mode. */
const MODES = { freeform: answerTo, directQuote: linesFor };

export const query = defineFormat({
  options: z
    .object({
      type: z.literal("query"),
      prompt: z.string().min(1).max(limits.promptLength),
      mode: z.enum(["freeform", "directQuote"]).default("freeform"),
      citeSources,
    })
    .describe("Deprecated: use question or highlights."),
  examples: [{ type: "query", prompt: "What was measured?" }],
  isRedacted: true,
  answer: question.answer,
  retention: question.retention ?? {},
  givesWayTo: "question",
  model: { credits: 4 },
  coverage: NO_MODEL,
  produce: (page, { prompt, mode, citeSources: isCited }, tools) =>
    citedAnswer((within) => MODES[mode](prompt, page, within), isCited, page, tools),
});
