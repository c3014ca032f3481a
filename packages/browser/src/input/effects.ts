import { setTimeout as sleep } from "node:timers/promises";

import { callInPage, hasLeft } from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";

/** What an action sets off in the page. */
interface Effects {
  /**
   * Returns once the requests that the action caused have ended and what they brought is drawn, or a page that it
   * opened is loaded; after a moment when it caused none. Never later than some seconds.
   * @returns whether another page was opened.
   */
  settled(signal: AbortSignal): Promise<boolean>;
  /** Ends the watch without waiting. */
  stop(): void;
}

/** Source: contract, section 3.17. */
const LIMIT_MS = 5_000;
/** What begins later than this after the action is not its effect. Time for scripts that wait for a pause in clicks. */
const CAUSED_WITHIN_MS = 100;
/** What the answer of a request causes in turn begins within this. */
const FOLLOW_UP_MS = 30;
/** How often requests may follow from requests: a page that polls never ends. */
const ROUNDS = 4;
const POLL_MS = 10;

/** Kinds of requests of a page; only workers learn the end of their own requests. */
const COUNTED = new Set(["Document", "XHR", "Fetch", "Script", "Stylesheet"]);

const NEXT_FRAME = `() => new Promise((resolve) => {
  const timer = setTimeout(resolve, 100);
  requestAnimationFrame(() => setTimeout(() => { clearTimeout(timer); resolve(); }, 0));
})`;

/** Begins to watch. Call it before the action. */
export function watchEffects(tab: BrowserTab): Effects {
  const pending = new Set<string>();
  const startMs = performance.now();
  let countsUntilMs = Number.POSITIVE_INFINITY;
  /** The request that the page leaves with, once it is made. */
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

/** Lets the page run what waits and draw once. */
async function nextFrame(tab: BrowserTab, signal: AbortSignal): Promise<void> {
  await callInPage(tab, NEXT_FRAME, [], signal).catch((failure: unknown) => {
    if (!hasLeft(failure)) throw failure;
  });
}
