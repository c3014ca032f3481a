import type { RequestEntry } from "@pergamon-dev/server/history/operator/show-request";
import { arrivals } from "../../client/live.ts";
import { duration } from "../../format/times.ts";
import { Panel } from "../../parts/page.tsx";
import { ResultBadge, shortUrl } from "../../parts/request-marks.tsx";
import { Empty } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const ROWS = 8;

/** The latest requests, new ones as they end. */
export function LatestRequests({ latest }: { readonly latest: readonly RequestEntry[] }) {
  const known = new Set(arrivals.value.map(({ id }) => id));
  const rows = [...arrivals.value, ...latest.filter(({ id }) => !known.has(id))].slice(0, ROWS);
  return (
    <Panel
      title="Latest requests"
      beside={
        <a class="dim" href="/dashboard/requests">
          All requests →
        </a>
      }
    >
      <Table
        label="Latest requests"
        columns={COLUMNS}
        rows={rows}
        keyOf={({ id }) => id}
        empty={
          <Empty
            title="No requests yet"
            act={
              <a class="btn" href="/dashboard/playground">
                Open playground
              </a>
            }
          >
            Scrape a page in the playground, or copy the request from there into your program.
          </Empty>
        }
      />
    </Panel>
  );
}

const COLUMNS: readonly Column<RequestEntry>[] = [
  {
    heading: "Page",
    kind: "name",
    cell: ({ id, url }) => (
      <a class="mono foreign" href={`/dashboard/requests?id=${id}`}>
        {shortUrl(url)}
      </a>
    ),
  },
  { heading: "Result", cell: (request) => <ResultBadge request={request} /> },
  {
    heading: "Source",
    from: "roomy",
    cell: ({ way }) => way !== null && <span class="badge">{way}</span>,
  },
  { heading: "Time", kind: "number", cell: ({ durationMs }) => duration(durationMs) },
  { heading: "Credits", kind: "number", from: "roomy", cell: ({ creditsUsed }) => creditsUsed },
];
