import { z } from "zod";

import { defineFormat } from "./format.ts";

export const markdown = defineFormat({
  options: z.strictObject({ type: z.literal("markdown") }).describe("The page as GitHub-flavoured Markdown."),
  isRedacted: true,
  answer: { markdown: z.string().describe("May be empty.") },
  async produce(page) {
    return { markdown: await page.markdown() };
  },
});
