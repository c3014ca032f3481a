import { watchReadiness } from "@pergamon-dev/browser/readiness/readiness";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import type { Attempt } from "../engine.ts";
import type { BrowserStage, StageEvidence, OpenPage } from "../stages/stage.ts";
import { passChallenge } from "./pass-challenge.ts";
import { guardHops, type HopGuard } from "./hop-guard.ts";

/** A page that is open, ready, and prepared for its visit. */
interface ReadyPage {
  /** Evidence that the stages have collected. */
  readonly evidence: StageEvidence;
  readonly hops: HopGuard;
}

/** Chromium's reason for not opening a page. */
interface NotOpened {
  readonly errorCode: string;
}

/**
 * Opens the page of an attempt in a tab. Stages prepare the tab, then it navigates, and stages work on the
 * page once it is ready. The caller ends the stages.
 * @throws the exceptions of stages; the signal's reason once it is aborted.
 */
export async function openReadyPage(
  tab: BrowserTab,
  attempt: Attempt,
  stages: readonly BrowserStage[],
  until: AbortSignal,
): Promise<ReadyPage | NotOpened> {
  const { visit } = attempt;
  const evidence: StageEvidence[] = [];
  for (const { prepare } of stages) await prepare?.(tab, attempt, until);
  const hops = guardHops(tab, visit.hops, until);
  const { signal } = hops;
  const readiness = watchReadiness(tab);
  const endsAtMs = performance.now() + visit.browser.readyWithinMs;
  const { errorCode } = await tab.navigate(visit.url, signal);
  signal.throwIfAborted();
  if (errorCode !== undefined) return { errorCode };
  const budgetMs = visit.browser.readyWithinMs;
  const page: OpenPage = {
    ...attempt,
    settle: (options = {}) => readiness.ready(signal, { budgetMs, ...options }),
  };
  await page.settle();
  await passChallenge(tab, page, { readiness, endsAtMs }, signal);
  for (const { onReady } of stages) evidence.push((await onReady?.(tab, page, signal)) ?? {});
  return { evidence: Object.assign({}, ...evidence) as StageEvidence, hops };
}
