import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import { ask } from "../../client/ask.ts";
import { jobs, newJobs, noteJobs } from "../../client/job-news.ts";
import { useLoad } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { count } from "../../format/numbers.ts";
import { Choice } from "../../parts/choice.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { JobTable } from "./job-table.tsx";
import { OpenedJob } from "./opened-job.tsx";
import { WebhookSecretButton } from "./webhook-secret.tsx";

/** Jobs of other processes tell nothing here: they are looked at again so often. */
const REFRESH_MS = 10_000;
/** Shown at once. */
const ROWS = 200;

type State = JobEntry["state"] | "";

const STATES = {
  scraping: "Running",
  completed: "Completed",
  cancelled: "Cancelled",
  failed: "Failed",
} as const;

/** Work on many pages: how far it is, what came of it, and an end to it. */
export function Jobs() {
  const { query, route } = useLocation();
  const id = query["id"];
  if (id !== undefined) return <OpenedJob key={id} id={id} onLeave={() => route("/dashboard/jobs")} />;
  return <JobList />;
}

function JobList() {
  const [team, setTeam] = useState("");
  const [kind, setKind] = useState("");
  const [state, setState] = useState<State>("");
  const query = { team, kind, limit: ROWS, ...(state !== "" && { state }) };
  const loaded = useLoad(
    `jobs ${JSON.stringify(query)}`,
    async (signal) => {
      const answer = await ask("GET /admin/api/jobs", { query, signal });
      noteJobs(answer.data);
      return answer;
    },
    { everyMs: REFRESH_MS, on: newJobs.value },
  );
  const rows = (loaded.data?.data ?? []).map((job) => jobs.value.get(job.id) ?? job);
  const running = rows.filter((job) => job.state === "scraping").length;
  const isFiltered = team + kind + state !== "";
  return (
    <Page
      title="Jobs"
      beside={<span class="faint">{`${count(running)} running`}</span>}
      acts={<WebhookSecretButton />}
    >
      <div class="filters" role="search">
        <Choice
          label="Kind"
          all="Any kind"
          options={Object.fromEntries((session.value?.kinds ?? []).map(({ name, title }) => [name, title]))}
          value={kind}
          onChange={setKind}
        />
        <Choice
          label="State"
          all="Any state"
          options={STATES}
          value={state}
          onChange={(chosen) => setState(chosen as State)}
        />
        <TeamChoice value={team} onChange={setTeam} everybody="All teams" />
      </div>
      <Panel label="Jobs">
        <WithData loaded={loaded}>
          {({ cursor }) => (
            <>
              {rows.length === 0 ? <NoJob isFiltered={isFiltered} /> : <JobTable jobs={rows} />}
              {cursor !== null && <p class="more help">{`The newest ${count(ROWS)} are shown.`}</p>}
            </>
          )}
        </WithData>
      </Panel>
    </Page>
  );
}

function NoJob({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered) return <Empty title="No job fits">Choose another kind, state or team.</Empty>;
  return (
    <Empty title="No job has been started" act={<CopyLine value={startCommand()} label="command" />}>
      A job is work on many pages. It is seen here while it runs, and as long as its documents are kept. Start
      one with this command:
    </Empty>
  );
}

function startCommand(): string {
  const { baseUrl, auth } = session.value ?? { baseUrl: "", auth: "keys" };
  const key = auth === "open" ? "" : ` \\\n  -H "authorization: Bearer $FIRECRAWL_API_KEY"`;
  const body = JSON.stringify({ urls: ["https://example.com", "https://example.org"] });
  return `curl -sS '${baseUrl}/v2/batch/scrape' \\\n  -H 'content-type: application/json'${key} \\\n  -d '${body}'`;
}
