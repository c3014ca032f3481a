import type { BrandEvidence } from "@pergamon-dev/facts/branding/evidence";
import { callInPage } from "@pergamon-dev/browser/tab/page-script";
import { collectBrand } from "@pergamon-dev/browser/programs/brand";
import type { BrowserStage } from "./stage.ts";

/** Elements that are looked at, shadow roots included. The rest looks like those, and time is short. */
const MAX_ELEMENTS = 1500;

/** How the page looks, for the format that tells of its brand. */
export const brand: BrowserStage = {
  async onReady(tab, { visit }, signal) {
    if (!visit.browser.brand) return undefined;
    return { brand: await callInPage<BrandEvidence>(tab, collectBrand, [MAX_ELEMENTS], signal) };
  },
};
