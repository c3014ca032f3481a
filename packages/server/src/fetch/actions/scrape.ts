import { z } from "zod";

import { readHtml } from "@pergamon-dev/browser/tab/snapshot";
import { defineAction } from "./action.ts";

export const scrape = defineAction({
  options: z.object({ type: z.literal("scrape") }),
  hasEffects: false,
  leaves: "scrapes",
  async run(_options, { tab, results, signal }) {
    const { url, html } = await readHtml(tab, signal);
    results.scrapes.push({ url, html });
  },
});
