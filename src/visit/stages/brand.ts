import type { BrandEvidence } from "../../facts/branding/evidence.ts";
import { callInPage } from "../../platform/browser/tab/page-script.ts";
import { collectBrand } from "../../programs/brand.ts";
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
