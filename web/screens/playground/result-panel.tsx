import { AnswerTabs } from "../../answers/answer-tabs.tsx";
import { Differences } from "../../answers/differences.tsx";
import { type ScrapedDocument, scrapeIdOf, warningsOf } from "../../answers/document.ts";
import { TimeSpent } from "../../answers/time-spent.tsx";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plural } from "../../format/numbers.ts";
import { duration } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, Notice, Skeleton, WithData } from "../../parts/states.tsx";
import type { Outcome } from "./run.ts";

interface ResultPanelProps {
  readonly outcome: Outcome | undefined;
  /** Id of the run before, to compare with. */
  readonly previousId: string | undefined;
  readonly isRunning: boolean;
  readonly onCancel: () => void;
  /** What to do first. */
  readonly hint?: string;
}

/** What the last run brought, or why it brought nothing. */
export function ResultPanel({
  outcome,
  previousId,
  isRunning,
  onCancel,
  hint = "Enter a URL above and press Run.",
}: ResultPanelProps) {
  if (isRunning) {
    return (
      <Panel title="Running" beside={<Cancel onCancel={onCancel} />}>
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
    <Panel label="Result">
      <Brought
        document={outcome.document ?? {}}
        formats={outcome.formats}
        durationMs={outcome.durationMs}
        previousId={previousId}
      />
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
  readonly formats: readonly string[];
  readonly document: ScrapedDocument;
  readonly durationMs: number;
  readonly previousId: string | undefined;
}

function Brought({ document, formats, durationMs, previousId }: BroughtProps) {
  const id = scrapeIdOf(document);
  const { metadata = {} } = document;
  const status = Number(metadata["statusCode"]);
  const credits = Number(metadata["creditsUsed"] ?? 0);
  const isGood = status >= 200 && status < 400;
  const compare = {
    title: "Compare",
    has: () => previousId !== undefined && id !== undefined,
    show: () => <Compared a={previousId ?? ""} b={id ?? ""} />,
  };
  return (
    <>
      <AnswerTabs
        document={document}
        formats={formats}
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
  const loaded = useLoad((signal) => ask("GET /admin/api/requests/{id}", { params: { id }, signal }), [id]);
  const { timings, request } = loaded.data?.data ?? {};
  return timings && request && <TimeSpent stages={timings} totalMs={request.durationMs} />;
}

function Compared({ a, b }: { readonly a: string; readonly b: string }) {
  const loaded = useLoad((signal) => ask("GET /admin/api/compare", { query: { a, b }, signal }), [a, b]);
  return <WithData loaded={loaded}>{({ data }) => <Differences comparison={data} />}</WithData>;
}
