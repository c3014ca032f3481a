import { setTimeout as sleep } from "node:timers/promises";

import type { Protocol } from "devtools-protocol";

import { CdpError } from "@pergamon-dev/browser/cdp/cdp-session";
import type { BrowserTab } from "@pergamon-dev/browser/tab/tab";
import { foldTree, type OutlineLine } from "./fold-tree.ts";
import type { Refs } from "./refs.ts";
import { writeLines } from "./write-lines.ts";

/** A look at the page, as a model gets it. */
export interface PageLook {
  readonly url: string;
  readonly title: string;
  /** At most 24 KB. */
  readonly text: string;
  /** All of it. */
  readonly lines: readonly OutlineLine[];
}

/** About 8,000 tokens. */
const MAX_BYTES = 24 * 1024;
/** Frames of the page's own site that are looked into. */
const MAX_FRAMES = 10;

/** A page that is just being replaced by another cannot be looked at. So often it is tried again, after so long. */
const MAX_TRIES = 20;
const RETRY_MS = 100;

/** What is on the page now, with references to what can be acted on. */
export async function lookAt(tab: BrowserTab, refs: Refs, signal: AbortSignal): Promise<PageLook> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await lookOnce(tab, refs, signal);
    } catch (failure) {
      if (!(failure instanceof CdpError) || tries >= MAX_TRIES) throw failure;
      await sleep(RETRY_MS, undefined, { signal });
    }
  }
}

async function lookOnce(tab: BrowserTab, refs: Refs, signal: AbortSignal): Promise<PageLook> {
  const { currentIndex, entries } = await tab.session.send("Page.getNavigationHistory", undefined, {
    signal,
  });
  const { url = "about:blank", title = "" } = entries[currentIndex] ?? {};
  const { frameTree } = await tab.session.send("Page.getFrameTree", undefined, { signal });
  refs.startLook();
  const lines: OutlineLine[] = [];
  for (const frameId of framesOf(frameTree).slice(0, MAX_FRAMES)) {
    lines.push(...(await linesOfFrame(tab, frameId, refs, signal)));
  }
  return { url, title, text: writeLines(lines, MAX_BYTES), lines };
}

async function linesOfFrame(
  tab: BrowserTab,
  frameId: string,
  refs: Refs,
  signal: AbortSignal,
): Promise<readonly OutlineLine[]> {
  const isMain = frameId === tab.mainFrameId;
  const asked = tab.session.send("Accessibility.getFullAXTree", { frameId }, { signal });
  // A frame may go while the page is looked at.
  const { nodes } = isMain ? await asked : await asked.catch(() => ({ nodes: [] }));
  const below = foldTree(nodes, refs);
  return isMain || below.length === 0 ? below : [{ role: "frame", text: "frame", below }];
}

/** Of the page's own process, the page first. */
function framesOf({ frame, childFrames = [] }: Protocol.Page.FrameTree): readonly string[] {
  return [frame.id, ...childFrames.flatMap(framesOf)];
}
