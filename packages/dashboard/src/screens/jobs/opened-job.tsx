import { useState } from "preact/hooks";

import type { JobAnswer, JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import { ask } from "../../client/ask.ts";
import { jobs, noteJobs } from "../../client/job-news.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { exactly, span } from "../../format/times.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { JobState, kindInWords, Progress, Speed } from "../../parts/job-marks.tsx";
import { Asker } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Notice, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { AgentSteps } from "./agent-steps.tsx";
import { JobWebhook } from "./job-webhook.tsx";
import { SiteTree } from "./site-tree.tsx";

/** Causes and webhooks are looked at again so often. */
const REFRESH_MS = 3000;

interface OpenedJobProps {
  readonly id: string;
  readonly onLeave: () => void;
}

/** One job: how far it is, why pages failed, whom it tells, and its end. */
export function OpenedJob({ id, onLeave }: OpenedJobProps) {
  const news = jobs.value.get(id);
  const loaded = useLoad(
    `job ${id}`,
    async (signal) => {
      const answer = await ask("GET /admin/api/jobs/{id}", { params: { id }, signal });
      noteJobs([answer.data.job]);
      return answer;
    },
    { everyMs: REFRESH_MS, on: news?.state },
  );
  const job = news ?? loaded.data?.data.job;
  return (
    <Page
      title={job === undefined ? "Job" : kindInWords(job.kind)}
      beside={job && <JobState job={job} />}
      acts={
        <>
          <button type="button" class="btn" onClick={onLeave}>
            ‹ All jobs
          </button>
          {job && !job.isPrivate && !isAgent(job) && job.completed > 0 && <Downloads id={id} />}
          {job?.state === "scraping" && <CancelButton id={id} />}
        </>
      }
    >
      <WithData loaded={loaded} lines={8}>
        {({ data }) => <Opened detail={data} job={job ?? data.job} onResent={loaded.reload} />}
      </WithData>
    </Page>
  );
}

interface OpenedProps {
  readonly detail: JobAnswer["data"];
  /** As it is now. */
  readonly job: JobEntry;
  readonly onResent: () => void;
}

function Opened({ detail, job, onResent }: OpenedProps) {
  return (
    <>
      {job.error !== null && <Notice tone="bad" title={job.error} />}
      {job.warnings.map((warning) => (
        <Notice key={warning} tone="warn" title={warning} />
      ))}
      <div class="cols even">
        {!job.isPrivate && (isAgent(job) ? <AgentSteps job={job} /> : <SiteTree job={job} />)}
        <div class="stack wide">
          <JobFacts job={job} />
          <Outcomes outcomes={detail.outcomes} />
          <Causes causes={detail.causes} />
          {detail.receiver && <JobWebhook job={job} receiver={detail.receiver} onResent={onResent} />}
        </div>
      </div>
    </>
  );
}

/** Agents have steps instead of pages. */
function isAgent({ kind }: JobEntry): boolean {
  return kind === "agent";
}

function JobFacts({ job }: { readonly job: JobEntry }) {
  const { id, teamId, keyId, createdAt, endedAt, creditsUsed } = job;
  const lasted = span((endedAt === null ? Date.now() : Date.parse(endedAt)) - Date.parse(createdAt));
  return (
    <Panel title="Progress">
      <dl class="kv">
        <dt>{isAgent(job) ? "Steps" : "Pages"}</dt>
        <dd>
          <Progress job={job} />
        </dd>
        {!isAgent(job) && <PageFacts job={job} />}
        <dt>Credits</dt>
        <dd>{plural(creditsUsed, "credit")}</dd>
        <dt>Started</dt>
        <dd>{exactly(createdAt)}</dd>
        <dt>{endedAt === null ? "Runs for" : "Ended"}</dt>
        <dd>{endedAt === null ? lasted : `${exactly(endedAt)}, after ${lasted}`}</dd>
        <dt>Belongs to</dt>
        <dd>
          <Asker teamId={teamId} keyId={keyId} />
        </dd>
        <dt>Id</dt>
        <dd class="mono foreign">{plainly(id)}</dd>
      </dl>
    </Panel>
  );
}

function PageFacts({ job }: { readonly job: JobEntry }) {
  const { firstUrl, isPrivate, failed, running } = job;
  return (
    <>
      <dt>Pages/s</dt>
      <dd>
        <Speed job={job} />
      </dd>
      <dt>Failed</dt>
      <dd>{count(failed)}</dd>
      <dt>Under way</dt>
      <dd>{count(running)}</dd>
      <dt>First page</dt>
      <dd class="mono foreign">
        {isPrivate ? "not kept: zero data retention" : plainly(firstUrl ?? "not known yet")}
      </dd>
    </>
  );
}

const CAUSE_COLUMNS: readonly Column<JobAnswer["data"]["causes"][number]>[] = [
  {
    heading: "Cause",
    kind: "name",
    cell: ({ code, message }) => (
      <>
        <span class="mono foreign">{plainly(code ?? "without a code")}</span>
        <span class="faint clamped foreign">{plainly(message)}</span>
      </>
    ),
  },
  { heading: "Pages", kind: "number", cell: ({ count: pages }) => count(pages) },
];

function Causes({ causes }: Pick<JobAnswer["data"], "causes">) {
  if (causes.length === 0) return null;
  return (
    <Panel title="Why pages failed">
      <Table label="Causes" columns={CAUSE_COLUMNS} rows={causes} keyOf={({ code }) => code ?? ""} />
    </Panel>
  );
}

const OUTCOME_COLUMNS: readonly Column<JobAnswer["data"]["outcomes"][number]>[] = [
  { heading: "Outcome", kind: "name", cell: ({ outcome }) => plainly(outcome) },
  { heading: "Addresses", kind: "number", cell: ({ count: addresses }) => count(addresses) },
];

function Outcomes({ outcomes }: Pick<JobAnswer["data"], "outcomes">) {
  if (outcomes.length === 0) return null;
  return (
    <Panel title="What became of the addresses">
      <Table label="Outcomes" columns={OUTCOME_COLUMNS} rows={outcomes} keyOf={({ outcome }) => outcome} />
    </Panel>
  );
}

/** All documents that the job has now. */
function Downloads({ id }: { readonly id: string }) {
  const path = `/admin/api/jobs/${encodeURIComponent(id)}/documents`;
  return (
    <>
      <a class="btn" href={`${path}.zip`} download>
        Download Markdown
      </a>
      <a class="btn" href={`${path}.jsonl`} download>
        Download JSON lines
      </a>
    </>
  );
}

function CancelButton({ id }: { readonly id: string }) {
  const [isAsking, setAsking] = useState(false);
  async function cancel(): Promise<string> {
    const { data } = await ask("DELETE /admin/api/jobs/{id}", { params: { id } });
    noteJobs([data]);
    return `Cancelled. ${plural(data.completed, "document")} stay.`;
  }
  return (
    <>
      <button type="button" class="btn danger" onClick={() => setAsking(true)}>
        Cancel job
      </button>
      {isAsking && (
        <Confirm
          title="Cancel this job?"
          verb="Cancel the job"
          refusal="Keep running"
          work={cancel}
          onDone={() => setAsking(false)}
          onClose={() => setAsking(false)}
        >
          No further page is begun, and pages that are being made are given up: they cost nothing. Documents
          that it has stay. It cannot be resumed.
        </Confirm>
      )}
    </>
  );
}
