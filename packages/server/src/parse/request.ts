import { z } from "zod";

import { ServiceError } from "../api/errors.ts";
import { limits } from "../api/limits.ts";
import { type ScrapeOptions, type scrapeRequestSchema } from "../scrape/request/schema.ts";

const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * Options for reading a file, as those of a scrape (contract of the families, section 8.1).
 * @param scrape the body of a scrape.
 */
export function parseOptionsSchema({ shape }: ReturnType<typeof scrapeRequestSchema>) {
  const { url: _url, toolDetail: _detail, ...options } = shape;
  return z.strictObject({
    ...options,
    timeout: z
      .int()
      .min(limits.timeoutMs.minimum)
      .max(limits.timeoutMs.maximum)
      .default(DEFAULT_TIMEOUT_MS)
      .describe("Milliseconds for the whole request."),
  });
}

type ParseOptions = z.output<ReturnType<typeof parseOptionsSchema>>;

/** Options that files do not support, one line each, in the order of the checks. */
const REFUSALS: readonly (readonly [message: string, isAsked: (options: ParseOptions) => boolean])[] = [
  refusal("actions", ({ actions }) => actions.length > 0),
  refusal("screenshot output", wants("screenshot")),
  refusal("branding output", wants("branding")),
  refusal("change tracking", wants("changeTracking")),
  refusal("audio output", wants("audio")),
  refusal("video output", wants("video")),
  ["The rawBase64 format is not supported for parse uploads", wants("rawBase64")],
  refusal("waitFor", ({ waitFor }) => waitFor > 0),
  refusal("location overrides", ({ location }) => location !== undefined),
  refusal("mobile rendering", ({ mobile }) => mobile),
  refusal("profiles", ({ profile }) => profile !== undefined),
  refusal("domainTools", ({ domainTools }) => domainTools),
  ["Parse uploads only support proxy values of auto or basic.", ({ proxy }) => proxy === "enhanced"],
];

/**
 * Converts the options to those of a scrape. Options about fetching have no effect.
 * @throws ServiceError PARSE_UNSUPPORTED_OPTIONS for options that need a web page.
 */
export function scrapeOptionsOf(options: ParseOptions): ScrapeOptions {
  const [message] = REFUSALS.find(([, isAsked]) => isAsked(options)) ?? [];
  if (message !== undefined) throw new ServiceError("PARSE_UNSUPPORTED_OPTIONS", { message });
  return { ...options, ...WITHOUT_EFFECT, toolDetail: "summary" };
}

const WITHOUT_EFFECT = {
  maxAge: undefined,
  minAge: undefined,
  storeInCache: false,
  lockdown: false,
  headers: {},
  fastMode: false,
} as const;

function refusal(what: string, isAsked: (options: ParseOptions) => boolean) {
  return [`Parse uploads do not support ${what}.`, isAsked] as const;
}

function wants(format: string) {
  return ({ formats }: ParseOptions) => formats.some(({ type }) => type === format);
}
