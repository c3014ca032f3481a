import { useState } from "preact/hooks";

import type { RequestEntry } from "../../../src/contract/operator/requests.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { moment } from "../../format/times.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { shortUrl } from "../../parts/request-marks.tsx";
import { Empty, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { act } from "../../parts/toasts.tsx";

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
  const loaded = useLoad(
    (signal) => ask("GET /admin/api/requests", { query: { limit: SCRAPES, status: "completed" }, signal }),
    [],
  );
  async function watch(request: RequestEntry): Promise<void> {
    await act(async () => {
      const params = { id: request.id };
      const { data } = await ask("POST /admin/api/requests/{id}/monitor", { params, body: { schedule } });
      onMade(data.id);
      return `${shortUrl(request.url)} is checked ${schedule}.`;
    });
    onClose();
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
      <WithData loaded={loaded}>
        {({ data }) => (
          <Table
            label="Scrapes"
            columns={[
              ...COLUMNS,
              {
                kind: "number",
                cell: (request) => (
                  <button
                    type="button"
                    class="btn small"
                    aria-label={`Watch ${plainly(request.url)}`}
                    onClick={() => void watch(request)}
                  >
                    Watch
                  </button>
                ),
              },
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
