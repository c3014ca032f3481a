import { availableParallelism } from "node:os";

import { openProcessPool } from "@pergamon-dev/documents/pool";
import { type Documents, openDocuments } from "../scrape/documents/documents.ts";
import type { Readers } from "../sandbox/readers/readers.ts";
import { PARTS } from "../operator/health/part-health.ts";
import { type AppContext, reporter } from "./context.ts";
import type { RetainedData } from "./retained-data.ts";

/** What reads documents. None of its processes is started before one is needed. */
export function openDocumentReading(
  context: AppContext,
  { readings, health }: RetainedData,
  readers: Readers,
): Documents {
  const pool = openProcessPool({
    // One core is left for the event loop.
    maxProcesses: Math.max(1, availableParallelism() - 1),
    processes: readers,
    pathVariable: context.config.programs.pathVariable,
    tesseractPath: context.config.programs.tesseractPath,
    onCrash: reporter(context.log, "A document ended the process that read it."),
    onUse: ({ reader, ...use }) => health.note({ part: PARTS[reader], ...use }),
  });
  context.resources.add(pool, (opened) => opened.close());
  return openDocuments({ pool, results: readings });
}
