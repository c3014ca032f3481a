import type { JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { jobName, JobState, kindInWords, Progress, Speed } from "../../parts/job-marks.tsx";
import { teamColumn } from "../../parts/names.tsx";
import { type Column, Table } from "../../parts/table.tsx";

/** Jobs, newest first. */
export function JobTable({ jobs }: { readonly jobs: readonly JobEntry[] }) {
  return <Table label="Jobs" columns={COLUMNS} rows={jobs} keyOf={({ id }) => id} />;
}

const COLUMNS: readonly Column<JobEntry>[] = [
  {
    heading: "Job",
    by: ({ createdAt }) => createdAt,
    kind: "name",
    cell: (job) => (
      <>
        <a
          class={job.question === null ? "mono foreign" : "foreign"}
          href={`/dashboard/jobs?id=${encodeURIComponent(job.id)}`}
          title={plainly(job.question ?? job.firstUrl ?? job.id)}
        >
          {jobName(job)}
        </a>
        <span class="faint" title={exactly(job.createdAt)}>
          {`${kindInWords(job.kind)} · ${moment(job.createdAt)}`}
        </span>
      </>
    ),
  },
  teamColumn,
  { heading: "State", by: ({ state }) => state, cell: (job) => <JobState job={job} /> },
  { heading: "Pages", by: ({ completed }) => completed, cell: (job) => <Progress job={job} /> },
  { heading: "Pages/s", kind: "number", from: "wide", cell: (job) => <Speed job={job} /> },
  { heading: "Failed", by: ({ failed }) => failed, kind: "number", cell: ({ failed }) => count(failed) },
  {
    heading: "Credits",
    by: ({ creditsUsed }) => creditsUsed,
    kind: "number",
    from: "wide",
    cell: ({ creditsUsed }) => count(creditsUsed),
  },
];
