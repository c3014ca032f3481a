import { html } from "../../fetch/file-kinds/html.ts";
import type { CountText } from "../../fetch/fallback/lost-text.ts";
import type { Pages } from "./pages.ts";
import type { PageOptions } from "./page.ts";

const READ: PageOptions = {
  onlyMainContent: true,
  includeTags: [],
  // Text in the head is not text of the page. It remains when scripts remove everything else.
  excludeTags: ["head"],
  removeBase64Images: true,
  removesConsent: true,
  parsers: [],
  languages: [],
  acceptsAnyFile: false,
};

export function openTextCounter(pages: Pages): CountText {
  return async (capture, signal) => {
    const file = { kind: html.name, mimeType: "text/html" };
    const { page } = pages.open({ capture, file, options: READ }, signal);
    return (await page.markdown()).length;
  };
}
