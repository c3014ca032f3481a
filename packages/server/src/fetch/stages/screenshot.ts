import { takeScreenshot } from "@pergamon-dev/browser/tab/screenshot";
import { viewportOf } from "../device.ts";
import type { BrowserStage } from "./stage.ts";

/** Longest wait for a stable layout. Pages that never become stable are captured as they are. */
const STILL_LAYOUT_MS = 2_000;

/** Takes the image for the screenshot format. */
export const screenshot: BrowserStage = {
  async onReady(tab, { visit, settle }, signal) {
    const { browser } = visit;
    if (!browser.screenshot) return undefined;
    await settle({ needsStillLayout: true, budgetMs: STILL_LAYOUT_MS });
    const { isCut, ...image } = await takeScreenshot(tab, browser.screenshot, viewportOf(browser), signal);
    return { screenshot: image, ...(isCut && { isScreenshotCut: true }) };
  },
};
