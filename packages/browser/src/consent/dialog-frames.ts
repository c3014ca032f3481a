import type { Protocol } from "devtools-protocol";

import { liesOver, refuseDialog } from "../programs/consent-dialog.ts";
import { CdpError } from "../cdp/cdp-session.ts";
import { callInFrame, callOnElement, type ElementHandle, PageScriptError } from "../tab/page-script.ts";
import type { BrowserTab } from "../tab/tab.ts";

/** More frames are adverts, not dialogs. */
const MAX_FRAMES = 10;

/** Refuses in a dialog that is a frame over the page, and tells whether there was one. */
export async function refuseInFrame(
  tab: BrowserTab,
  words: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  const { frameTree } = await tab.session.send("Page.getFrameTree", undefined, { signal });
  for (const { frame } of (frameTree.childFrames ?? []).slice(0, MAX_FRAMES))
    if (await refusesIn(tab, frame, words, signal)) return true;
  return false;
}

async function refusesIn(
  tab: BrowserTab,
  { id }: Protocol.Page.Frame,
  words: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  try {
    const { backendNodeId } = await tab.session.send("DOM.getFrameOwner", { frameId: id }, { signal });
    const { object } = await tab.session.send("DOM.resolveNode", { backendNodeId }, { signal });
    const isOver = await callOnElement<boolean>(
      tab,
      object.objectId as ElementHandle,
      { source: liesOver },
      signal,
    );
    return (
      isOver &&
      (await callInFrame<boolean>(tab, { source: refuseDialog, frameId: id, args: [...words, true] }, signal))
    );
  } catch (failure) {
    // A frame that has gone meanwhile, or lives in a process of its own.
    if (failure instanceof CdpError || failure instanceof PageScriptError) return false;
    throw failure;
  }
}
