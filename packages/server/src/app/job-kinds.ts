import { agent } from "../agent/agent.ts";
import { batch } from "../batch/batch.ts";
import { crawl } from "../crawl/crawl.ts";
import { extract } from "../extract/extract.ts";
import type { JobKind } from "../jobs/job-kind.ts";
import type { JobTable } from "../jobs/kept-jobs.ts";
import { PAGE_LIST_TABLE } from "../jobs/page-list.ts";

/** All kinds of jobs: operations, storage, deletion and the operator's screen follow from this table. */
export const jobKinds: readonly JobKind[] = [crawl, batch, extract, agent];

/** What is kept of jobs, besides what all of them have. */
export function tablesOf(kinds: readonly JobKind[]): readonly JobTable[] {
  return [PAGE_LIST_TABLE, ...kinds.flatMap(({ tables }) => tables)];
}
