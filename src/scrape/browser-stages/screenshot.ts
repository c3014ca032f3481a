import { takeScreenshot } from "../../platform/browser/screenshot.ts";
import { viewportOf } from "../device.ts";
import type { BrowserStage } from "./stage.ts";

/** The image that the screenshot format asks for. */
export const screenshot: BrowserStage = {
  async onReady(tab, { visit }, signal) {
    const { browser } = visit;
    if (!browser.screenshot) return undefined;
    return { screenshot: await takeScreenshot(tab, browser.screenshot, viewportOf(browser), signal) };
  },
};
