import type { Task } from "../jobs/job-handler.ts";
import type { JobRun } from "../jobs/run-rows.ts";
import type { RunPlace } from "../jobs/run-place.ts";
import type { CrawlPlan } from "./crawl-plans.ts";
import type { Crawl } from "./crawl-rows.ts";

/** A step of a crawl under way. */
export interface CrawlStep {
  readonly step: Task;
  readonly place: RunPlace;
  readonly run: JobRun;
  readonly crawl: Crawl;
  readonly plan: CrawlPlan;
  readonly signal: AbortSignal;
}
