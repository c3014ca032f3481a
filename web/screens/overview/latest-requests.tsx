import type { RequestEntry } from "../../../src/contract/operator/requests.ts";
import { arrivals } from "../../client/live.ts";
import { duration } from "../../format/times.ts";
import { Panel } from "../../parts/page.tsx";
import { ResultBadge, shortUrl } from "../../parts/request-marks.tsx";
import { Empty } from "../../parts/states.tsx";

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
      {rows.length === 0 ? (
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
      ) : (
        <RequestTable rows={rows} />
      )}
    </Panel>
  );
}

function RequestTable({ rows }: { readonly rows: readonly RequestEntry[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th>Page</th>
          <th>Result</th>
          <th class="roomy-only">Source</th>
          <th class="num">Time</th>
          <th class="num roomy-only">Credits</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((request) => (
          <tr key={request.id}>
            <td class="fills">
              <a class="mono foreign" href={`/dashboard/requests?id=${request.id}`}>
                {shortUrl(request.url)}
              </a>
            </td>
            <td>
              <ResultBadge request={request} />
            </td>
            <td class="roomy-only">{request.way !== null && <span class="badge">{request.way}</span>}</td>
            <td class="num">{duration(request.durationMs)}</td>
            <td class="num roomy-only">{request.creditsUsed}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
