import { useState } from "preact/hooks";

import type { HeatAnswer } from "@pergamon-dev/server/jobs/operator/heat";
import type { JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { moment, span } from "../../format/times.ts";
import { Choice } from "../../parts/choice.tsx";
import { Panel } from "../../parts/page.tsx";
import { type Column, Table } from "../../parts/table.tsx";

const REFRESH_MS = 10_000;
/** How many shades cells have. */
const SHADES = 5;
const COUNTED = { pages: "Pages", failed: "Failed pages" } as const;
type Counted = keyof typeof COUNTED;

type Heat = HeatAnswer["data"];
type Host = Heat["hosts"][number];

/** Which hosts were visited when, and where and when pages failed. */
export function JobHeat({ job: { id, state } }: { readonly job: JobEntry }) {
  const [counted, setCounted] = useState<Counted>("pages");
  const isMoving = state === "scraping";
  const { data } = useAnswer(
    "GET /admin/api/jobs/{id}/heat",
    { params: { id } },
    { everyMs: isMoving ? REFRESH_MS : undefined, on: state },
  );
  if (data === undefined || data.data.hosts.length === 0) return null;
  const { hosts, stepMs, isWhole } = data.data;
  const most = Math.max(0, ...hosts.flatMap((host) => host[counted]));
  const step = stepMs < 60_000 ? `${stepMs / 1000} s` : span(stepMs);
  return (
    <Panel
      title="Hosts over time"
      class="hosts"
      beside={
        <Choice
          label="Counted"
          options={COUNTED}
          value={counted}
          onChange={(chosen) => setCounted(chosen as Counted)}
        />
      }
    >
      <Table
        label={`${COUNTED[counted]} by host and time`}
        class={`heat ${counted}`}
        columns={columnsOf(data.data, counted, most)}
        rows={hosts}
        keyOf={({ host }) => host ?? ""}
      />
      <p class="more help">
        {`Each column is ${step}. The fullest cell has ${plural(most, "page")}.${isWhole ? "" : " Of this job, only the latest pages are counted."}`}
      </p>
    </Panel>
  );
}

function columnsOf({ since, stepMs, hosts }: Heat, counted: Counted, most: number): readonly Column<Host>[] {
  const steps = hosts[0]?.pages.map((_, at) =>
    moment(new Date(Date.parse(since) + at * stepMs).toISOString()),
  );
  const nameOf = ({ host }: Host) => plainly(host ?? "other hosts");
  const total = (host: Host) => host[counted].reduce((sum, pages) => sum + pages, 0);
  return [
    { heading: "Host", cell: (host) => <span class="mono foreign cut">{nameOf(host)}</span> },
    ...(steps ?? []).map((heading, at): Column<Host> => {
      const cell = (host: Host) => {
        const [pages = 0, failed = 0] = [host.pages[at], host.failed[at]];
        const words = `${nameOf(host)}, ${heading}: ${plural(pages, "page")}, ${count(failed)} failed`;
        const shade = Math.ceil((SHADES * (host[counted][at] ?? 0)) / Math.max(1, most));
        return <i class={`shade-${shade}`} role="img" aria-label={words} title={words} />;
      };
      return { heading, kind: "mark", cell };
    }),
    { heading: COUNTED[counted], kind: "number", cell: (host) => count(total(host)) },
  ];
}
