import { batch } from "../batch/batch.ts";
import { crawl } from "../crawl/crawl.ts";
import { PAGE_LIST_TABLE } from "../jobs/page-list.ts";

/** All kinds of jobs: operations, storage, deletion and the operator's screen follow from this table. */
export const jobKinds = [batch, crawl] as const;

/** What is kept of jobs, besides what all of them have. */
export const jobTables = [PAGE_LIST_TABLE, ...jobKinds.flatMap(({ tables }) => tables)];
