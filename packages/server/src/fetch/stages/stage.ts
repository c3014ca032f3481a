import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { Capture } from "../capture.ts";
import type { Attempt } from "../engine.ts";

/** Data that a stage may add to the capture of its page. */
export type StageEvidence = Partial<
  Pick<Capture, "timezone" | "screenshot" | "isScreenshotCut" | "actions" | "brand">
>;

/** An attempt with an open page that is ready. */
export interface OpenPage extends Attempt {
  /**
   * Waits until the page is ready again, such as after a click. Screenshots set `needsStillLayout`.
   * @returns why it counts as ready; `budget` when it did not come to rest.
   */
  settle(options?: { readonly budgetMs?: number; readonly needsStillLayout?: boolean }): Promise<string>;
}

/**
 * One part of a browser visit, such as emulation, ad blocking, actions, the screenshot. All hooks of a kind
 * run one after the other in the order of `all.ts`. A stage without work for an attempt sends no command to
 * the tab, so it costs nothing.
 */
export interface BrowserStage {
  /** Runs before the page is opened, to set overrides, cookies, and judges in `tab.requests`. */
  prepare?(tab: BrowserTab, attempt: Attempt, signal: AbortSignal): Promise<void>;
  /**
   * Runs on the ready page, before its HTML is read.
   * @throws ServiceError when the scrape must fail with that error.
   */
  onReady?(tab: BrowserTab, page: OpenPage, signal: AbortSignal): Promise<StageEvidence | undefined>;
  /** Runs after the capture. It may change the page. */
  onCaptured?(tab: BrowserTab, attempt: Attempt, signal: AbortSignal): Promise<void>;
  /**
   * Runs after every visit, even a failed one, before its tab is closed. It releases what `prepare` took, and
   * must not throw.
   */
  onLeave?(tab: BrowserTab): Promise<void>;
}
