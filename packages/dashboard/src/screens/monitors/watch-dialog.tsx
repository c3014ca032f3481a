import { useState } from "preact/hooks";

import type { RequestEntry } from "@pergamon-dev/server/history/operator/show-request";
import { ask, messageOf } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { moment } from "../../format/times.ts";
import { Dialog, ProblemLine } from "../../parts/dialog.tsx";
import { shortUrl } from "../../parts/request-marks.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { tell } from "../../parts/toasts.tsx";

/** Scrapes that can be chosen. */
const SCRAPES = 30;
const SCHEDULES = ["every 30 minutes", "hourly", "daily", "weekly"] as const;

interface WatchDialogProps {
  readonly onClose: () => void;
  readonly onMade: (id: string) => void;
}

/** Makes a monitor from one of the last scrapes. */
export function WatchDialog({ onClose, onMade }: WatchDialogProps) {
  const [schedule, setSchedule] = useState<string>("daily");
  const loaded = useAnswer("GET /admin/api/requests", { query: { limit: SCRAPES, status: "completed" } });
  const [problem, setProblem] = useState<string | undefined>(undefined);
  async function watch(request: RequestEntry): Promise<void> {
    setProblem(undefined);
    try {
      const params = { id: request.id };
      const { data } = await ask("POST /admin/api/requests/{id}/monitor", { params, body: { schedule } });
      tell("ok", `${shortUrl(request.url)} is checked ${schedule}.`);
      onMade(data.id);
      onClose();
    } catch (failure) {
      setProblem(messageOf(failure));
    }
  }
  return (
    <Dialog title="Watch the page of a scrape" onClose={onClose}>
      <div class="filters">
        <select
          class="chip on"
          aria-label="Schedule"
          value={schedule}
          onChange={({ currentTarget }) => setSchedule(currentTarget.value)}
        >
          {SCHEDULES.map((words) => (
            <option key={words} value={words}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <ProblemLine problem={problem} />
      <WithData loaded={loaded}>
        {({ data }) => (
          <Table
            label="Scrapes"
            columns={[
              ...COLUMNS,
              { kind: "number", cell: (request) => <WatchButton request={request} onWatch={watch} /> },
            ]}
            rows={data}
            keyOf={({ id }) => id}
            empty={<Empty title="No scrapes">Scrape a page first: its options are taken over.</Empty>}
          />
        )}
      </WithData>
    </Dialog>
  );
}

const COLUMNS: readonly Column<RequestEntry>[] = [
  {
    kind: "name",
    cell: ({ url, createdAt }) => (
      <>
        <span class="mono foreign" title={plainly(url)}>
          {plainly(shortUrl(url))}
        </span>
        <span class="faint">{moment(createdAt)}</span>
      </>
    ),
  },
];

interface WatchButtonProps {
  readonly request: RequestEntry;
  readonly onWatch: (request: RequestEntry) => Promise<void>;
}

function WatchButton({ request, onWatch }: WatchButtonProps) {
  return (
    <button
      type="button"
      class="btn small"
      aria-label={`Watch ${plainly(request.url)}`}
      onClick={() => void onWatch(request)}
    >
      Watch
    </button>
  );
}
