import type { CountText } from "../visit/ladder/count-text.ts";
import type { Pages } from "./pages.ts";
import type { PageOptions } from "./parts.ts";

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
