import { z } from "zod";

import { defineFormat } from "./format.ts";

export const rawHtml = defineFormat({
  options: z.strictObject({ type: z.literal("rawHtml") }).describe("The HTML exactly as it came."),
  answer: { rawHtml: z.string().describe("Files that are handed over undecoded are base64.") },
  credits: 0,
  async produce(page) {
    return { rawHtml: await page.rawHtml() };
  },
});
