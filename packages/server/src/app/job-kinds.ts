import { agent } from "../agent/agent.ts";
import { batch } from "../batch/batch.ts";
import { crawl } from "../crawl/crawl.ts";
import { extract } from "../extract/extract.ts";
import { monitor } from "../monitor/monitor.ts";
import type { JobKind } from "../jobs/job-kind.ts";

/** All kinds of jobs. Operations, storage, deletion and the operator's screen follow from this table. */
export const jobKinds: readonly JobKind[] = [crawl, batch, extract, agent, monitor];
