import { useState } from "preact/hooks";

import type { CacheAnswer } from "../../../src/contract/operator/storage.ts";
import { TextDifferences } from "../../answers/differences.tsx";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { usePages } from "../../client/pages-of.ts";
import { bytes, count, percent } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { useDebounced } from "../../parts/debounced.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { shortUrl } from "../../parts/request-marks.tsx";
import { Empty, Notice, WithData } from "../../parts/states.tsx";
import { PurgeDialog } from "./purge-dialog.tsx";

type Entry = CacheAnswer["data"][number];

/** Entries fetched at once. */
const ROWS = 200;

/** Pages that are kept, so that the next request needs no visit. */
export function Cache() {
  const [url, setUrl] = useState("");
  const settled = useDebounced(url);
  const [changes, setChanges] = useState(0);
  return (
    <Page title="Cache" beside={<Size />}>
      <div class="filters" role="search">
        <input
          class="field"
          type="search"
          aria-label="Part of a URL"
          placeholder="Part of a URL"
          value={url}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
      </div>
      <Panel label="Cached pages">
        <Pages key={`${changes} ${settled}`} url={settled} onChanged={() => setChanges(changes + 1)} />
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
  const { loaded, further, more, problem } = usePages<Entry>((cursor, signal) =>
    ask("GET /admin/api/cache", {
      query: { url, limit: ROWS, ...(cursor !== undefined && { cursor }) },
      ...(signal && { signal }),
    }),
  );
  return (
    <WithData loaded={loaded}>
      {({ data }) => (
        <>
          <CacheTable entries={[...data, ...further]} onChanged={onChanged} />
          {problem !== undefined && <Notice tone="bad" title={problem} />}
          {more && (
            <button type="button" class="btn" onClick={more}>
              Show older pages
            </button>
          )}
        </>
      )}
    </WithData>
  );
}

function Size() {
  const size = useLoad((signal) => ask("GET /admin/api/cache/size", { signal }), []);
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
  const toggle = (id: string) =>
    setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id].slice(-2));
  return (
    <>
      <Versions entries={entries} chosen={chosen} onToggle={toggle} onPurge={setLeaving} />
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

interface VersionsProps {
  readonly entries: readonly Entry[];
  readonly chosen: readonly string[];
  readonly onToggle: (id: string) => void;
  readonly onPurge: (entry: Entry) => void;
}

function Versions({ entries, chosen, onToggle, onPurge }: VersionsProps) {
  return (
    <div class="scrolls">
      <table>
        <thead>
          <tr>
            <th class="slim">
              <span class="unseen">Compare</span>
            </th>
            <th>URL</th>
            <th>Status</th>
            <th class="num wide-only">Size</th>
            <th class="wide-only">Stored</th>
            <th>
              <span class="unseen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <CacheRow
              key={entry.id}
              entry={entry}
              isChosen={chosen.includes(entry.id)}
              onToggle={() => onToggle(entry.id)}
              onPurge={() => onPurge(entry)}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface CacheRowProps {
  readonly entry: Entry;
  readonly isChosen: boolean;
  readonly onToggle: () => void;
  readonly onPurge: () => void;
}

function CacheRow({ entry, isChosen, onToggle, onPurge }: CacheRowProps) {
  const { url, statusCode, sizeBytes, storedAt, isShared, screenshot } = entry;
  return (
    <tr class={isChosen ? "on" : ""}>
      <td>
        <input
          type="checkbox"
          class="check"
          aria-label={`Compare ${url}`}
          checked={isChosen}
          onChange={onToggle}
        />
      </td>
      <td class="fills">
        <span class="mono foreign" title={url}>
          {shortUrl(url)}
        </span>
        <span class="faint">
          {[
            isShared ? "shared by all teams" : "only for one team",
            screenshot !== "none" && `${screenshot} screenshot`,
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </td>
      <td>
        <Badge tone={statusCode < 400 ? "ok" : "warn"}>{statusCode}</Badge>
      </td>
      <td class="num wide-only">{bytes(sizeBytes)}</td>
      <td class="wide-only dim" title={exactly(storedAt)}>
        {moment(storedAt)}
      </td>
      <td class="num">
        <button type="button" class="btn small danger" aria-label={`Purge ${url}`} onClick={onPurge}>
          Purge
        </button>
      </td>
    </tr>
  );
}

function CompareDialog({ ids, onClose }: { readonly ids: readonly string[]; readonly onClose: () => void }) {
  const [a = "", b = ""] = ids;
  const loaded = useLoad(
    (signal) => ask("GET /admin/api/cache/compare", { query: { a, b }, signal }),
    [a, b],
  );
  return (
    <Dialog title="Changes" onClose={onClose}>
      <WithData loaded={loaded}>{({ data }) => <TextDifferences difference={data.markdown} />}</WithData>
    </Dialog>
  );
}
