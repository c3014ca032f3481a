import { AddressList } from "../../answers/lists.tsx";
import { Source } from "../../answers/source.tsx";
import { jobs } from "../../client/job-news.ts";
import { plural } from "../../format/numbers.ts";
import { Badge } from "../../parts/badge.tsx";
import { JobState, Progress } from "../../parts/job-marks.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, Notice, Skeleton } from "../../parts/states.tsx";

type Answer = Readonly<Record<string, unknown>>;

/** How a request about a site ended; undefined before the first. */
export type SiteOutcome =
  | "running"
  | { readonly answer: Answer }
  | { readonly problem: string; readonly details: unknown }
  | undefined;

interface SiteResultProps {
  readonly outcome: SiteOutcome;
  readonly onCancel: () => void;
}

/** The pages of a map, or the job that was started. */
export function SiteResult({ outcome, onCancel }: SiteResultProps) {
  if (outcome === "running") {
    const cancel = (
      <button type="button" class="btn small" onClick={onCancel}>
        Cancel
      </button>
    );
    return (
      <Panel title="Running" beside={cancel}>
        <Skeleton lines={8} />
      </Panel>
    );
  }
  if (outcome === undefined) {
    return (
      <Panel title="Result">
        <Empty title="No request yet">
          Enter a URL above and press Run. The request is charged to the team.
        </Empty>
      </Panel>
    );
  }
  if ("problem" in outcome) {
    return (
      <Panel title="Result" beside={<Badge tone="bad">failed</Badge>}>
        <Notice tone="bad" title={outcome.problem} />
        {outcome.details !== undefined && (
          <pre class="source foreign">{JSON.stringify(outcome.details, null, 2)}</pre>
        )}
      </Panel>
    );
  }
  const { answer } = outcome;
  if (Array.isArray(answer["links"])) return <MappedSite answer={answer} />;
  return answer["data"] === undefined ? <StartedJob answer={answer} /> : <Found answer={answer} />;
}

function MappedSite({ answer }: { readonly answer: Answer }) {
  const links = answer["links"] as readonly { readonly url: string }[];
  const warning = answer["warning"];
  return (
    <Panel title="Result" beside={<span class="faint">{plural(links.length, "page")}</span>}>
      {typeof warning === "string" && <Notice tone="warn" title={warning} />}
      <AddressList addresses={links.map(({ url }) => url)} />
    </Panel>
  );
}

/** The results of a search. */
function Found({ answer: { data, warning } }: { readonly answer: Answer }) {
  const { web = [], news = [] } = data as Readonly<Record<string, readonly { readonly url: string }[]>>;
  const hits = [...web, ...news];
  return (
    <Panel title="Result" beside={<span class="faint">{plural(hits.length, "hit")}</span>}>
      {typeof warning === "string" && <Notice tone="warn" title={warning} />}
      <AddressList addresses={hits.map(({ url }) => url)} />
      <details class="more">
        <summary>Whole response</summary>
        <Source text={JSON.stringify(data, null, 2)} label="answer" />
      </details>
    </Panel>
  );
}

function StartedJob({ answer }: { readonly answer: Answer }) {
  const id = String(answer["id"]);
  const job = jobs.value.get(id);
  const invalid = Array.isArray(answer["invalidURLs"]) ? answer["invalidURLs"].map(String) : [];
  return (
    <Panel title="Job" beside={job && <JobState job={job} />}>
      <div class="pad stack">
        {job && <Progress job={job} />}
        <p>
          <a class="btn" href={`/dashboard/jobs?id=${encodeURIComponent(id)}`}>
            Open job
          </a>
        </p>
      </div>
      {invalid.length > 0 && (
        <>
          <Notice tone="warn" title={`${plural(invalid.length, "URL")} cannot be scraped.`} />
          <AddressList addresses={invalid} />
        </>
      )}
    </Panel>
  );
}
