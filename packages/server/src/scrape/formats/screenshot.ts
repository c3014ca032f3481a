import { z } from "zod";

import { at, BROWSER_ALONE, NOT_SHOWN } from "./coverage.ts";
import { defineFormat } from "./format.ts";
import { screenshotOptions } from "../../api/screenshot-options.ts";

const NONE = "The stored copy of the page has no screenshot.";
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
  coverage: { ...BROWSER_ALONE, ...NOT_SHOWN, ...at(["copy"], { undone: "the copy has none" }) },
  async produce({ capture }, _options, { link, warn, warnPartial }) {
    if (capture.isScreenshotCut) warnPartial(CUT);
    if (capture.screenshot) return { screenshot: await link(capture.screenshot) };
    if (!capture.lacks) warn(NONE);
    return {};
  },
});
