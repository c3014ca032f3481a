import type { ReadDocument } from "@pergamon-dev/documents/model/reader";
import { type Context, reporter } from "../config/context.ts";
import { searchFile } from "../storage/data-files.ts";
import type { PageContext } from "../scrape/page/open.ts";
import type { Storage } from "../storage/open.ts";
import { openFeedback } from "./feedback.ts";
import { openFigures } from "./figures/figures.ts";
import { IndexThread } from "./page-index/index-thread.ts";
import { PageIndex } from "./page-index/page-index.ts";
import { openReadings } from "./readings.ts";
import { openRecords } from "./records.ts";
import { openReplays } from "./replays.ts";

export type History = ReturnType<typeof openHistory>;

export function openHistory(context: Context & Storage & Pick<PageContext, "vectorOf">) {
  const { log, resources, database, teamData } = context;
  const onError = reporter(log, "Records could not be stored.");
  const jobKinds = context.kinds.filter(({ isRequested }) => isRequested).map(({ name }) => name);
  const records = resources.add(openRecords({ ...context, jobKinds, onError }), (opened) => opened.close());
  const replays = resources.add(openReplays({ ...context, onError }), (opened) => opened.close());
  const figures = openFigures({ database, onError: reporter(log, "Figures could not be written.") });
  resources.add(figures, (opened) => opened.close());
  return {
    records: teamData.add(records),
    pageIndex: teamData.add(openPageIndex(context, () => records.flush())),
    figures: teamData.add(figures),
    replays: teamData.add(replays),
    feedback: teamData.add(openFeedback(database)),
    readings: teamData.add(openReadings<ReadDocument>(context)),
  };
}

function openPageIndex(
  { config, log, resources, lent, database, vectorOf }: Context & Storage & Pick<PageContext, "vectorOf">,
  flushRecords: () => Promise<void>,
): PageIndex {
  const thread = lent?.indexThread ?? resources.add(new IndexThread(), (opened) => opened.close());
  const index = new PageIndex({
    path: searchFile(config),
    database,
    thread,
    vectorOf,
    flushRecords,
    onError: reporter(log, "A page could not be indexed."),
  });
  return resources.add(index, (opened) => opened.close());
}
