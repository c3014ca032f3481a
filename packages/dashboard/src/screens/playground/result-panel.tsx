import { AnswerTabs } from "../../answers/answer-tabs.tsx";
import { Differences } from "../../answers/differences.tsx";
import { type ScrapedDocument, scrapeIdOf, warningsOf } from "../../answers/document.ts";
import { TimeSpent } from "../../answers/time-spent.tsx";
import { useAnswer } from "../../client/load.ts";
import { plural } from "../../format/numbers.ts";
import { duration } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, Notice, Skeleton, WithData } from "../../parts/states.tsx";
import type { Outcome } from "./run.ts";
import { RunningTime } from "./running-time.tsx";

interface ResultPanelProps {
  readonly outcome: Outcome | undefined;
  /** The run before, to compare with. */
  readonly previous?: Outcome | undefined;
  /** What its tabs are named, where two results stand side by side. */
  readonly name?: string;
  readonly isRunning: boolean;
  readonly onCancel: () => void;
  /** What to do first. */
  readonly hint?: string;
}

/** What the last run brought, or why it brought nothing. */
export function ResultPanel({
  outcome,
  previous,
  name = "Response",
  isRunning,
  onCancel,
  hint = "Enter a URL above and press Run.",
}: ResultPanelProps) {
  if (isRunning) {
    return (
      <Panel
        title="Running"
        beside={
          <>
            <RunningTime />
            <Cancel onCancel={onCancel} />
          </>
        }
      >
        <Skeleton lines={8} />
      </Panel>
    );
  }
  if (!outcome) {
    return (
      <Panel title="Result">
        <Empty title="No request yet">{hint}</Empty>
      </Panel>
    );
  }
  if (outcome.problem) return <Failure outcome={outcome} />;
  return (
    <Panel label={name === "Response" ? "Result" : name}>
      <Brought outcome={outcome} document={outcome.document ?? {}} previous={previous} name={name} />
    </Panel>
  );
}

function Cancel({ onCancel }: { readonly onCancel: () => void }) {
  return (
    <button type="button" class="btn small" onClick={onCancel}>
      Cancel
    </button>
  );
}

function Failure({ outcome }: { readonly outcome: Outcome }) {
  const { problem, durationMs } = outcome;
  return (
    <Panel title="Result" beside={<Badge tone="bad">{problem?.code ?? String(problem?.status)}</Badge>}>
      <Notice tone="bad" title={problem?.message ?? "The request failed."}>
        Time: {duration(durationMs)}.{" "}
        <a class="link" href={`/dashboard/requests?search=${encodeURIComponent(outcome.url)}`}>
          Show in the log
        </a>
      </Notice>
      {problem?.details !== undefined && (
        <pre class="source foreign">{JSON.stringify(problem.details, null, 2)}</pre>
      )}
    </Panel>
  );
}

interface BroughtProps {
  readonly outcome: Outcome;
  readonly document: ScrapedDocument;
  readonly previous: Outcome | undefined;
  readonly name: string;
}

function Brought({ outcome: { formats, durationMs }, document, previous, name }: BroughtProps) {
  const id = scrapeIdOf(document);
  const previousId = previous?.document && scrapeIdOf(previous.document);
  const { metadata = {} } = document;
  const status = Number(metadata["statusCode"]);
  const credits = Number(metadata["creditsUsed"] ?? 0);
  const isGood = status >= 200 && status < 400;
  const compare = {
    title: "Compare",
    has: () => previousId !== undefined && id !== undefined && previousId !== id,
    show: () => <Compared a={previousId ?? ""} b={id ?? ""} />,
  };
  return (
    <>
      <AnswerTabs
        document={document}
        formats={formats}
        name={name}
        more={{ compare }}
        beside={
          <>
            <Badge tone={isGood ? "ok" : "warn"}>{status}</Badge>
            <span class="faint">{`${duration(durationMs)} · ${plural(credits, "credit")}`}</span>
          </>
        }
      />
      {warningsOf(document).map((warning) => (
        <Notice key={warning} tone="warn" title={warning} />
      ))}
      {id !== undefined && <Spent id={id} />}
    </>
  );
}

function Spent({ id }: { readonly id: string }) {
  const loaded = useAnswer("GET /admin/api/requests/{id}", { params: { id } }, { everyMs: "fixed" });
  const { timings, request } = loaded.data?.data ?? {};
  return timings && request && <TimeSpent stages={timings} totalMs={request.durationMs} />;
}

function Compared({ a, b }: { readonly a: string; readonly b: string }) {
  const loaded = useAnswer("GET /admin/api/compare", { query: { a, b } }, { everyMs: "fixed" });
  return <WithData loaded={loaded}>{({ data }) => <Differences comparison={data} />}</WithData>;
}
