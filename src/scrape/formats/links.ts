import { z } from "zod";

import { defineFormat } from "./format.ts";

export const links = defineFormat({
  options: z
    .strictObject({ type: z.literal("links") })
    .describe("Absolute URLs of the page's links, in order of first appearance."),
  answer: { links: z.array(z.string()).describe("Absolute URLs.") },
  async produce(page) {
    return { links: await page.links() };
  },
});
