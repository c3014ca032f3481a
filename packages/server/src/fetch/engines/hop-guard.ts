import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { HopJudge } from "../visit.ts";

/** Watches the navigation of a tab's page. */
export interface HopGuard {
  /** Aborted with the judge's exception when the page was about to open a forbidden URL. */
  readonly signal: AbortSignal;
  /** Ends the watch, because later navigation of the tab is not caused by the page. */
  stop(): void;
}

/**
 * Lets the page open no URL before the judge was asked, neither by redirects nor by scripts. Call it before
 * navigation.
 */
export function guardHops(tab: BrowserTab, hops: HopJudge | undefined, until: AbortSignal): HopGuard {
  const refused = new AbortController();
  const signal = AbortSignal.any([until, refused.signal]);
  let isOver = hops === undefined;
  if (hops) {
    tab.requests.addFirst([{ urlPattern: "*", resourceType: "Document" }], async ({ request, frameId }) => {
      const { url } = request;
      const isPage = frameId === tab.mainFrameId && /^https?:/i.test(url);
      if (isOver || !isPage || url === hops.startUrl) return undefined;
      try {
        await hops.judge(url, signal);
        return undefined;
      } catch (reason) {
        refused.abort(reason);
        return { verdict: "fail", reason: "BlockedByClient" };
      }
    });
  }
  return {
    signal,
    stop() {
      isOver = true;
    },
  };
}
