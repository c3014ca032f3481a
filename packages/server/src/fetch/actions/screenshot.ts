import { z } from "zod";

import { takeScreenshot } from "@pergamon-dev/browser/tab/screenshot";
import { defineAction } from "./action.ts";
import { screenshotOptions } from "../../api/screenshot-options.ts";

export const screenshot = defineAction({
  options: z.object({ type: z.literal("screenshot"), ...screenshotOptions }),
  hasEffects: false,
  leaves: "screenshots",
  keepsFile: true,
  async run(options, { tab, viewport, results, signal }) {
    results.screenshots.push(await takeScreenshot(tab, options, viewport, signal));
  },
});
