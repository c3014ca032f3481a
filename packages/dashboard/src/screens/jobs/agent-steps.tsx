import type { AgentAnswer } from "@pergamon-dev/server/agent/operator";
import type { JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { duration, exactly } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

type Shown = AgentAnswer["data"];
type Step = Shown["steps"][number];

const REFRESH_MS = 3000;

interface AgentStepsProps {
  readonly job: JobEntry;
}

/** What an agent was asked, what it does, step by step as it comes, and what it has found. */
export function AgentSteps({ job }: AgentStepsProps) {
  const loaded = useAnswer(
    "GET /admin/api/jobs/{id}/steps",
    { params: { id: job.id } },
    { everyMs: job.state === "scraping" ? REFRESH_MS : 30_000, on: `${job.state} ${job.completed}` },
  );
  return (
    <WithData loaded={loaded} lines={8}>
      {({ data }) => (
        <div class="stack wide">
          <Question asked={data} />
          {data.answer && <Answer answer={data.answer} sources={data.sources} />}
          <Steps steps={data.steps} isOver={job.state !== "scraping"} />
        </div>
      )}
    </WithData>
  );
}

function Question({ asked: { question, urls } }: { readonly asked: Shown }) {
  return (
    <Panel title="Question">
      <p class="asked foreign">{plainly(question)}</p>
      {urls.map((url) => (
        <p key={url} class="asked mono foreign">
          {plainly(url)}
        </p>
      ))}
    </Panel>
  );
}

interface AnswerProps {
  readonly answer: NonNullable<Shown["answer"]>;
  readonly sources: readonly string[];
}

function Answer({ answer: { text, isPartial }, sources }: AnswerProps) {
  return (
    <Panel title={isPartial ? "Answer so far" : "Answer"}>
      {/* A keyboard has to reach what is longer than its place. */}
      <pre class="asked foreign deliveries" tabIndex={0} aria-label="Answer">
        {text}
      </pre>
      {sources.length > 0 && (
        <dl class="kv">
          <dt>{sources.length === 1 ? "Source" : "Sources"}</dt>
          {sources.map((url) => (
            <dd key={url} class="mono foreign">
              {plainly(url)}
            </dd>
          ))}
        </dl>
      )}
    </Panel>
  );
}

interface StepsProps {
  readonly steps: readonly Step[];
  readonly isOver: boolean;
}

function Steps({ steps, isOver }: StepsProps) {
  return (
    <Panel title="Steps">
      <Table
        label="Steps"
        columns={COLUMNS}
        rows={steps}
        keyOf={({ number }) => number}
        empty={
          <Empty title={isOver ? "It ended before its first step" : "It is choosing its first step"}>
            Steps appear here as soon as they are done.
          </Empty>
        }
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<Step>[] = [
  { heading: "No.", kind: "number", cell: ({ number }) => count(number) },
  {
    heading: "Step",
    kind: "name",
    cell: ({ tool, input, reason, note, startedAt }) => {
      const asked = tool === "done" ? "" : plainly(input);
      return (
        <>
          <span class="mono foreign" title={`${asked} ${exactly(startedAt)}`.trim()}>
            {`${plainly(tool)} ${asked}`}
          </span>
          {reason !== null && <span class="faint clamped foreign">{plainly(reason)}</span>}
          {note !== null && <span class="faint clamped foreign">{`Noted: ${plainly(note)}`}</span>}
        </>
      );
    },
  },
  { heading: "What came of it", class: "words", cell: (step) => <Outcome step={step} /> },
  {
    heading: "Took",
    kind: "number",
    from: "wide",
    cell: ({ startedAt, endedAt }) => duration(Date.parse(endedAt) - Date.parse(startedAt)),
  },
  { heading: "Credits", kind: "number", cell: ({ creditsUsed }) => count(creditsUsed) },
];

function Outcome({ step: { summary, isFailure, isSteering, pages } }: { readonly step: Step }) {
  return (
    <>
      {isFailure && <Badge tone="bad">failed</Badge>}
      {isSteering && <Badge tone="warn">gives orders to models</Badge>}
      <span class="clamped foreign">{plainly(summary)}</span>
      {pages.map(({ url, requestId }) => (
        <a
          key={requestId}
          class="btn small"
          href={`/dashboard/requests?id=${encodeURIComponent(requestId)}`}
          title={plainly(url)}
        >
          Request
        </a>
      ))}
    </>
  );
}
