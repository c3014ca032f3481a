import type { Attempt } from "../fetch/engine.ts";
import { openReadyPage } from "../fetch/engines/open-page.ts";
import type { HopGuard } from "../fetch/engines/hop-guard.ts";
import type { BrowserStage } from "../fetch/stages/stage.ts";
import { ServiceError } from "../api/errors.ts";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";

/** How the browser of a session is opened. */
interface SessionPageOrder {
  readonly attempt: Attempt;
  /** False: the browser is prepared like for a visit, but stays on its empty page. */
  readonly isOpened: boolean;
}

export interface SessionPage {
  /**
   * Saves the profile if wanted, and releases everything. @param isLost True: the tab cannot be read any
   * more.
   */
  leave(options: { readonly isLost: boolean; readonly signal: AbortSignal }): Promise<void>;
}

/**
 * Opens the page with the same stages as a scrape. They stay attached until the page is left. Navigation was
 * checked for the scrape, and is checked as long as the session lasts.
 * @throws ServiceError REPLAY_FAILED; PROFILE_LOCKED and PROFILE_UNREADABLE; the signal's reason.
 */
export async function openSessionPage(
  tab: BrowserTab,
  { attempt, isOpened }: SessionPageOrder,
  stages: readonly BrowserStage[],
  signal: AbortSignal,
): Promise<SessionPage> {
  try {
    if (isOpened) await goTo(tab, attempt, stages, signal);
    else await prepareOnly(tab, attempt, stages, signal);
  } catch (failure) {
    await leaveAll(tab, stages);
    throw failure;
  }
  return {
    async leave({ isLost, signal: until }) {
      try {
        if (!isLost) for (const { onCaptured } of stages) await onCaptured?.(tab, attempt, until);
      } finally {
        await leaveAll(tab, stages);
      }
    },
  };
}

/** Errors whose messages callers get unchanged. All others count as a page that did not load. */
const TOLD: ReadonlySet<string> = new Set(["PROFILE_LOCKED", "PROFILE_UNREADABLE", "unsafe_domain_blocked"]);

async function goTo(
  tab: BrowserTab,
  attempt: Attempt,
  stages: readonly BrowserStage[],
  signal: AbortSignal,
): Promise<HopGuard | undefined> {
  try {
    const opened = await openReadyPage(tab, attempt, stages, signal);
    if ("errorCode" in opened) throw new ServiceError("REPLAY_FAILED", { cause: opened.errorCode });
    return opened.hops;
  } catch (failure) {
    signal.throwIfAborted();
    const isTold = failure instanceof ServiceError && TOLD.has(failure.code);
    throw isTold ? failure : new ServiceError("REPLAY_FAILED", { cause: failure });
  }
}

async function prepareOnly(
  tab: BrowserTab,
  attempt: Attempt,
  stages: readonly BrowserStage[],
  signal: AbortSignal,
): Promise<void> {
  for (const { prepare } of stages) await prepare?.(tab, attempt, signal);
  await tab.requests.start();
}

async function leaveAll(tab: BrowserTab, stages: readonly BrowserStage[]): Promise<void> {
  for (const { onLeave } of stages) await onLeave?.(tab);
}
