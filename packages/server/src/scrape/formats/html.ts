import { z } from "zod";

import { defineFormat } from "./format.ts";

export const html = defineFormat({
  options: z
    .strictObject({ type: z.literal("html") })
    .describe("Cleaned HTML: no scripts, styles or head, absolute URLs, tag filters applied."),
  answer: { html: z.string().describe("Cleaned HTML.") },
  async produce(page) {
    return { html: await page.html() };
  },
});
