import { z } from "zod";

import { defineFormat } from "./format.ts";

export const images = defineFormat({
  options: z
    .strictObject({ type: z.literal("images") })
    .describe("Absolute URLs of the page's images, in document order."),
  answer: { images: z.array(z.string()).describe("Absolute URLs.") },
  async produce(page) {
    return { images: await page.images() };
  },
});
