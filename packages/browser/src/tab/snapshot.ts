import type { Protocol } from "devtools-protocol";

import { withoutCredentials } from "@pergamon-dev/kit/url";
import { BrowserFailure } from "../cdp/browser-failure.ts";
import { TOO_LARGE } from "../cdp/cdp-connection.ts";
import { CdpError } from "../cdp/cdp-session.ts";
import * as programs from "../programs/style-sheets.ts";
import { callInPage } from "./page-script.ts";
import type { BrowserTab } from "./tab.ts";

/** Current state of a page or a frame. */
export interface Snapshot {
  /** HTML of the document, with its shadow roots as templates. */
  readonly html: string;
  /** Current URL with its fragment, but without user name and password. */
  readonly url: string;
  /**
   * Frames of the same site. The `FRAME_MARK` attribute of their `iframe` elements holds their index in this
   * list.
   */
  readonly frames: readonly Snapshot[];
  /** Rules of linked style sheets that say what is seen, as short rules. Of the page alone, where it has such sheets. */
  readonly linkedRules?: string;
}

/** Marks an `iframe` element whose document is in the snapshot. */
export const FRAME_MARK = "data-captured-frame";

/** Time for a busy page to answer before its scripts are aborted. */
const ANSWER_LIMIT_MS = 3_000;
/** A navigation during the capture removes the document. */
const TRIES = 3;
const MAX_FRAMES = 30;
const LINKS_SHEETS = /<link\b[^>]{0,1000}\bstylesheet\b/i;
/** A few milliseconds of the page's time. */
const MAX_RULES = 20_000;
const MAX_FRAME_DEPTH = 3;

type FrameTree = Protocol.Page.FrameTree;

/**
 * Reads the HTML of the page, including shadow roots and frames of the same site. Halts a page that is too
 * busy to answer.
 * @throws BrowserFailure when the tab is lost or does not answer at all; the signal's reason once it is
 * aborted.
 */
export async function readHtml(tab: BrowserTab, signal: AbortSignal): Promise<Snapshot> {
  for (let tries = 1; ; tries += 1) {
    const limit = AbortSignal.timeout(ANSWER_LIMIT_MS);
    try {
      return await readOnce(tab, AbortSignal.any([signal, limit]));
    } catch (failure) {
      signal.throwIfAborted();
      if (tab.failure) throw tab.failure;
      if (failure instanceof CdpError && failure.message.endsWith(TOO_LARGE))
        throw new BrowserFailure("page-too-large", "The page is too large.", { cause: failure });
      if (tries === TRIES)
        throw new BrowserFailure("tab-hung", "The page does not answer.", { cause: failure });
      if (!limit.aborted) continue;
      // A busy machine may answer the next time.
      const late = AbortSignal.timeout(ANSWER_LIMIT_MS);
      await tab.halt(AbortSignal.any([signal, late])).catch(() => undefined);
    }
  }
}

/**
 * Reads the HTML of the page alone, once. Cheaper than `readHtml`, which halts busy pages.
 * @returns undefined when the page does not answer, or leaves.
 */
export async function peekHtml(tab: BrowserTab, signal: AbortSignal): Promise<string | undefined> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_LIMIT_MS)]);
  try {
    const { root } = await tab.session.send("DOM.getDocument", { depth: 0 }, { signal: limit });
    return await outerHtml(tab, { nodeId: root.nodeId }, limit);
  } catch {
    signal.throwIfAborted();
    if (tab.failure) throw tab.failure;
    return undefined;
  }
}

async function readOnce(tab: BrowserTab, signal: AbortSignal): Promise<Snapshot> {
  const [{ frameTree }, { root }] = await Promise.all([
    tab.session.send("Page.getFrameTree", undefined, { signal }),
    tab.session.send("DOM.getDocument", { depth: 0 }, { signal }),
  ]);
  const frames = await readFrames(tab, frameTree, 1, signal);
  const html = await outerHtml(tab, { nodeId: root.nodeId }, signal);
  const { url, urlFragment = "" } = frameTree.frame;
  const linkedRules = LINKS_SHEETS.test(html)
    ? await callInPage<string>(tab, programs.readLinkedRules, [MAX_RULES], signal).catch(() => "")
    : "";
  return { html, url: withoutCredentials(url + urlFragment), frames, linkedRules };
}

async function readFrames(
  tab: BrowserTab,
  { frame, childFrames = [] }: FrameTree,
  depth: number,
  signal: AbortSignal,
): Promise<readonly Snapshot[]> {
  if (depth > MAX_FRAME_DEPTH) return [];
  const isShown = (child: FrameTree) => isSameSite(child, frame) && !tab.hasFailedFrame(child.frame.id);
  const own = childFrames.filter(isShown).slice(0, MAX_FRAMES);
  const frames: Snapshot[] = [];
  for (const child of own) {
    const snapshot = await readFrame(tab, child, { number: frames.length, depth }, signal).catch(
      () => undefined,
    );
    signal.throwIfAborted();
    if (snapshot) frames.push(snapshot);
  }
  return frames;
}

async function readFrame(
  tab: BrowserTab,
  tree: FrameTree,
  { number, depth }: { readonly number: number; readonly depth: number },
  signal: AbortSignal,
): Promise<Snapshot | undefined> {
  const { session } = tab;
  const { backendNodeId } = await session.send("DOM.getFrameOwner", { frameId: tree.frame.id }, { signal });
  const { node } = await session.send("DOM.describeNode", { backendNodeId }, { signal });
  if (!node.contentDocument) return undefined;
  const { nodeIds } = await session.send(
    "DOM.pushNodesByBackendIdsToFrontend",
    { backendNodeIds: [backendNodeId] },
    { signal },
  );
  const frames = await readFrames(tab, tree, depth + 1, signal);
  const html = await outerHtml(tab, { backendNodeId: node.contentDocument.backendNodeId }, signal);
  const mark = { nodeId: nodeIds[0] ?? 0, name: FRAME_MARK, value: String(number) };
  await session.send("DOM.setAttributeValue", mark, { signal });
  return { html, url: node.contentDocument.baseURL ?? tree.frame.url, frames };
}

async function outerHtml(
  tab: BrowserTab,
  node: { readonly nodeId: number } | { readonly backendNodeId: number },
  signal: AbortSignal,
): Promise<string> {
  const { outerHTML } = await tab.session.send(
    "DOM.getOuterHTML",
    { ...node, includeShadowDOM: true },
    { signal },
  );
  return outerHTML;
}

/** Documents without a URL of their own belong to the page that created them. */
function isSameSite({ frame }: FrameTree, parent: Protocol.Page.Frame): boolean {
  return /^about:(?:srcdoc|blank)/.test(frame.url) || frame.securityOrigin === parent.securityOrigin;
}
