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
 *
 * @param admitsHost opens host names without a top-level domain that the operator allowed.
 * @param formats what may be named under `formats`.
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

/** As the reference describes it, and all bodies that share its fields: building it takes longer than most modules. */
export const documentedScrapeRequest = lazy(() => scrapeRequestSchema(() => false));

export type ScrapeRequest = z.output<ReturnType<typeof scrapeRequestSchema>>;

/** A request but for its address. */
export type ScrapeOptions = Omit<ScrapeRequest, "url">;

/** The options that all pages of a job share (contract of the families, section 1.6). All jobs have the same schema. */
export const scrapeOptionsSchema = lazy(() =>
  scrapeOptionsObject().superRefine(checkWaits).transform(optionsOfJob),
);

/** The same without the rules between fields (`checkWaits`), for bodies that have fields of the job among them. */
export const scrapeOptionsObject = lazy(() =>
  scrapeOptions({
    formats: formatList(formatRequests),
    actions: Actions.default([]),
    country: Country,
    threatProtection: ThreatProtection,
  }),
);

/** The options of pages, with what only single requests may ask for. */
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
    // The wording of the problem is fixed by the interface (contract, section 1.6).
    context.addIssue({ code: "custom", message, ...(hint !== undefined && { params: { hint } }) });
    return z.NEVER;
  });
}

/** Longer than the name of any country, so that the error can name one that was sent instead of a code. */
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
