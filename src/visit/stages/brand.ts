import type { BrandEvidence } from "../../content/branding/evidence.ts";
import { callInPage } from "../../platform/browser/tab/page-script.ts";
import { COLLECT_BRAND, LARGEST_PAGE } from "./brand-script.ts";
import type { BrowserStage } from "./stage.ts";

/** How the page looks, for the format that tells of its brand. */
export const brand: BrowserStage = {
  async onReady(tab, { visit }, signal) {
    if (!visit.browser.brand) return undefined;
    return { brand: await callInPage<BrandEvidence>(tab, COLLECT_BRAND, [LARGEST_PAGE], signal) };
  },
};
