import { z } from "zod";

import { ThreatProtection } from "../../accounts/threat-policy.ts";
import { limits } from "../../contract/limits.ts";
import { Actions, waitBudgetMs } from "../../visit/actions/requested-action.ts";
import { Formats } from "./formats.ts";
import { AuditMetadata, Location, Parsers, Profile, RedactPii } from "./options.ts";
import { targetUrl } from "./target-url.ts";

const Flag = z.boolean();
const Selectors = z.array(z.string().max(limits.selectors.length)).max(limits.selectors.count);
const Milliseconds = z.int().min(0);
const Anything = z.unknown().optional();
/** Accepted and without effect: internal switches that clients of the public service may still send. */
const ignored = {
  useMock: z.string().optional(),
  __experimental_omce: Anything,
  __experimental_omceDomain: Anything,
  __experimental_cache: Anything,
  __experimental_engpicker: Anything,
  __searchPreviewToken: Anything,
  __forceFirePDF: Anything,
  __agentInterop: Anything,
};

/**
 * The body of `POST /v2/scrape` in scrape mode (interface document, section 2.1; contract, section 1.1).
 * `admitsHost` opens host names without a top-level domain that the operator allowed.
 */
export function scrapeRequestSchema(admitsHost: (url: URL) => boolean) {
  return z
    .strictObject({
      url: Url(admitsHost).describe("The page to scrape. Without a scheme, http:// is put before it."),
      formats: Formats.describe("What to return. Names, or objects with options."),
      onlyMainContent: Flag.default(true).describe("Leave out navigation, headers, footers and the like."),
      onlyCleanContent: Flag.default(false).describe("A language model removes what is left of boilerplate."),
      includeTags: Selectors.default([]).describe("CSS selectors: only what matches is used."),
      excludeTags: Selectors.default([]).describe("CSS selectors: what matches is left out."),
      maxAge: Milliseconds.optional().describe(
        "Oldest cached copy that may be returned. Default: 2 days, 2 years in lockdown. 0 bypasses the cache.",
      ),
      minAge: Milliseconds.optional().describe("Answer from the cache alone, with a copy at least this old."),
      storeInCache: Flag.default(true).describe("Keep the page for later requests."),
      lockdown: Flag.default(false).describe("Answer from the cache alone and send nothing to the target."),
      headers: z.record(z.string(), z.string()).default({}).describe("Sent with the page request."),
      waitFor: z.int().min(0).max(limits.waitForMs).default(0).describe("Extra delay before capture."),
      mobile: Flag.default(false).describe("Emulate a phone."),
      skipTlsVerification: Flag.default(true).describe("Accept invalid certificates."),
      timeout: z
        .int()
        .min(limits.timeoutMs.minimum)
        .max(limits.timeoutMs.maximum)
        .optional()
        .describe(`Time for the whole request. Default: ${limits.timeoutMs.default}.`),
      parsers: Parsers.describe("Kinds of files that are turned into Markdown."),
      actions: Actions.default([]).describe("Steps taken on the page before capture."),
      location: Location.optional().describe("Where the visitor appears to be."),
      removeBase64Images: Flag.default(true).describe(
        "Replace embedded images in Markdown by a placeholder.",
      ),
      blockAds: Flag.default(true).describe("Block advertisements and cookie banners."),
      proxy: z
        .enum(["basic", "stealth", "enhanced", "auto"])
        .default("auto")
        .transform((proxy) => (proxy === "stealth" ? "enhanced" : proxy))
        .describe("How the page is reached. auto tries basic first, then enhanced."),
      redactPII: RedactPii.default(false).describe("Redact personal data in Markdown."),
      profile: Profile.optional().describe("Named browser storage."),
      threatProtection: ThreatProtection.optional().describe("Overrides of the team's threat policy."),
      auditMetadata: AuditMetadata.optional().describe("Copied into the audit log."),
      zeroDataRetention: Flag.default(false).describe("Store and log nothing about this request."),
      domainTools: Flag.default(false).describe("List provider tools for the page's domain."),
      toolDetail: z.enum(["compact", "summary", "full"]).default("summary"),
      fastMode: Flag.default(false).describe("Prefer plain HTTP over a browser."),
      checkPromptInjection: Flag.default(false).describe("Refuse pages that try to steer language models."),
      safeMode: Flag.optional().describe("Refuse sensitive options and honour robots.txt."),
      origin: z.string().default("api").describe("Free label of the caller."),
      integration: z.string().max(100).nullable().optional().describe("Free label of a partner."),
      ...ignored,
    })
    .superRefine(checkWaits);
}

export type ScrapeRequest = z.output<ReturnType<typeof scrapeRequestSchema>>;

function Url(admitsHost: (url: URL) => boolean) {
  return z.string().transform((text, context) => {
    const result = targetUrl(text, admitsHost);
    if ("url" in result) return result.url;
    context.addIssue({ code: "custom", message: result.problem });
    return z.NEVER;
  });
}

interface Waits {
  readonly waitFor: number;
  readonly timeout?: number | undefined;
  readonly actions: z.output<typeof Actions>;
}

/** Rules between fields (contract, sections 1.4 and 1.7). */
function checkWaits({ waitFor, timeout, actions }: Waits, context: z.RefinementCtx): void {
  if (timeout !== undefined && waitFor > timeout / 2) {
    context.addIssue({
      code: "custom",
      path: ["waitFor"],
      message: "waitFor must not exceed half of timeout",
    });
  }
  if (waitFor + waitBudgetMs(actions) > limits.totalWaitMs) {
    const seconds = limits.totalWaitMs / 1000;
    const message = `Total wait time (waitFor + wait actions) cannot exceed ${seconds} seconds`;
    context.addIssue({ code: "custom", path: ["actions"], message });
  }
}
