import { setTimeout as sleep } from "node:timers/promises";

import { untilAborted } from "../../kit/single-flight.ts";
import type { BrowserTab } from "./tab.ts";

/** Tells when the page may be captured. */
export interface Readiness {
  /** @throws BrowserFailure when the tab is lost; the signal's reason once it is aborted. */
  ready(signal: AbortSignal): Promise<void>;
}

/** A page counts as ready after this time, whatever it is still doing. */
const BUDGET_MS = 8_000;

/** Begins to watch the page. Call it before navigation. */
export async function watchReadiness(tab: BrowserTab, _signal: AbortSignal): Promise<Readiness> {
  const loaded = new Promise<void>((resolve, reject) => {
    tab.session.on("Page.lifecycleEvent", ({ name, frameId }) => {
      if (name === "load" && frameId === tab.mainFrameId) resolve();
    });
    tab.session.whenFailed(reject);
  });
  loaded.catch(() => undefined);
  return {
    async ready(signal) {
      await untilAborted(Promise.race([loaded, sleep(BUDGET_MS, undefined, { signal })]), signal);
    },
  };
}
