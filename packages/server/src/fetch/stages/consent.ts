import { consentRoots, ownNoticeName } from "@pergamon-dev/html/selection/consent";
import { refuseConsent } from "@pergamon-dev/browser/consent/consent";
import type { BrowserOrder } from "../visit.ts";
import type { BrowserStage } from "./stage.ts";

/** Names of consent notices, for the browser. */
export const consentNames = { roots: consentRoots, ownNames: ownNoticeName.source };

/** Refuses consent notices when they would be visible or in the way. The HTML loses them in any case. */
export const consent: BrowserStage = {
  async onReady(tab, { visit }, signal) {
    if (visit.browser.blockAds && isLookedAt(visit.browser)) await refuseConsent(tab, consentNames, signal);
    return undefined;
  },
};

function isLookedAt({ screenshot, actions, brand }: BrowserOrder): boolean {
  return screenshot !== undefined || actions.length > 0 || brand === true;
}
