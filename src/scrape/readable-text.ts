import type { Capture } from "./capture.ts";
import type { PageOptions } from "./page.ts";
import type { Pages } from "./pages.ts";

/**
 * Length of what a reader gets of an HTML page: its main content as Markdown, with what the page holds for visitors
 * without scripts.
 * @throws the signal's reason, once `signal` is aborted.
 */
export type CountText = (capture: Capture, signal: AbortSignal) => Promise<number>;

const READ: PageOptions = {
  onlyMainContent: true,
  includeTags: [],
  excludeTags: [],
  removeBase64Images: true,
  removesConsent: true,
  parsesPdf: false,
  imageParsing: "refuse",
  acceptsAnyFile: false,
};

export function openTextCounter(pages: Pages): CountText {
  return async (capture, signal) => {
    const file = { kind: "html", mimeType: "text/html" } as const;
    const { page } = pages.open({ capture, file, options: READ }, signal);
    return (await page.markdown()).length;
  };
}
