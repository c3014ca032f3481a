import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { JobAnswer, JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import { Source } from "../../answers/source.tsx";
import { ask, ServiceProblem } from "../../client/ask.ts";
import { optionsOf, post, routeOfPosts } from "../../client/post.ts";
import { jobs, noteJobs, speedOf } from "../../client/job-news.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { exactly, span } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { JobState, kindInWords, Progress, Speed } from "../../parts/job-marks.tsx";
import { Asker } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Notice, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { act } from "../../parts/toasts.tsx";
import { AgentSteps } from "./agent-steps.tsx";
import { JobHeat } from "./heat.tsx";
import { JobWebhook } from "./job-webhook.tsx";
import { SiteTree } from "./site-tree.tsx";

const POST_MS = 60_000;
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
          {loaded.data && job && <Again job={job} request={loaded.data.data.request} />}
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
        {!job.isPrivate &&
          (isAgent(job) ? (
            <AgentSteps job={job} />
          ) : (
            <SiteTree job={job} isPictured={hasScreenshots(detail.request)} />
          ))}
        <div class="stack wide">
          <JobFacts job={job} />
          <Outcomes outcomes={detail.outcomes} />
          <Causes causes={detail.causes} />
          <Asked request={detail.request} />
          {detail.receiver && <JobWebhook job={job} receiver={detail.receiver} onResent={onResent} />}
        </div>
      </div>
      {!job.isPrivate && !isAgent(job) && <JobHeat job={job} />}
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
  const foreseen = endOf(job);
  return (
    <Panel title="Progress">
      <dl class="kv">
        <dt>{isAgent(job) ? "Steps" : "Pages"}</dt>
        <dd>
          <Progress job={job} />
        </dd>
        {!isAgent(job) && <PageFacts job={job} />}
        <dt>Credits</dt>
        <dd>
          {plural(creditsUsed, "credit")}
          {foreseen && <span class="faint">{`, about ${count(foreseen.credits)} at its end`}</span>}
        </dd>
        {foreseen && (
          <>
            <dt>Ends</dt>
            <dd>{`in about ${span(foreseen.leftMs)}`}</dd>
          </>
        )}
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

/** When a job will end and what it will have cost, at the speed and price of its pages so far. */
function endOf(job: JobEntry): { readonly leftMs: number; readonly credits: number } | undefined {
  const { completed, failed, total, state, creditsUsed } = job;
  const [speed, made] = [speedOf(job), completed + failed];
  if (state !== "scraping" || isAgent(job) || !speed || made === 0) return undefined;
  return { leftMs: ((total - made) * 1000) / speed, credits: Math.round((creditsUsed * total) / made) };
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

type Request = JobAnswer["data"]["request"];

function Asked({ request }: { readonly request: Request }) {
  if (request === null) return null;
  return (
    <details class="panel folded">
      <summary>
        <b class="grow">What was asked</b>
      </summary>
      <Source text={JSON.stringify(request.body, null, 2)} label="request" />
    </details>
  );
}

/** Whether its pages are made with a screenshot. */
function hasScreenshots(request: Request): boolean {
  if (request === null) return false;
  const asked = optionsOf(request);
  const { formats } = (asked["scrapeOptions"] ?? asked) as { readonly formats?: unknown };
  // A format is its name, perhaps with a variant after an @, or an object with its type.
  return /"screenshot[@"]/.test(JSON.stringify(formats ?? []));
}

/** Failures that are tried again at once. */
const MAX_RETRIED = 1000;

interface AgainProps {
  readonly job: JobEntry;
  readonly request: Request;
}

/** The same job with changes, and a batch of the pages that failed. */
function Again({ job: { id, teamId, kind, failed }, request }: AgainProps) {
  const { route } = useLocation();
  if (request === null || !(kind === "crawl" || kind === "batch_scrape")) return null;
  const options = optionsOf(request);
  async function retry(): Promise<string> {
    const query = { state: "failed" as const, limit: MAX_RETRIED };
    const { data } = await ask("GET /admin/api/jobs/{id}/pages", { params: { id }, query });
    const urls = data.flatMap(({ url }) => url ?? []);
    const pages = kind === "crawl" ? options["scrapeOptions"] : options;
    const body = { ...(pages as object), urls };
    const answer = await post("/v2/batch/scrape", body, teamId, AbortSignal.timeout(POST_MS));
    if (answer instanceof ServiceProblem) throw answer;
    route(`/dashboard/jobs?id=${encodeURIComponent(String(answer["id"]))}`);
    return `${plural(urls.length, "page")} ${urls.length === 1 ? "is" : "are"} tried again.`;
  }
  return (
    <>
      {failed > 0 && (
        <ActButton route={routeOfPosts()} class="btn" onClick={() => void act(retry)}>
          {`Retry ${count(Math.min(failed, MAX_RETRIED))} failed`}
        </ActButton>
      )}
      <a
        class="btn"
        href={`/dashboard/playground?endpoint=${kind === "crawl" ? "crawl" : "batch"}&job=${encodeURIComponent(id)}`}
      >
        Run again with changes
      </a>
    </>
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
      <ActButton route="DELETE /admin/api/jobs/{id}" class="btn danger" onClick={() => setAsking(true)}>
        Cancel job
      </ActButton>
      {isAsking && (
        <Confirm
          title="Cancel this job?"
          verb="Cancel the job"
          route="DELETE /admin/api/jobs/{id}"
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
