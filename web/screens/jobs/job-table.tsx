import type { JobEntry } from "../../../src/contract/operator/jobs.ts";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { TeamName } from "../../parts/names.tsx";
import { jobName, JobState, kindInWords, Progress, Speed } from "../../parts/job-marks.tsx";

/** Jobs, newest first. */
export function JobTable({ jobs }: { readonly jobs: readonly JobEntry[] }) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th>Job</th>
            <th class="wide-only">Team</th>
            <th>State</th>
            <th>Pages</th>
            <th class="num wide-only">Pages/s</th>
            <th class="num">Failed</th>
            <th class="num wide-only">Credits</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function JobRow({ job }: { readonly job: JobEntry }) {
  const { id, kind, teamId, createdAt, firstUrl, question, failed, creditsUsed } = job;
  return (
    <tr>
      <td class="fills">
        <a
          class={question === null ? "mono foreign" : "foreign"}
          href={`/dashboard/jobs?id=${encodeURIComponent(id)}`}
          title={plainly(question ?? firstUrl ?? id)}
        >
          {jobName(job)}
        </a>
        <span class="faint" title={exactly(createdAt)}>
          {`${kindInWords(kind)} · ${moment(createdAt)}`}
        </span>
      </td>
      <td class="wide-only dim team">
        <TeamName teamId={teamId} />
      </td>
      <td>
        <JobState job={job} />
      </td>
      <td>
        <Progress job={job} />
      </td>
      <td class="num wide-only">
        <Speed job={job} />
      </td>
      <td class="num">{count(failed)}</td>
      <td class="num wide-only">{count(creditsUsed)}</td>
    </tr>
  );
}
