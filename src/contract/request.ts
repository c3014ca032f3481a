import { z } from "zod";

import { boundedRecord } from "./bounded-record.ts";
import { callerLabels } from "./caller-labels.ts";
import { limits } from "./limits.ts";
import { AuditMetadata, locationIn, Parsers, Profile, RedactPii } from "./request-options.ts";

/** The parts of a request whose shapes are declared by what does them. */
interface RequestParts<Formats, Actions, ThreatProtection> {
  readonly url: z.ZodType<string, string>;
  readonly formats: z.ZodType<Formats>;
  readonly actions: z.ZodType<Actions>;
  /** Checks a country code and spells it in upper case. */
  readonly country: z.ZodType<string, string>;
  readonly threatProtection: z.ZodType<ThreatProtection>;
}

/** Of one that goes with the page request: no server takes longer ones. */
const MAX_HEADER_LENGTH = 256 * 1024;

const Flag = z.boolean();
const Selectors = z.array(z.string().max(limits.selectors.length)).max(limits.selectors.count);
const Milliseconds = z.int().min(0);

/** What every URL that is taken looks like; not all that look so are. */
const URL_FORM = {
  examples: ["https://example.com", "example.com/page?id=1"],
  pattern: String.raw`^\s*(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/)?[^\s/?#]`,
  maxLength: limits.urlLength,
};

/** Their defaults depend on other fields, so validation leaves them out; what holds as a rule is described. */
const MaxAge = Milliseconds.optional()
  .describe(
    "Oldest cached copy that may be returned. Default: 2 days, 2 years in lockdown. 0 bypasses the cache.",
  )
  .meta({ default: limits.maxAgeMs });
const Timeout = z
  .int()
  .min(limits.timeoutMs.minimum)
  .max(limits.timeoutMs.maximum)
  .optional()
  .describe(`Time for the whole request. Default: ${limits.timeoutMs.default}, more where waitFor needs it.`)
  .meta({ default: limits.timeoutMs.default });

const Anything = z.unknown().optional();

/** Accepted and without effect: internal switches that clients of the public service may still send. */
export const ignoredOptions = {
  useMock: z.string().max(limits.originLength).optional(),
  __experimental_omce: Anything,
  __experimental_omceDomain: Anything,
  __experimental_cache: Anything,
  __experimental_engpicker: Anything,
  __searchPreviewToken: Anything,
  __forceFirePDF: Anything,
  __agentInterop: Anything,
};

/**
 * The body of `POST /v2/scrape` in scrape mode (interface document, section 2.1; contract, section 1.1), without the
 * rules between fields.
 */
export function scrapeRequest<Formats, Actions, ThreatProtection>(
  parts: RequestParts<Formats, Actions, ThreatProtection>,
) {
  return z.strictObject({
    url: parts.url.describe("The page to scrape. Without a scheme, http:// is put before it.").meta(URL_FORM),
    formats: parts.formats.describe("What to return. Names, or objects with options."),
    onlyMainContent: Flag.default(true).describe("Leave out navigation, headers, footers and the like."),
    onlyCleanContent: Flag.default(false).describe("Remove what is left of boilerplate from the Markdown."),
    includeTags: Selectors.default([]).describe("CSS selectors: only what matches is used."),
    excludeTags: Selectors.default([]).describe("CSS selectors: what matches is left out."),
    maxAge: MaxAge,
    minAge: Milliseconds.optional().describe("Answer from the cache alone, with a copy at least this old."),
    storeInCache: Flag.default(true).describe("Keep the page for later requests."),
    lockdown: Flag.default(false).describe("Answer from the cache alone and send nothing to the target."),
    headers: boundedRecord(z.string().max(MAX_HEADER_LENGTH))
      .default({})
      .describe("Sent with the page request."),
    waitFor: z.int().min(0).max(limits.waitForMs).default(0).describe("Extra delay before capture."),
    mobile: Flag.default(false).describe("Emulate a phone."),
    skipTlsVerification: Flag.default(true).describe("Accept invalid certificates."),
    timeout: Timeout,
    parsers: Parsers.describe("Kinds of files that are turned into Markdown."),
    actions: parts.actions.describe("Steps taken on the page before capture."),
    location: locationIn(parts.country).optional().describe("Where the visitor appears to be."),
    removeBase64Images: Flag.default(true).describe("Replace embedded images in Markdown by a placeholder."),
    blockAds: Flag.default(true).describe("Block advertisements and cookie banners."),
    proxy: z
      .enum(["basic", "stealth", "enhanced", "auto"])
      .default("auto")
      .transform((proxy) => (proxy === "stealth" ? "enhanced" : proxy))
      .describe("How the page is reached. auto tries basic first, then enhanced."),
    redactPII: RedactPii.default(false).describe("Redact personal data in Markdown."),
    profile: Profile.optional().describe("Named browser storage."),
    threatProtection: parts.threatProtection.optional().describe("Overrides of the team's threat policy."),
    auditMetadata: AuditMetadata.optional().describe("Copied into the audit log."),
    zeroDataRetention: Flag.default(false).describe("Store and log nothing about this request."),
    domainTools: Flag.default(false).describe("List provider tools for the page's domain."),
    toolDetail: z
      .enum(["compact", "summary", "full"])
      .default("summary")
      .describe("How much domainTools tells of each tool. Without that option it has no effect."),
    fastMode: Flag.default(false).describe("Prefer plain HTTP over a browser."),
    checkPromptInjection: Flag.default(false).describe("Refuse pages that try to steer language models."),
    safeMode: Flag.optional().describe("Refuse sensitive options and honour robots.txt."),
    ...callerLabels,
    origin: callerLabels.origin.default("api"),
    ...ignoredOptions,
  });
}

/** The options that all pages of a job share: those of a request that are not of the request as a whole. */
export function scrapeOptions<Formats, Actions, ThreatProtection>(
  parts: Omit<RequestParts<Formats, Actions, ThreatProtection>, "url">,
) {
  const { shape } = scrapeRequest({ ...parts, url: z.string() });
  const { url: _url, zeroDataRetention: _retention, toolDetail: _detail, ...options } = shape;
  return z.strictObject(options);
}
