import { lazy } from "@pergamon-dev/kit/lazy";
import type { PlannedScrape } from "./job.ts";
import { keptBody } from "./kept-body.ts";
import { planOptions } from "./options-plan.ts";
import { planAddress } from "./plan.ts";
import { lastingPart, reduceRequest } from "./retention.ts";
import type { ScrapeOptions } from "./schema.ts";

/** Options that are planned once, for as many addresses as a job has. */
export interface PlannedOptions {
  /** @param url as `targetUrl` spells it. */
  for(url: string): PlannedScrape;
}

/**
 * @param options as `scrapeOptionsSchema` gives them; with the `zeroDataRetention` of their job.
 * @param body the same as they were sent, of which operators see what is not secret.
 */
export function planForAll(options: ScrapeOptions, body: object): PlannedOptions {
  const plan = planOptions(lastingPart(options));
  // Refuses what would leave something behind, when it is known that nothing may.
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
