import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count } from "../../format/numbers.ts";
import { moment } from "../../format/times.ts";
import { inWords } from "../../parts/request-marks.tsx";
import { Table } from "../../parts/table.tsx";
import { type Filter, logPath, queryOf } from "./filter.ts";

/** Failures by cause and site: one row instead of a line per request. */
export function Failures({ filter }: { readonly filter: Filter }) {
  const { since, team } = queryOf(filter);
  const query = { ...(team !== undefined && { team }), ...(since !== undefined && { since }), limit: 12 };
  const loaded = useLoad(`failures ${filter.since} ${team}`, (signal) =>
    ask("GET /admin/api/failures", { query, signal }),
  );
  const groups = loaded.data?.data ?? [];
  if (groups.length === 0) return null;
  const { total = 0 } = loaded.data ?? {};
  const rest = total - groups.reduce((sum, group) => sum + group.count, 0);
  return (
    <details class="panel folded failures">
      <summary>
        <span class="grow">
          <b>{`${count(total)} failed or refused${filter.since === undefined ? " in the last 24 h" : ""}`}</b>
          <span class="faint">by cause and site</span>
        </span>
      </summary>
      <Table
        label="Failures"
        columns={[
          {
            cell: ({ code, host }) => (
              <a
                class="link foreign"
                href={logPath({
                  ...(team !== undefined && { team }),
                  code,
                  since: filter.since ?? "24",
                  ...(host !== "" && { search: host }),
                })}
              >
                {plainly(inWords(code))}
                {host !== "" && ` at ${plainly(host)}`}
              </a>
            ),
          },
          { kind: "number", cell: ({ count: times }) => count(times) },
          { from: "wide", class: "dim", cell: ({ firstAt }) => `since ${moment(firstAt)}` },
          {
            kind: "number",
            cell: ({ newestId }) => (
              <a class="link" href={logPath({}, newestId)}>
                newest
              </a>
            ),
          },
        ]}
        rows={groups}
        keyOf={({ code, host }) => code + host}
      />
      {rest > 0 && <p class="more help">{`${count(rest)} more have other causes.`}</p>}
    </details>
  );
}
