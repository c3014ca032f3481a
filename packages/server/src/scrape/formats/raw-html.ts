import { z } from "zod";

import { defineFormat } from "./format.ts";

export const rawHtml = defineFormat({
  options: z
    .strictObject({ type: z.literal("rawHtml") })
    .describe(
      "The HTML as received; where a browser was used, that of the page as it then stands, as UTF-8.",
    ),
  answer: { rawHtml: z.string().describe("Base64 for files that are returned without decoding.") },
  async produce(page) {
    return { rawHtml: await page.rawHtml() };
  },
});
