import { z } from "zod";

import { NOT_DECODED } from "./coverage.ts";
import { defineFormat } from "./format.ts";

export const images = defineFormat({
  options: z
    .strictObject({ type: z.literal("images") })
    .describe("Absolute URLs of the page's images, in document order."),
  answer: { images: z.array(z.string()).describe("Absolute URLs.") },
  coverage: NOT_DECODED,
  async produce(page) {
    return { images: await page.images() };
  },
});
