import { z } from "zod";

import { limits } from "./limits.ts";

/** Options of a screenshot, both as a format and as an action. */
export const screenshotOptions = {
  fullPage: z.boolean().default(false).describe("Capture the whole page instead of the viewport."),
  quality: z.int().min(1).max(100).optional().describe("JPEG quality. Omit it to get a PNG."),
  viewport: z
    .object({
      width: z.int().min(1).max(limits.screenshotWidth).describe("Pixels."),
      height: z.int().min(1).max(limits.screenshotHeight).describe("Pixels."),
    })
    .optional(),
};
