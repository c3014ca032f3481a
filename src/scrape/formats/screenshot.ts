import { z } from "zod";

import { defineFormat } from "./format.ts";
import { screenshotOptions } from "../../contract/screenshot-options.ts";

const CUT = "The page is too tall for one image, so the screenshot ends before the page does.";

export const screenshot = defineFormat({
  options: z
    .object({ type: z.literal("screenshot"), ...screenshotOptions })
    .describe("An image of the page."),
  listRule: {
    message: "You may only specify one screenshot format",
    isKept: (types) => types.indexOf("screenshot") === types.lastIndexOf("screenshot"),
  },
  retention: { keepsFile: true },
  examples: [{ type: "screenshot" }, { type: "screenshot", fullPage: true }],
  answer: {
    screenshot: z.string().describe("URL of the image. It needs no API key and expires after 24 hours."),
  },
  cacheUse: ({ quality, viewport }) =>
    quality !== undefined || viewport !== undefined ? "bypassed" : undefined,
  browser: {
    order: ({ fullPage, quality, viewport }) => ({ screenshot: { fullPage, quality, viewport } }),
  },
  async produce({ capture }, _options, { link, warnPartial }) {
    if (capture.isScreenshotCut) warnPartial(CUT);
    return capture.screenshot ? { screenshot: await link(capture.screenshot) } : {};
  },
});
