import { setTimeout as sleep } from "node:timers/promises";

import { refuseConsent } from "@pergamon-dev/browser/consent/consent";
import { callInPage } from "@pergamon-dev/browser/tab/page-script";
import { peekHtml } from "@pergamon-dev/browser/tab/snapshot";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import { collectStaticEvidence, PLENTY_OF_TEXT } from "@pergamon-dev/html/selection/static-evidence";
import { type Blocked, judgeBlocked } from "../fallback/blocked.ts";
import { consentNames } from "../stages/consent.ts";
import type { OpenPage } from "../stages/stage.ts";

/** Longest wait for a challenge that runs by itself. */
const MAX_WAIT_MS = 8_000;
const POLL_MS = 250;
const OPENING_LIMIT_MS = 1_000;
/** As much of a long page as is searched for the marks of known systems. */
const OPENING = "() => document.documentElement.outerHTML.slice(0, 10_000)";

interface Watched {
  readonly readiness: { readonly mainText: number };
  /** Time of `performance.now` at which the page is taken as it is. */
  readonly endsAtMs: number;
}

/**
 * Waits while the page is a challenge that runs by itself, and refuses cookies where a page only asks about
 * them. Costs one reading of a short page, or of the beginning of a long one.
 */
export async function passChallenge(
  tab: BrowserTab,
  page: OpenPage,
  { readiness, endsAtMs: pageEndsAtMs }: Watched,
  signal: AbortSignal,
): Promise<void> {
  const judge = () => judgePage(tab, readiness.mainText, signal);
  let blocked = await judge();
  if (blocked?.kind === "consent" && page.visit.browser.blockAds) {
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
async function judgePage(
  tab: BrowserTab,
  seenText: number,
  signal: AbortSignal,
): Promise<Blocked | undefined> {
  const isLong = seenText >= PLENTY_OF_TEXT;
  const html = isLong ? await readOpening(tab, signal) : await peekHtml(tab, signal);
  if (html === undefined) return undefined;
  const evidence = collectStaticEvidence(html);
  const { status: statusCode = 200, headers: received = {} } = tab.response ?? {};
  const headers = Object.fromEntries(
    Object.entries(received).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const mainText = Math.max(evidence.mainText, seenText);
  return judgeBlocked({ capture: { statusCode, headers }, html, evidence: { ...evidence, mainText } });
}

async function readOpening(tab: BrowserTab, signal: AbortSignal): Promise<string | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(OPENING_LIMIT_MS)]);
  try {
    return await callInPage<string>(tab, OPENING, [], limit);
  } catch {
    signal.throwIfAborted();
    if (tab.failure) throw tab.failure;
    return undefined;
  }
}
