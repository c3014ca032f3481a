import { collectStyles } from "../../platform/browser/tab/style-evidence.ts";
import type { BrowserStage } from "./stage.ts";

/** How the page looks, for formats that ask for it. */
export const styles: BrowserStage = {
  async onReady(tab, { visit }, signal) {
    return visit.browser.styles ? { styles: await collectStyles(tab, signal) } : undefined;
  },
};
