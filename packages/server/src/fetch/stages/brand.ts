import type { BrandEvidence } from "@pergamon-dev/facts/branding/evidence";
import { callInPage } from "@pergamon-dev/browser/tab/page-script";
import { collectBrand } from "@pergamon-dev/browser/programs/brand";
import type { BrowserStage } from "./stage.ts";

/** Maximum elements that are measured, shadow roots included. The rest looks similar, and time is short. */
const MAX_ELEMENTS = 1500;

/** Measures the look of the page for the branding format. */
export const brand: BrowserStage = {
  async onReady(tab, { visit }, signal) {
    if (!visit.browser.brand) return undefined;
    return { brand: await callInPage<BrandEvidence>(tab, collectBrand, [MAX_ELEMENTS], signal) };
  },
};
