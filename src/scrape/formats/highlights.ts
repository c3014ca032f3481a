import { z } from "zod";

import { limits } from "../../contract/limits.ts";
import type { Page } from "../../page/page.ts";
import { answerByRules } from "./by-rules.ts";
import { defineFormat, type FormatTools } from "./format.ts";

const WORDING = {
  title: "Highlights",
  nothing: "Query was skipped because the markdown content is empty.",
  shortened:
    "The page was too long to process in full; the highlights were generated from the first part of it.",
};

export const highlights = defineFormat({
  options: z
    .object({ type: z.literal("highlights"), query: z.string().min(1).max(limits.promptLength) })
    .describe("The lines of the page that matter for a query."),
  answer: { highlights: z.string().describe("Parts of the page as they stand there, one per line.") },
  leftOutWithoutRetention: "Query mode is not supported with zero data retention.",
  credits: 0,
  async produce(page, { query }, tools) {
    const lines = await linesFor(query, page, tools);
    return lines === undefined ? {} : { highlights: lines };
  },
});

/** The lines of the page that matter for a query, with the warnings that belong to them. */
export async function linesFor(query: string, page: Page, tools: FormatTools): Promise<string | undefined> {
  return answerByRules(await page.highlights(query), WORDING, tools);
}
