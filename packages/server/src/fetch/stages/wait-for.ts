import { setTimeout as sleep } from "node:timers/promises";

import type { BrowserStage } from "./stage.ts";

/** Waits for the caller's `waitFor`, once the page seems ready. */
export const waitFor: BrowserStage = {
  async onReady(_tab, { visit }, signal) {
    const { waitForMs } = visit.browser;
    if (waitForMs > 0) await sleep(waitForMs, undefined, { signal });
    return undefined;
  },
};
