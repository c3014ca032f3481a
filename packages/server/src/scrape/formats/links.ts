import { z } from "zod";

import { NOT_DECODED } from "./coverage.ts";
import { defineFormat } from "./format.ts";

export const links = defineFormat({
  options: z
    .strictObject({ type: z.literal("links") })
    .describe("Absolute URLs of the page's links, in order of first appearance."),
  answer: { links: z.array(z.string()).describe("Absolute URLs.") },
  coverage: NOT_DECODED,
  async produce(page, _options, { warn }) {
    const found = await page.links();
    const others = found.length === 0 ? await page.linksOfPage() : 0;
    if (others > 0) warn(outside(others));
    return { links: found };
  },
});

function outside(count: number): string {
  const counted = count === 1 ? "one link" : `${count} links`;
  return `The content has no links, but the page has ${counted} outside of it: to get them, set onlyMainContent to false and leave out includeTags and excludeTags.`;
}
