import { isJsonObject } from "@pergamon-dev/kit/json";
import { planForAll, type PlannedOptions } from "../scrape/request/planned-options.ts";
import { scrapeOptionsSchema } from "../scrape/request/schema.ts";
import type { MonitorPlan } from "./request.ts";
import type { Target } from "./targets.ts";
import { type TrackedOptions, trackedOptions } from "./tracked-options.ts";

/** Scrape options and comparison of a target's pages. */
interface TargetPlan extends TrackedOptions {
  readonly pages: PlannedOptions;
}

/** What a check does. It never changes. */
export interface CheckPlan extends MonitorPlan {
  ofTarget(target: Target): TargetPlan;
}

export function planCheck(plan: MonitorPlan): CheckPlan {
  const planned = new Map<string, TargetPlan>();
  return {
    ...plan,
    ofTarget(target) {
      const known = planned.get(target.id) ?? planTarget(target);
      planned.set(target.id, known);
      return known;
    },
  };
}

/** @throws ZodError for invalid options. */
export function planTarget(target: Target): TargetPlan {
  const tracked = trackedOptions(pageOptionsOf(target), target.type === "search" ? {} : target);
  return { ...tracked, pages: planForAll(scrapeOptionsSchema().parse(tracked.scrape), tracked.scrape) };
}

/** Scrape options of a target's pages, before parsing. */
export function pageOptionsOf(target: Target): object | undefined {
  if (target.type === "search") return RESULT_OPTIONS;
  if (target.type === "scrape" || target.scrapeOptions) return target.scrapeOptions;
  const { scrapeOptions: own } = (target.crawlOptions ?? {}) as { readonly scrapeOptions?: unknown };
  return isJsonObject(own) ? own : undefined;
}

/** A result costs one credit even if its document is long, because the first page shows what it is about. */
const RESULT_OPTIONS = { parsers: [{ type: "pdf", maxPages: 1 }] };
