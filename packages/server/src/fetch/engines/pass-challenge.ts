import { setTimeout as sleep } from "node:timers/promises";

import { refuseConsent } from "@pergamon-dev/browser/consent/consent";
import { peekHtml } from "@pergamon-dev/browser/tab/snapshot";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import { collectStaticEvidence, PLENTY_OF_TEXT } from "@pergamon-dev/html/selection/static-evidence";
import { type Blocked, judgeBlocked } from "../fallback/blocked.ts";
import { consentNames } from "../stages/consent.ts";
import type { OpenPage } from "../stages/stage.ts";

/** Longest wait for a challenge that runs by itself. */
const MAX_WAIT_MS = 8_000;
const POLL_MS = 250;

interface Watched {
  readonly readiness: { readonly mainText: number };
  /** Time of `performance.now` at which the page is taken as it is. */
  readonly endsAtMs: number;
}

/**
 * Waits while the page is a challenge that runs by itself, and refuses cookies where a page only asks about
 * them. Costs one reading of a short page.
 */
export async function passChallenge(
  tab: BrowserTab,
  page: OpenPage,
  { readiness, endsAtMs: pageEndsAtMs }: Watched,
  signal: AbortSignal,
): Promise<void> {
  const isPlain = () => readiness.mainText >= PLENTY_OF_TEXT && (tab.response?.status ?? 0) < 300;
  const judge = async () => (isPlain() ? undefined : judgePage(tab, signal));
  let blocked = await judge();
  if (blocked?.kind === "consent") {
    await refuseConsent(tab, { ...consentNames, isWall: true }, signal);
    await page.settle();
    blocked = await judge();
  }
  const endsAtMs = page.isPatient === true ? Math.min(performance.now() + MAX_WAIT_MS, pageEndsAtMs) : 0;
  const leftMs = () => endsAtMs - performance.now();
  while (blocked?.kind === "challenge" && leftMs() > 0) {
    await sleep(POLL_MS, undefined, { signal });
    blocked = await judge();
    if (blocked || leftMs() <= 0) continue;
    await page.settle({ budgetMs: leftMs() });
    blocked = await judge();
  }
}

/** A page between two documents cannot be read, and is no challenge. */
async function judgePage(tab: BrowserTab, signal: AbortSignal): Promise<Blocked | undefined> {
  const html = await peekHtml(tab, signal);
  if (html === undefined) return undefined;
  const { status: statusCode = 200, headers: received = {} } = tab.response ?? {};
  const headers = Object.fromEntries(
    Object.entries(received).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return judgeBlocked({ capture: { statusCode, headers }, html, evidence: collectStaticEvidence(html) });
}
