import {
  openPageThreads,
  type PageThreads,
  type PatternThreads,
  type VersionThreads,
} from "../page/threads.ts";
import { type AppContext, reporter } from "./context.ts";

/** The threads on which larger pages are computed and compared. None is started before it is needed. */
export function openThreads({
  config,
  log,
  resources,
}: AppContext): PageThreads & VersionThreads & PatternThreads {
  const onError = reporter(log, "A worker thread died.");
  return resources.add(openPageThreads({ most: config.scraping.workerThreads, onError }), (opened) =>
    opened.close(),
  );
}
