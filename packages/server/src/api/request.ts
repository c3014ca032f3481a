import { z } from "zod";

import { callerLabels } from "./caller-labels.ts";
import { headersOf } from "./headers.ts";
import { limits } from "./limits.ts";
import { AuditMetadata, locationIn, Parsers, Profile, RedactPii } from "./request-options.ts";

/** Parts of a request whose schemas are declared by the modules that implement them. */
interface RequestParts<Formats, Actions, ThreatProtection> {
  readonly url: z.ZodType<string, string>;
  readonly formats: z.ZodType<Formats>;
  readonly actions: z.ZodType<Actions>;
  /** Checks a country code and converts it to upper case. */
  readonly country: z.ZodType<string, string>;
  readonly threatProtection: z.ZodType<ThreatProtection>;
}

/** Maximum length of one header of the page request. No server accepts longer ones. */
const MAX_HEADER_LENGTH = 256 * 1024;

const Flag = z.boolean();
const Selectors = z.array(z.string().max(limits.selectors.length)).max(limits.selectors.count);
const Milliseconds = z.int().min(0);

/** Pattern of accepted URLs. Not every match is valid. */
const URL_FORM = {
  examples: ["https://example.com", "example.com/page?id=1"],
  pattern: String.raw`^\s*(?:[Hh][Tt][Tt][Pp][Ss]?:\/\/)?[^\s/?#]`,
  maxLength: limits.urlLength,
};

/** Defaults that depend on other fields are not set by validation. The description states the usual rule. */
const MaxAge = Milliseconds.optional()
  .describe(
    "Maximum age of a cached copy, in milliseconds. Default: 2 days, 2 years in lockdown. 0 bypasses the cache.",
  )
  .meta({ default: limits.maxAgeMs });
const Timeout = z
  .int()
  .min(limits.timeoutMs.minimum)
  .max(limits.timeoutMs.maximum)
  .optional()
  .describe(
    `Deadline for the whole request, in milliseconds. Default: ${limits.timeoutMs.default}, or longer when waitFor requires it.`,
  )
  .meta({ default: limits.timeoutMs.default });

const ProxyTier = z
  .enum(["basic", "stealth", "enhanced", "auto"])
  .default("auto")
  .transform((proxy) => (proxy === "stealth" ? "enhanced" : proxy))
  .describe(
    "Proxy tier: auto tries basic first, then enhanced. A tier without a proxy in PROXIES is fetched directly.",
  );

const Anything = z.unknown().optional();

/** Accepted without effect: internal switches that clients of the public service may still send. */
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
 * The body of `POST /v2/scrape` in scrape mode (interface document, section 2.1; contract, section 1.1),
 * without the rules between fields.
 */
export function scrapeRequest<Formats, Actions, ThreatProtection>(
  parts: RequestParts<Formats, Actions, ThreatProtection>,
) {
  return z.strictObject({
    url: parts.url.describe("URL of the page. A URL without a scheme is read as http://.").meta(URL_FORM),
    formats: parts.formats.describe("Formats to return: names, or objects with options."),
    onlyMainContent: Flag.default(true).describe(
      "Leave out navigation, headers, footers and similar elements.",
    ),
    onlyCleanContent: Flag.default(false).describe("Remove remaining boilerplate from the Markdown."),
    includeTags: Selectors.default([]).describe("CSS selectors of the elements to keep."),
    excludeTags: Selectors.default([]).describe("CSS selectors of the elements to leave out."),
    maxAge: MaxAge,
    minAge: Milliseconds.optional().describe(
      "Return only a cached copy that is at least this old, in milliseconds.",
    ),
    storeInCache: Flag.default(true).describe("Store the page in the cache for later requests."),
    lockdown: Flag.default(false).describe("Return only cached copies and send no request to the target."),
    headers: headersOf(MAX_HEADER_LENGTH).default({}).describe("HTTP headers sent with the page request."),
    waitFor: z
      .int()
      .min(0)
      .max(limits.waitForMs)
      .default(0)
      .describe("Extra delay before the capture, in milliseconds."),
    mobile: Flag.default(false).describe("Emulate a mobile device."),
    skipTlsVerification: Flag.default(true).describe("Accept invalid TLS certificates."),
    timeout: Timeout,
    parsers: Parsers.describe("Document types that are converted to Markdown."),
    actions: parts.actions.describe("Actions performed on the page before the capture."),
    location: locationIn(parts.country).optional().describe("Country and languages of the visitor."),
    removeBase64Images: Flag.default(true).describe(
      "Replace embedded images in the Markdown with a placeholder.",
    ),
    blockAds: Flag.default(true).describe("Block advertisements and cookie banners."),
    proxy: ProxyTier,
    redactPII: RedactPii.default(false).describe("Redact personal data in the Markdown."),
    profile: Profile.optional().describe("Browser profile: named, persistent browser storage."),
    threatProtection: parts.threatProtection.optional().describe("Overrides of the team's threat policy."),
    auditMetadata: AuditMetadata.optional().describe("Copied into the audit log."),
    zeroDataRetention: Flag.default(false).describe("Store and log nothing (zero data retention)."),
    domainTools: Flag.default(false).describe("List provider tools for the page's domain."),
    toolDetail: z
      .enum(["compact", "summary", "full"])
      .default("summary")
      .describe("How much detail domainTools returns for each tool. Without domainTools it has no effect."),
    fastMode: Flag.default(false).describe("Prefer plain HTTP over a browser."),
    checkPromptInjection: Flag.default(false).describe(
      "Fail when the page tries to steer a model that reads it. It is checked only for formats that a model makes; otherwise a warning says so.",
    ),
    safeMode: Flag.optional().describe("Refuse sensitive options and respect robots.txt."),
    ...callerLabels,
    origin: callerLabels.origin.default("api").describe(callerLabels.origin.description ?? ""),
    ...ignoredOptions,
  });
}

/** Options that all pages of a job share, without those of the request as a whole. */
export function scrapeOptions<Formats, Actions, ThreatProtection>(
  parts: Omit<RequestParts<Formats, Actions, ThreatProtection>, "url">,
) {
  const { shape } = scrapeRequest({ ...parts, url: z.string() });
  const { url: _url, zeroDataRetention: _retention, toolDetail: _detail, ...options } = shape;
  return z.strictObject(options);
}
