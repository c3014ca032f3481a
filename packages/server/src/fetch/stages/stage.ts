import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { Capture } from "../capture.ts";
import type { Attempt } from "../engine.ts";

/** What a stage may add to the capture of its page. */
export type StageEvidence = Partial<
  Pick<Capture, "timezone" | "screenshot" | "isScreenshotCut" | "actions" | "brand">
>;

/** An attempt whose page is open and ready. */
export interface OpenPage extends Attempt {
  /**
   * Waits until the page is ready again, such as after a click. `needsStillLayout` is for pictures of it.
   * @returns why it counts as ready; `budget` when it did not come to rest.
   */
  settle(options?: { readonly budgetMs?: number; readonly needsStillLayout?: boolean }): Promise<string>;
}

/**
 * One part of a visit by browser, such as emulation, ad blocking, actions, the screenshot. All hooks of a kind run one
 * after the other in the order of `all.ts`. A stage that has nothing to do for an attempt costs nothing: it sends no
 * command to the tab.
 */
export interface BrowserStage {
  /** Before the page is opened: overrides, cookies, judges in `tab.requests`. */
  prepare?(tab: BrowserTab, attempt: Attempt, signal: AbortSignal): Promise<void>;
  /**
   * On the page once it is ready, before its HTML is read.
   * @throws ServiceError when the scrape has to fail with that error.
   */
  onReady?(tab: BrowserTab, page: OpenPage, signal: AbortSignal): Promise<StageEvidence | undefined>;
  /** Once the page is captured. The page need not stay as it is. */
  onCaptured?(tab: BrowserTab, attempt: Attempt, signal: AbortSignal): Promise<void>;
  /** After every visit, also a failed one, before its tab is closed. Gives back what `prepare` took; must not throw. */
  onLeave?(tab: BrowserTab): Promise<void>;
}
