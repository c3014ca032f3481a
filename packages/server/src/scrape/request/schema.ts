import { z } from "zod";

import { ThreatProtection } from "../../api/threat-policy.ts";
import { errorCodes } from "../../api/error-codes.ts";
import { limits } from "../../api/limits.ts";
import { scrapeOptions, scrapeRequest } from "../../api/request.ts";
import { lazy } from "@pergamon-dev/kit/lazy";
import { Actions, waitBudgetMs } from "../../fetch/actions/requested-action.ts";
import { countryCode } from "../../fetch/locales/countries.ts";
import { formatList, formatRequests } from "./formats.ts";
import { targetUrl } from "./target-url.ts";

/**
 * The body of `POST /v2/scrape` in scrape mode.
 * @param admitsHost admits host names without a top-level domain that the operator allowed.
 * @param formats the formats that `formats` may name.
 */
export function scrapeRequestSchema(admitsHost: (url: URL) => boolean, formats = formatRequests) {
  return scrapeRequest({
    url: TargetUrl(admitsHost),
    formats: formatList(formats),
    actions: Actions.default([]),
    country: Country,
    threatProtection: ThreatProtection,
  })
    .superRefine(checkWaits)
    .superRefine(({ lockdown, formats: list }, context) => {
      for (const { type } of lockdown ? list : []) {
        const code = formats[type]?.retention?.lockdownError;
        if (!code) continue;
        const { message } = errorCodes[code];
        context.addIssue({ code: "custom", path: ["formats"], message, params: { code } });
      }
    });
}

/**
 * The schema in the API reference, which bodies with the same fields share. Building it takes longer than
 * loading most modules.
 */
export const documentedScrapeRequest = lazy(() => scrapeRequestSchema(() => false));

export type ScrapeRequest = z.output<ReturnType<typeof scrapeRequestSchema>>;

/** A request without its address. */
export type ScrapeOptions = Omit<ScrapeRequest, "url">;

/**
 * Options that all pages of a job share (contract of the families, section 1.6). All jobs use the same
 * schema.
 */
export const scrapeOptionsSchema = lazy(() =>
  scrapeOptionsObject().superRefine(checkWaits).transform(optionsOfJob),
);

/**
 * The same options without the rules between fields (`checkWaits`), for bodies that add fields of the job.
 */
export const scrapeOptionsObject = lazy(() =>
  scrapeOptions({
    formats: formatList(formatRequests),
    actions: Actions.default([]),
    country: Country,
    threatProtection: ThreatProtection,
  }),
);

/** Completes the options of a job's pages with values for fields that only single requests may set. */
export function optionsOfJob(
  options: Omit<ScrapeOptions, "zeroDataRetention" | "toolDetail"> & { readonly zeroDataRetention?: boolean },
): ScrapeOptions {
  return { ...options, zeroDataRetention: options.zeroDataRetention ?? false, toolDetail: "summary" };
}

function TargetUrl(admitsHost: (url: URL) => boolean) {
  return z.string().transform((text, context) => {
    const result = targetUrl(text, admitsHost);
    if ("url" in result) return result.url;
    const { problem: message, hint } = result;
    // The interface fixes the wording of the problem (contract, section 1.6).
    context.addIssue({ code: "custom", message, ...(hint !== undefined && { params: { hint } }) });
    return z.NEVER;
  });
}

/** Longer than any country name, so that the error can quote a name that was sent instead of a code. */
const MAX_COUNTRY_LENGTH = 100;

const Country = z
  .string()
  .max(MAX_COUNTRY_LENGTH)
  .transform((text, context) => {
    const code = countryCode(text);
    if (code) return code;
    context.addIssue({
      code: "custom",
      message: "Invalid country code. Use a valid ISO 3166-1 alpha-2 country code.",
    });
    return z.NEVER;
  });

interface Waits {
  readonly waitFor: number;
  readonly timeout?: number | undefined;
  readonly actions: z.output<typeof Actions>;
}

/** Rules between fields (contract, sections 1.4 and 1.7). */
export function checkWaits({ waitFor, timeout, actions }: Waits, context: z.RefinementCtx): void {
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
