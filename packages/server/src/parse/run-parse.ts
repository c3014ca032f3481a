import type { Caller } from "../accounts/callers.ts";
import { ServiceError } from "../api/errors.ts";
import type { HeldBodies } from "../api/held-bodies.ts";
import { type ScrapeJob, startJob } from "../scrape/request/job.ts";
import { planForAll } from "../scrape/request/planned-options.ts";
import type { ScrapeOptions } from "../scrape/request/schema.ts";
import { uploadUrl } from "../scrape/request/source.ts";
import { type RunServices, runScrape } from "../scrape/run.ts";
import type { Scraped } from "../scrape/scrape.ts";
import { refuseUnknownFile } from "../scrape/request/file-types.ts";

export interface ParseServices extends RunServices {
  readonly bodies: HeldBodies;
  /** @throws ZodError for invalid options; ServiceError PARSE_UNSUPPORTED_OPTIONS. */
  readonly parseOptions: (options: object) => ScrapeOptions;
}

export interface SentFile {
  readonly name: string;
  readonly contentType: string | undefined;
  readonly sizeBytes: number;
  read(): Promise<Uint8Array>;
}

interface ParseCall {
  /** Default: a new one. */
  readonly id?: string;
  readonly caller: Caller;
  readonly linkBase: string;
  readonly file: SentFile;
  readonly options: object;
}

/**
 * Reads an uploaded file as a scrape reads one of the web. It is loaded into memory when it is the team's
 * turn.
 * @param isGone aborts when the caller no longer waits for the answer.
 * @throws ZodError for invalid options.
 * @throws ServiceError PARSE_UNSUPPORTED_OPTIONS, UNSUPPORTED_FILE_TYPE, BAD_REQUEST for an empty file; the
 * exceptions of `runScrape`.
 */
export async function runParse(
  { file, options, ...call }: ParseCall,
  services: ParseServices,
  isGone: AbortSignal,
): Promise<Scraped & { readonly job: ScrapeJob }> {
  const { name, contentType } = file;
  const planned = planForAll(services.parseOptions(options), options).for(uploadUrl(name));
  if (file.sizeBytes === 0) {
    throw new ServiceError("BAD_REQUEST", { message: "The uploaded file is empty." });
  }
  let release = () => {};
  const read = async (signal: AbortSignal) => {
    release = await services.bodies.hold(call.caller.teamId, file.sizeBytes, signal);
    const body = await file.read();
    await refuseUnknownFile(body, file);
    return body;
  };
  const job = startJob(planned, {
    ...call,
    kind: "parse",
    source: { kind: "upload", name, contentType, read },
  });
  try {
    return { job, ...(await runScrape(job, services, isGone)) };
  } finally {
    release();
  }
}
