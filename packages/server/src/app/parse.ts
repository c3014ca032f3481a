import { readsPictures } from "@pergamon-dev/documents/ocr/find";
import type { ParseOperationServices } from "../parse/parse-operations.ts";
import { parseOptionsSchema, scrapeOptionsOf } from "../parse/parse-request.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { RunServices } from "../scrape/run.ts";
import type { AppContext } from "./context.ts";
import type { RetainedData } from "./retained-data.ts";

interface ParseNeeds {
  readonly services: RunServices;
  readonly kept: Pick<RetainedData, "uploads">;
  readonly scrape: () => ReturnType<typeof scrapeRequestSchema>;
}

/** What files that are sent are read with. */
export function openParse(
  { config, bodies }: AppContext,
  { services, kept, scrape }: ParseNeeds,
): ParseOperationServices {
  const options = lazy(() => parseOptionsSchema(scrape()));
  return {
    ...services,
    parseOptions: (body) => scrapeOptionsOf(options().parse(body)),
    uploads: kept.uploads,
    bodies,
    readsPictures: lazy(() => readsPictures(config.programs.tesseractPath)),
  };
}
