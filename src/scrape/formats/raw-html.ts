import { z } from "zod";

import { defineFormat } from "./format.ts";

export const rawHtml = defineFormat({
  options: z.strictObject({ type: z.literal("rawHtml") }).describe("The HTML exactly as it came."),
  credits: 0,
  async produce(page) {
    return { rawHtml: await page.rawHtml() };
  },
});
