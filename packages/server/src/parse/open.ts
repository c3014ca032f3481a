import { readsPictures } from "@pergamon-dev/documents/ocr/find";
import type { ParseOperationServices } from "./operations.ts";
import { parseOptionsSchema, scrapeOptionsOf } from "./request.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import type { scrapeRequestSchema } from "../scrape/request/schema.ts";
import type { Scraping } from "../scrape/open.ts";
import type { Context } from "../config/context.ts";
import type { Storage } from "../storage/open.ts";
import { Uploads } from "./uploads.ts";

type ParseContext = Context &
  Storage &
  Scraping & { readonly scrape: () => ReturnType<typeof scrapeRequestSchema> };

export function openParse(context: ParseContext): ParseOperationServices {
  const { config, bodies, services, scrape, teamData } = context;
  const { maxUnparsedUploads: maxUnparsed } = config.parsing;
  const options = lazy(() => parseOptionsSchema(scrape()));
  return {
    ...services,
    parseOptions: (body) => scrapeOptionsOf(options().parse(body)),
    uploads: teamData.add(new Uploads({ ...context, maxUnparsed })),
    bodies,
    readsPictures: lazy(() => readsPictures(config.programs.tesseractPath)),
  };
}
