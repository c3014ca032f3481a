import type { BrowserTab } from "./tab.ts";

/** The page as it stands. */
export interface Snapshot {
  /** The document, with its shadow roots as declarative templates. */
  readonly html: string;
  /** Where the page is now, with its fragment. */
  readonly url: string;
}

/**
 * Reads the HTML of the page.
 * @throws BrowserFailure when the tab is lost; the signal's reason once it is aborted.
 */
export async function readHtml(tab: BrowserTab, signal: AbortSignal): Promise<Snapshot> {
  const { session } = tab;
  const [{ frameTree }, { root }] = await Promise.all([
    session.send("Page.getFrameTree", undefined, { signal }),
    session.send("DOM.getDocument", { depth: 0 }, { signal }),
  ]);
  const { outerHTML } = await session.send(
    "DOM.getOuterHTML",
    { nodeId: root.nodeId, includeShadowDOM: true },
    { signal },
  );
  const { url, urlFragment = "" } = frameTree.frame;
  return { html: outerHTML, url: url + urlFragment };
}
