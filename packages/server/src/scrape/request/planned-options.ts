import { lazy } from "@pergamon-dev/kit/lazy";
import type { PlannedScrape } from "./job.ts";
import { keptBody } from "./kept-body.ts";
import { planOptions } from "./options-plan.ts";
import { planAddress } from "./plan.ts";
import { lastingPart, reduceRequest } from "./retention.ts";
import type { ScrapeOptions } from "./schema.ts";

/** Options that are planned once for all addresses of a job. */
export interface PlannedOptions {
  /** @param url in the form that `targetUrl` returns. */
  for(url: string): PlannedScrape;
}

/**
 * @param options as `scrapeOptionsSchema` returns them, with the `zeroDataRetention` of their job.
 * @param body the options as they were sent. Operators see them without secrets.
 */
export function planForAll(options: ScrapeOptions, body: object): PlannedOptions {
  const plan = planOptions(lastingPart(options));
  // Refuses options that would leave data behind, when the job may leave none.
  const traceless = lazy(() => {
    const { request, warnings } = reduceRequest(options);
    return planOptions(request, warnings);
  });
  return {
    for: (url) => ({
      request: { ...options, url },
      plan: planAddress(url, plan),
      planWithoutTraces: () => planAddress(url, traceless()),
      kept: lazy(() => keptBody({ ...body, url })),
    }),
  };
}
