import { setTimeout as pause } from "node:timers/promises";

import { untilAborted } from "@pergamon-dev/kit/single-flight";
import type { CdpConnection } from "./cdp/cdp-connection.ts";
import type { CdpSession } from "./cdp/cdp-session.ts";
import type { OwnTargets } from "./confined/own-targets.ts";
import type { BrowserTab } from "./tab/tab.ts";

/** A page that takes longer does not let go: so often the browser has answered something else after a pause. */
const ANSWERS = 10;
const PAUSE_MS = 200;
/** However slow the machine is. */
const LIMIT_MS = 15_000;

interface Pages {
  readonly connection: CdpConnection;
  readonly targets: OwnTargets;
  readonly tab: BrowserTab;
}

/**
 * Ends what pages are in the middle of: loading, and scripts that run. A client that connects later could not drive a
 * page before that, and it may never end by itself.
 */
export async function interruptPages({ connection, targets, tab }: Pages): Promise<void> {
  const over = new AbortController();
  const signal = AbortSignal.any([over.signal, AbortSignal.timeout(LIMIT_MS)]);
  // A page is named after its main frame.
  const others = targets.pages.filter((targetId) => targetId !== tab.mainFrameId);
  const interrupted = Promise.allSettled([
    interruptPage(tab.session, signal),
    ...others.map((targetId) => interruptOther(connection, targetId, signal)),
  ]);
  await Promise.race([interrupted, timeOf(connection.browser, signal)]);
  over.abort(new Error("The page does not let go."));
  await interrupted;
}

/** Two seconds of a browser that has the processor for itself: on a busy machine it takes longer. */
async function timeOf(browser: CdpSession, signal: AbortSignal): Promise<void> {
  try {
    for (let answers = 0; answers < ANSWERS; answers += 1) {
      await Promise.all([
        pause(PAUSE_MS, undefined, { signal }),
        browser.send("Browser.getVersion", undefined, { signal }),
      ]);
    }
  } catch {
    // The pages are interrupted, the browser is gone, or its time is over.
  }
}

async function interruptPage(page: CdpSession, signal: AbortSignal): Promise<void> {
  // An open dialog stops the script that has to be ended, and so does the next one that it opens before it is.
  const decline = () => page.post("Page.handleJavaScriptDialog", { accept: false });
  const stop = page.on("Page.javascriptDialogOpening", decline);
  page.post("Page.enable");
  decline();
  const over = Promise.allSettled([
    // NOTE: while a page loads, its renderer gets no new commands.
    page.send("Page.stopLoading"),
    page.send("Runtime.terminateExecution"),
    // Where nothing runs the next script would be ended: this one.
    page.send("Runtime.evaluate", { expression: "0" }),
  ]);
  // A page that lets go too late for whoever waits does so all the same.
  void over.then(stop);
  await untilAborted(over, signal);
}

/** Scripts cannot be ended by who comes after they began: a page that they keep busy is closed. */
async function interruptOther(
  connection: CdpConnection,
  targetId: string,
  signal: AbortSignal,
): Promise<void> {
  const attach = { targetId, flatten: true };
  const { sessionId } = await connection.browser.send("Target.attachToTarget", attach, { signal });
  try {
    await interruptPage(connection.session(sessionId), signal);
  } catch {
    connection.browser.post("Target.closeTarget", { targetId });
  } finally {
    connection.detach(sessionId);
  }
}
