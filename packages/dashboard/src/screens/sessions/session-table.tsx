import type { BrowserSession } from "@pergamon-dev/server/interact/operator";
import { plural } from "../../format/numbers.ts";
import { exactly, moment, span } from "../../format/times.ts";
import { teamColumn } from "../../parts/names.tsx";
import { shortUrl } from "../../parts/request-marks.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { Thumbnail } from "../../parts/thumbnail.tsx";
import { SessionState, whyNot } from "./session-state.tsx";

interface SessionTableProps {
  readonly sessions: readonly BrowserSession[];
  /** Pictures are asked for again when it changes. */
  readonly round: number;
}

/** Sessions, newest first, each with what it shows. */
export function SessionTable({ sessions, round }: SessionTableProps) {
  return (
    <Table
      label="Sessions"
      columns={[
        {
          heading: "Picture",
          kind: "mark",
          cell: ({ id, isHere }) => (
            <Thumbnail src={isHere ? `/admin/api/sessions/${id}/picture.jpg?round=${round}` : undefined} />
          ),
        },
        ...COLUMNS,
      ]}
      rows={sessions}
      keyOf={({ id }) => id}
    />
  );
}

const COLUMNS: readonly Column<BrowserSession>[] = [
  {
    heading: "Page",
    by: ({ url }) => url,
    kind: "name",
    cell: (session) => (
      <>
        <a
          class="mono foreign"
          href={`/dashboard/sessions?id=${session.id}`}
          title={session.url ?? session.id}
        >
          {session.url === null ? "without a scrape" : shortUrl(session.url)}
        </a>
        <span class="faint">
          {[`since ${moment(session.createdAt)}`, whyNot(session)].filter(Boolean).join(", ")}
        </span>
      </>
    ),
  },
  teamColumn,
  { heading: "State", cell: (session) => <SessionState session={session} /> },
  {
    heading: "Age",
    by: ({ createdAt }) => createdAt,
    kind: "number",
    from: "wide",
    class: "one-line",
    cell: ({ createdAt, endedAt }) => (
      <span title={exactly(createdAt)}>
        {span((endedAt === null ? Date.now() : Date.parse(endedAt)) - Date.parse(createdAt))}
      </span>
    ),
  },
  {
    heading: "Cost",
    by: ({ credits }) => credits,
    kind: "number",
    from: "wide",
    cell: ({ credits }) => (credits === null ? "–" : plural(credits, "credit")),
  },
];
