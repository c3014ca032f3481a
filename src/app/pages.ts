import { openPages, type Pages } from "../page/pages.ts";
import { openPageThreads } from "../page/threads.ts";
import { type AppContext, reporter } from "./context.ts";

/** Pages, and the threads on which the larger ones are computed. None is started before it is needed. */
export function openThreadedPages({ config, log, resources }: AppContext): Pages {
  const onError = reporter(log, "A worker thread died.");
  const threads = openPageThreads({ most: config.scraping.workerThreads, onError });
  resources.add(threads, (opened) => opened.close());
  return openPages(threads);
}
