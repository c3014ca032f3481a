import { type Context, reporter } from "../../config/context.ts";
import type { CountText } from "../../fetch/fallback/lost-text.ts";
import { matchSmallHere } from "./match-small-here.ts";
import { openPages, type Pages } from "./pages.ts";
import type { MatchPatterns } from "./pattern-matching.ts";
import { openTextCounter } from "./readable-text.ts";
import { openPageThreads } from "./threads.ts";
import { type CompareVersions, compareSmallHere } from "./version-comparison.ts";

/** Computes pages. Large ones run on threads, and no thread starts before it is needed. */
export interface PageContext {
  readonly views: Pages;
  readonly countText: CountText;
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
    matchPatterns: matchSmallHere(threads.matchPatterns),
    compareVersions: compareSmallHere(threads.compareVersions),
  };
}
