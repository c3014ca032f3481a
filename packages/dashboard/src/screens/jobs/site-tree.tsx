import { useMemo, useState } from "preact/hooks";

import type { JobEntry, JobPage } from "@pergamon-dev/server/jobs/operator/show-job";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { Badge, type Tone } from "../../parts/badge.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { RequestThumbnail } from "../../parts/thumbnail.tsx";
import { type Branch, treeOf } from "./tree.ts";

/** Pages fetched with one request. */
const PAGES = 1000;
const STATES = {
  done: "Done",
  failed: "Failed",
  blocked: "Blocked by robots.txt",
  unfinished: "To do",
} as const;
/** So often a job that runs and one that has ended are looked at again. */
const REFRESH_MS = 3000;
const OLD_MS = 30_000;
const TONES: Readonly<Record<JobPage["state"], Tone>> = {
  done: "ok",
  failed: "bad",
  blocked: "warn",
  running: "accent",
  waiting: "info",
  cancelled: "warn",
};

interface SiteTreeProps {
  readonly job: JobEntry;
  /** Whether its documents have screenshots. */
  readonly isPictured: boolean;
}

/** The pages of a job by host and folder, each with what became of it. */
export function SiteTree({ job, isPictured }: SiteTreeProps) {
  const [state, setState] = useState<keyof typeof STATES | "">("");
  const [wanted, setWanted] = useState(PAGES);
  const isMoving = job.state === "scraping";
  const loaded = useLoad(
    `pages of ${job.id} ${state} ${wanted}`,
    (signal) => fetchPages(job.id, state, wanted, signal),
    { everyMs: isMoving && wanted === PAGES ? REFRESH_MS : OLD_MS, on: job.state },
  );
  return (
    <Panel
      title="Pages"
      beside={
        <Choice
          label="Result"
          all="Any result"
          options={STATES}
          value={state}
          onChange={(chosen) => setState(chosen as keyof typeof STATES | "")}
        />
      }
    >
      <WithData loaded={loaded} lines={8}>
        {({ pages, hasMore }) => (
          <>
            {pages.length === 0 ? (
              <Empty title="No page here">Pages appear as soon as they are found.</Empty>
            ) : (
              <Tree pages={pages} isPictured={isPictured} />
            )}
            {hasMore && (
              <p class="more help">
                {`The first ${count(pages.length)} pages`}
                <button type="button" class="btn small" onClick={() => setWanted(wanted + PAGES)}>
                  Show more
                </button>
              </p>
            )}
          </>
        )}
      </WithData>
    </Panel>
  );
}

async function fetchPages(id: string, state: keyof typeof STATES | "", wanted: number, signal: AbortSignal) {
  const pages: JobPage[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: PAGES, ...(state !== "" && { state }), ...(cursor !== undefined && { cursor }) };
    const answer = await ask("GET /admin/api/jobs/{id}/pages", { params: { id }, query, signal });
    pages.push(...answer.data);
    cursor = answer.cursor ?? undefined;
  } while (cursor !== undefined && pages.length < wanted);
  return { pages, hasMore: cursor !== undefined };
}

interface TreeProps extends Pick<SiteTreeProps, "isPictured"> {
  readonly pages: readonly JobPage[];
}

function Tree({ pages, isPictured }: TreeProps) {
  const branches = useMemo(() => treeOf(pages), [pages]);
  return (
    <ul class="tree" tabIndex={0} aria-label="Pages by folder">
      {branches.map((branch) => (
        <BranchItem key={branch.path} {...{ branch, isPictured }} isOpen={branches.length <= 3} />
      ))}
    </ul>
  );
}

interface BranchItemProps extends Pick<SiteTreeProps, "isPictured"> {
  readonly branch: Branch;
  readonly isOpen?: boolean;
}

function BranchItem({ branch, isPictured, isOpen = false }: BranchItemProps) {
  const [isShown, setShown] = useState(isOpen);
  const { name, pages, branches } = branch;
  if (branches.length === 0)
    return (
      <>
        {pages.map((page, index) => (
          <PageItem key={index} {...{ name, page, isPictured }} />
        ))}
      </>
    );
  return (
    <li>
      <details open={isShown} onToggle={({ currentTarget }) => setShown(currentTarget.open)}>
        <summary>
          <span class="mono foreign grow cut">{plainly(name)}/</span>
          <Counts branch={branch} />
        </summary>
        {isShown && (
          <ul>
            {pages.map((page, index) => (
              <PageItem key={index} {...{ name, page, isPictured }} />
            ))}
            {branches.map((below) => (
              <BranchItem key={below.path} branch={below} isPictured={isPictured} />
            ))}
          </ul>
        )}
      </details>
    </li>
  );
}

/** How many pages a branch has in each state. */
function Counts({ branch: { counts } }: { readonly branch: Branch }) {
  const states = Object.keys(TONES) as JobPage["state"][];
  return (
    <>
      {states
        .filter((state) => counts[state] > 0)
        .map((state) => (
          <Badge key={state} tone={TONES[state]}>{`${count(counts[state])} ${state}`}</Badge>
        ))}
    </>
  );
}

interface PageItemProps extends Pick<SiteTreeProps, "isPictured"> {
  readonly name: string;
  readonly page: JobPage;
}

function PageItem({ name, page, isPictured }: PageItemProps) {
  const { url, state, requestId, statusCode, code, error } = page;
  const shown = <span class="mono foreign cut">{plainly(name)}</span>;
  const result = state === "done" && statusCode !== null ? String(statusCode) : state;
  return (
    <li class="leaf" title={plainly(url ?? "")}>
      {isPictured && state === "done" && requestId !== null && <RequestThumbnail id={requestId} />}
      <div class="grow">
        {requestId === null ? (
          shown
        ) : (
          <a href={`/dashboard/requests?id=${encodeURIComponent(requestId)}`}>{shown}</a>
        )}
        {error !== null && (
          <span class="faint foreign clamped">{plainly(code === null ? error : `${code}: ${error}`)}</span>
        )}
      </div>
      <Badge tone={state === "done" && (statusCode ?? 200) >= 400 ? "warn" : TONES[state]}>{result}</Badge>
    </li>
  );
}
