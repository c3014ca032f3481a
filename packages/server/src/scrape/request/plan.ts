import { withoutCredentials } from "@pergamon-dev/kit/url";
import type { Visit } from "../../fetch/visit.ts";
import { type CachePlan, cachePlan } from "./cache-plan.ts";
import { exportUrl } from "./export-url.ts";
import { type OptionsPlan, planOptions } from "./options-plan.ts";
import { replayRecipe } from "./replay-recipe.ts";
import type { ScrapeRequest } from "./schema.ts";

export type { PlannedFormat, Recipe } from "./options-plan.ts";
export type { CachePlan };

/** Every decision about a request that needs no network. */
export interface Plan extends Omit<OptionsPlan, "visit" | "cache" | "replay"> {
  /** As it was sent, but without user name and password, which only the visit gets to know. */
  readonly sourceUrl: string;
  /** Of the source URL, without port. */
  readonly host: string;
  readonly visit: Omit<Visit, "teamId">;
  readonly cache: CachePlan;
  /** How its page is opened again, as JSON; undefined when its URL says it all. */
  readonly replay: string | undefined;
}

/** Turns a request into the decisions that follow from it. Pure. */
export function planScrape(request: ScrapeRequest, warnings: readonly string[] = []): Plan {
  return planAddress(request.url, planOptions(request, warnings));
}

/** What follows for one address from options that are planned already: cheap, as there may be a million of them. Pure. */
export function planAddress(url: string, options: OptionsPlan): Plan {
  return {
    ...options,
    sourceUrl: withoutCredentials(url),
    host: new URL(url).hostname,
    visit: { ...options.visit, url: exportUrl(url) },
    cache: cachePlan(url, options.cache),
    replay: replayRecipe(url, options.replay),
  };
}
