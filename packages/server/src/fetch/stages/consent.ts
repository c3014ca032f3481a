import { consentRoots, ownNoticeName } from "@pergamon-dev/html/selection/consent";
import { refuseConsent } from "@pergamon-dev/browser/consent/consent";
import type { BrowserOrder } from "../visit.ts";
import type { BrowserStage } from "./stage.ts";

const names = { roots: consentRoots, ownNames: ownNoticeName.source };

/** Notices are refused where they would be seen or be in the way; the HTML loses them without that. */
export const consent: BrowserStage = {
  async onReady(tab, { visit }, signal) {
    if (visit.browser.blockAds && isLookedAt(visit.browser)) await refuseConsent(tab, names, signal);
    return undefined;
  },
};

function isLookedAt({ screenshot, actions, brand }: BrowserOrder): boolean {
  return screenshot !== undefined || actions.length > 0 || brand === true;
}
