import { useState } from "preact/hooks";

import type { CheckAnswer } from "@pergamon-dev/server/monitor/operator";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly } from "../../format/times.ts";
import { Choice } from "../../parts/choice.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Notice, WithData } from "../../parts/states.tsx";
import { CheckState, PageState, summaryInWords } from "./check-marks.tsx";
import { PageDifferences } from "./page-differences.tsx";

/** Pages that are shown at once. */
const PAGES = 50;

type PageStatus = CheckAnswer["data"]["pages"][number]["status"];

const STATUSES = { changed: "Changed", new: "New", removed: "Removed", error: "Failed", same: "Same" };

interface OpenedCheckProps {
  readonly id: string;
  readonly checkId: string;
  readonly onLeave: () => void;
}

/** What a check found, page by page. */
export function OpenedCheck({ id, checkId, onLeave }: OpenedCheckProps) {
  const [status, setStatus] = useState<PageStatus | "">("");
  const [skip, setSkip] = useState(0);
  const loaded = useAnswer("GET /admin/api/monitors/{id}/checks/{checkId}", {
    params: { id, checkId },
    query: { limit: PAGES, skip, ...(status !== "" && { status }) },
  });
  function choose(chosen: string): void {
    setStatus(chosen as PageStatus | "");
    setSkip(0);
  }
  return (
    <Page
      title="Check"
      acts={
        <button type="button" class="btn" onClick={onLeave}>
          ‹ All checks
        </button>
      }
    >
      <div class="filters" role="search">
        <Choice label="Result" all="Any result" options={STATUSES} value={status} onChange={choose} />
      </div>
      <WithData loaded={loaded}>
        {({ data }) => (
          <div class="stack">
            <CheckFacts check={data.check} />
            {data.pages.length === 0 && <Empty title="No page">No page of this check has that result.</Empty>}
            {data.pages.map((page) => (
              <CheckPage key={page.id} page={page} />
            ))}
            <p class="row">
              {skip > 0 && (
                <button type="button" class="btn small" onClick={() => setSkip(skip - PAGES)}>
                  ‹ Previous pages
                </button>
              )}
              {data.hasMore && (
                <button type="button" class="btn small" onClick={() => setSkip(skip + PAGES)}>
                  Next pages ›
                </button>
              )}
            </p>
          </div>
        )}
      </WithData>
    </Page>
  );
}

function CheckFacts({ check }: Pick<CheckAnswer["data"], "check">) {
  const { status, summary, createdAt, error, warning } = check;
  return (
    <>
      <p class="row">
        <CheckState status={status} /> {exactly(createdAt)}{" "}
        <span class="faint">{summaryInWords(summary)}</span>
      </p>
      {error !== null && (
        <Notice tone="bad" title="Not all of it could be done">
          <p class="foreign">{plainly(error)}</p>
        </Notice>
      )}
      {warning !== undefined && (
        <Notice tone="warn" title="What is missing">
          <p class="foreign">{plainly(warning)}</p>
        </Notice>
      )}
    </>
  );
}

function CheckPage({ page }: { readonly page: CheckAnswer["data"]["pages"][number] }) {
  const { url, status, error, judgment, currentScrapeId } = page;
  return (
    <Panel label={`Page ${plainly(url)}`}>
      <header>
        <PageState status={status} />
        <div class="grow">
          <span class="mono cut foreign" title={plainly(url)}>
            {plainly(url)}
          </span>
        </div>
        {currentScrapeId !== null && (
          <a class="btn small" href={`/dashboard/requests?id=${encodeURIComponent(currentScrapeId)}`}>
            Request
          </a>
        )}
      </header>
      {error !== null && <p class="more foreign">{plainly(error)}</p>}
      {judgment !== null && (
        <Notice
          tone={judgment.meaningful ? "warn" : "ok"}
          title={judgment.meaningful ? "This matters for the goal" : "This does not matter for the goal"}
        >
          <p class="foreign">{plainly(judgment.reason)}</p>
        </Notice>
      )}
      <PageDifferences page={page} />
    </Panel>
  );
}
