import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { CacheAnswer } from "@pergamon-dev/server/operator/cache";
import { DifferenceLines, linesOfHunks } from "../../answers/difference-lines.tsx";
import { ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { usePages } from "../../client/pages-of.ts";
import { bytes, count, percent } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { shortUrl } from "../../parts/request-marks.tsx";
import { SearchBar } from "../../parts/search-bar.tsx";
import { Empty, WithData, WithPages } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { PurgeDialog } from "./purge-dialog.tsx";

type Entry = CacheAnswer["data"][number];

/** Entries fetched at once. */
const ROWS = 200;

/** Pages that are kept, so that the next request needs no visit. */
export function Cache() {
  const { query, route } = useLocation();
  const url = query["search"] ?? "";
  const setUrl = (text: string) =>
    route(text === "" ? "/dashboard/cache" : `/dashboard/cache?search=${encodeURIComponent(text)}`, true);
  const [changes, setChanges] = useState(0);
  return (
    <Page title="Cache" beside={<Size />}>
      <SearchBar label="Part of a URL" value={url} onSearch={setUrl} />
      <Panel label="Cached pages">
        <Pages key={`${changes} ${url}`} url={url} onChanged={() => setChanges(changes + 1)} />
      </Panel>
    </Page>
  );
}

interface PagesProps {
  /** Part of it. */
  readonly url: string;
  readonly onChanged: () => void;
}

/** Newest first, as far as they were asked for. */
function Pages({ url, onChanged }: PagesProps) {
  const pages = usePages<Entry>(`cache ${url}`, (cursor, signal) =>
    ask("GET /admin/api/cache", {
      query: { url, limit: ROWS, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  );
  return (
    <WithPages pages={pages} verb="Show older pages">
      {(entries) => <CacheTable entries={entries} onChanged={onChanged} />}
    </WithPages>
  );
}

function Size() {
  const size = useAnswer("GET /admin/api/cache/size");
  if (!size.data) return null;
  const { versions, bytes: used, maxBytes } = size.data.data;
  return (
    <span class="faint">
      {`${count(versions)} versions, ${bytes(used)} of ${bytes(maxBytes)} (${percent(used, maxBytes)})`}
    </span>
  );
}

interface CacheTableProps {
  readonly entries: readonly Entry[];
  readonly onChanged: () => void;
}

function CacheTable({ entries, onChanged }: CacheTableProps) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [isComparing, setComparing] = useState(false);
  const [leaving, setLeaving] = useState<Entry | undefined>(undefined);
  if (entries.length === 0) {
    return <Empty title="No cached pages">Each scrape that may be stored adds a page.</Empty>;
  }
  return (
    <>
      <Table
        label="Cached pages"
        columns={[
          {
            heading: "Compare",
            kind: "mark",
            cell: (entry) => <CompareBox {...{ entry, chosen, setChosen }} />,
          },
          ...COLUMNS,
          { kind: "acts", cell: (entry) => <PurgeButton entry={entry} onPurge={setLeaving} /> },
        ]}
        rows={entries}
        keyOf={({ id }) => id}
        isOn={({ id }) => chosen.includes(id)}
      />
      <div class="more">
        <span class="help">Select two versions to compare them.</span>
        <button
          type="button"
          class="btn small"
          disabled={chosen.length !== 2}
          onClick={() => setComparing(true)}
        >
          Compare
        </button>
      </div>
      {isComparing && <CompareDialog ids={chosen} onClose={() => setComparing(false)} />}
      {leaving && <PurgeDialog entry={leaving} onPurged={onChanged} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

interface CompareBoxProps {
  readonly entry: Entry;
  readonly chosen: readonly string[];
  readonly setChosen: (ids: readonly string[]) => void;
}

/** Chooses a version; the last two are compared. */
function CompareBox({ entry: { id, url }, chosen, setChosen }: CompareBoxProps) {
  const isChosen = chosen.includes(id);
  return (
    <input
      type="checkbox"
      class="check"
      aria-label={`Compare ${url}`}
      checked={isChosen}
      onChange={() =>
        setChosen(isChosen ? chosen.filter((other) => other !== id) : [...chosen, id].slice(-2))
      }
    />
  );
}

const COLUMNS: readonly Column<Entry>[] = [
  {
    heading: "URL",
    by: ({ url }) => url,
    kind: "name",
    cell: ({ url, isShared, screenshot }) => (
      <>
        <span class="mono foreign" title={url}>
          {shortUrl(url)}
        </span>
        <span class="faint">
          {isShared ? "shared by all teams" : "only for one team"}
          {screenshot !== "none" && ` · ${screenshot} screenshot`}
        </span>
      </>
    ),
  },
  {
    heading: "Status",
    by: ({ statusCode }) => statusCode,
    cell: ({ statusCode }) => <Badge tone={statusCode < 400 ? "ok" : "warn"}>{statusCode}</Badge>,
  },
  {
    heading: "Size",
    by: ({ sizeBytes }) => sizeBytes,
    kind: "number",
    from: "wide",
    cell: ({ sizeBytes }) => bytes(sizeBytes),
  },
  {
    heading: "Stored",
    by: ({ storedAt }) => storedAt,
    from: "wide",
    class: "dim",
    cell: ({ storedAt }) => <span title={exactly(storedAt)}>{moment(storedAt)}</span>,
  },
];

interface PurgeButtonProps {
  readonly entry: Entry;
  readonly onPurge: (entry: Entry) => void;
}

function PurgeButton({ entry, onPurge }: PurgeButtonProps) {
  return (
    <ActButton
      route="POST /admin/api/cache/purge"
      class="btn small danger"
      aria-label={`Purge ${entry.url}`}
      onClick={() => onPurge(entry)}
    >
      Purge
    </ActButton>
  );
}

function CompareDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const [a = "", b = ""] = ids;
  const loaded = useAnswer("GET /admin/api/cache/compare", { query: { a, b } }, { everyMs: "fixed" });
  return (
    <Dialog title="Changes" onClose={onClose}>
      <WithData loaded={loaded}>
        {({ data }) => (
          <DifferenceLines label="Markdown differences" lines={linesOfHunks(data.markdown.hunks)} />
        )}
      </WithData>
    </Dialog>
  );
}
