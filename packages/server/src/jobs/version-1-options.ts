import { ServiceError } from "../api/errors.ts";
import { asksForExtract, type LooseOptions, version2OptionsOf } from "../scrape/version-1-options.ts";

/**
 * Options of the pages of a job. Their documents are those of version 2, which has no format `extract`.
 * @throws ServiceError BAD_REQUEST for the format extract; as `scrapeOptionsOf`.
 */
export function jobOptionsOf(options: LooseOptions): LooseOptions {
  if (asksForExtract(options)) {
    const message =
      "The format extract works for single scrapes. For many pages use the format json with jsonOptions.";
    throw new ServiceError("BAD_REQUEST", { message });
  }
  return version2OptionsOf(options);
}
