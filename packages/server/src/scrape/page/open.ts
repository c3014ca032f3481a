import { type Context, reporter } from "../../config/context.ts";
import type { CountText } from "../../fetch/fallback/lost-text.ts";
import { matchSmallHere } from "./match-small-here.ts";
import { openPages, type Pages } from "./pages.ts";
import type { MatchPatterns } from "./pattern-matching.ts";
import { openPageThreads } from "./threads.ts";
import { compareSmallHere, type CompareVersions } from "./version-comparison.ts";
import { html } from "../../fetch/file-kinds/html.ts";
import type { PageOptions } from "./page.ts";
import type { VectorOf } from "../../history/page-index/text-vector.ts";

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

/** Computes pages. Large ones run on threads, and no thread starts before it is needed. */
export interface PageContext {
  readonly views: Pages;
  readonly countText: CountText;
  /** The words of a page for an index in Postgres. */
  readonly vectorOf: VectorOf;
  readonly matchPatterns: MatchPatterns;
  readonly compareVersions: CompareVersions;
}

export function openPageViews({ config, log, resources, lent }: Context): PageContext {
  const onError = reporter(log, "A worker thread died.");
  const open = () => openPageThreads({ most: config.scraping.workerThreads, onError });
  const threads = lent?.pageThreads ?? resources.add(open(), (opened) => opened.close());
  const views = openPages(threads);
  return {
    views,
    countText: openTextCounter(views),
    vectorOf: threads.vectorOf,
    matchPatterns: matchSmallHere(threads.matchPatterns),
    compareVersions: compareSmallHere(threads.compareVersions),
  };
}

function openTextCounter(pages: Pages): CountText {
  return async (capture, signal) => {
    const file = { kind: html.name, mimeType: "text/html" };
    const { page } = pages.open({ capture, file, options: READ }, signal);
    return (await page.markdown()).length;
  };
}
