import type { AdLists } from "../ad-lists.ts";
import type { BrowserStage } from "./stage.ts";

/** Types of requests that advertisements and trackers use. Checking styles and fonts would cost too much. */
const JUDGED = ["Script", "Image", "XHR", "Fetch", "Ping", "Media", "Document"] as const;

const JUDGED_KINDS = JUDGED.map((resourceType) => ({ urlPattern: "*", resourceType }));

/** Blocks requests of advertisements and trackers (contract, section 3.20). */
export function adBlocking(lists: AdLists): BrowserStage {
  return {
    async prepare(tab, { visit }) {
      if (!visit.browser.blockAds) return;
      const blocker = await lists.blocker();
      const patterns = blocker.urlPatterns?.map((urlPattern) => ({ urlPattern })) ?? JUDGED_KINDS;
      tab.requests.add(patterns, ({ request, resourceType, frameId }) => {
        const isPage = resourceType === "Document" && frameId === tab.mainFrameId;
        if (isPage || !/^https?:/.test(request.url)) return undefined;
        const pageUrl = tab.response?.url ?? visit.url;
        const isAd = blocker.blocks({ url: request.url, type: resourceType, pageUrl });
        return isAd ? { verdict: "fail", reason: "BlockedByClient" } : undefined;
      });
    },
  };
}
