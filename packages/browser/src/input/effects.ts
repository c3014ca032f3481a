import { setTimeout as sleep } from "node:timers/promises";

import { callInPage, hasLeft } from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";

/** Effects of an action on the page. */
interface Effects {
  /**
   * Returns once the requests that the action caused have ended and the page has drawn their results, or a
   * page that it opened is loaded; shortly when it caused none. Never later than `LIMIT_MS`.
   * @returns whether another page was opened.
   */
  settled(signal: AbortSignal): Promise<boolean>;
  /** Stops watching without waiting. */
  stop(): void;
}

/** Source: contract, section 3.17. */
const LIMIT_MS = 5_000;
/**
 * Anything that begins later after the action is not its effect. Leaves time for scripts that wait for a
 * pause in clicks.
 */
const CAUSED_WITHIN_MS = 100;
/** Anything that the answer of a request causes begins within this time. */
const FOLLOW_UP_MS = 30;
/** Maximum rounds of requests that follow from requests, as a page that polls never ends. */
const ROUNDS = 4;
const POLL_MS = 10;

/** Kinds of requests that count. Only workers learn when their own requests end. */
const COUNTED = new Set(["Document", "XHR", "Fetch", "Script", "Stylesheet"]);

const NEXT_FRAME = `() => new Promise((resolve) => {
  const timer = setTimeout(resolve, 100);
  requestAnimationFrame(() => setTimeout(() => { clearTimeout(timer); resolve(); }, 0));
})`;

/** Starts to watch. Call it before the action. */
export function watchEffects(tab: BrowserTab): Effects {
  const pending = new Set<string>();
  const startMs = performance.now();
  let countsUntilMs = Number.POSITIVE_INFINITY;
  /** The request with which the page leaves, once it is sent. */
  let leavesWith: string | undefined;
  let hasNavigated = false;
  const { session, mainFrameId } = tab;
  const stay = () => {
    leavesWith = undefined;
  };
  const stops = [
    session.on("Network.requestWillBeSent", ({ requestId, type = "Other", frameId, loaderId }) => {
      if (type === "Document" && frameId === mainFrameId && requestId === loaderId) {
        leavesWith = requestId;
      } else if (COUNTED.has(type) && loaderId !== "" && performance.now() < countsUntilMs)
        pending.add(requestId);
    }),
    session.on("Network.loadingFinished", ({ requestId }) => pending.delete(requestId)),
    session.on("Network.loadingFailed", ({ requestId }) => {
      pending.delete(requestId);
      if (requestId === leavesWith) stay();
    }),
    session.on("Page.frameRequestedNavigation", ({ frameId, disposition }) => {
      if (frameId === mainFrameId && disposition === "currentTab") leavesWith ??= "announced";
    }),
    session.on("Page.navigatedWithinDocument", stay),
    session.on("Page.lifecycleEvent", ({ frameId, name }) => {
      if (frameId !== mainFrameId) return;
      if (name === "commit") hasNavigated = true;
      if (name === "init") pending.clear();
      if (name === "load") stay();
    }),
    session.on("Page.downloadWillBegin", stay),
  ];

  const isBusy = () => leavesWith !== undefined || pending.size > 0;
  const isLate = () => performance.now() - startMs > LIMIT_MS;

  async function settle(signal: AbortSignal): Promise<boolean> {
    countsUntilMs = performance.now() + CAUSED_WITHIN_MS;
    const begunMs = performance.now();
    await nextFrame(tab, signal);
    while (!isBusy() && performance.now() - begunMs < CAUSED_WITHIN_MS) {
      await sleep(POLL_MS, undefined, { signal });
    }
    for (let round = 0; round < ROUNDS && isBusy() && !isLate(); round += 1) {
      while (isBusy() && !isLate()) await sleep(POLL_MS, undefined, { signal });
      countsUntilMs = performance.now() + FOLLOW_UP_MS;
      await sleep(FOLLOW_UP_MS, undefined, { signal });
      await nextFrame(tab, signal);
    }
    return hasNavigated;
  }

  const stop = () => {
    for (const one of stops) one();
  };
  return {
    stop,
    settled: (signal) => settle(signal).finally(stop),
  };
}

/** Lets the page run its pending tasks and draw once. */
async function nextFrame(tab: BrowserTab, signal: AbortSignal): Promise<void> {
  await callInPage(tab, NEXT_FRAME, [], signal).catch((failure: unknown) => {
    if (!hasLeft(failure)) throw failure;
  });
}
