import { useLocation } from "preact-iso";
import { useLayoutEffect, useState } from "preact/hooks";

import { session } from "../../client/session.ts";
import { Page } from "../../parts/page.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { CopyAs } from "./copy-as.tsx";
import { type Endpoint, ENDPOINTS } from "./endpoints.ts";
import { FileBench } from "./file-bench.tsx";
import { useFileDrop } from "./file-drop.ts";
import { address, body } from "./request.ts";
import { HistoryDialog } from "./history-dialog.tsx";
import { ScrapeBench, showEntry } from "./scrape-bench.tsx";
import { SiteBench } from "./site-bench.tsx";
import { ToolBench } from "./tool-bench.tsx";

/** Tries the service out. */
export function Playground() {
  const { url: wanted, tool, endpoint: named } = useLocation().query;
  const [endpoint, setEndpoint] = useState<Endpoint>(tool === undefined ? endpointOf(named) : "tool");
  const [teamId, setTeamId] = useState(session.value?.defaultTeamId ?? "default");
  const [opened, setOpened] = useState<"code" | "history" | undefined>(undefined);
  const { route } = useLocation();
  const isHeld = useFileDrop(() => setEndpoint("file"));
  // Before it can be run: who presses the button at once runs this address.
  useLayoutEffect(() => {
    if (wanted !== undefined) address.value = wanted;
  }, [wanted]);
  const choice = <EndpointChoice value={endpoint} onChange={setEndpoint} />;
  return (
    <Page
      title="Playground"
      acts={
        <>
          <TeamChoice value={teamId} onChange={setTeamId} />
          {endpoint === "scrape" && (
            <>
              <button type="button" class="btn" onClick={() => setOpened("history")}>
                History
              </button>
              <button type="button" class="btn" onClick={() => setOpened("code")}>
                Copy as code
              </button>
            </>
          )}
        </>
      }
    >
      {endpoint === "scrape" && <ScrapeBench teamId={teamId} choice={choice} />}
      {endpoint === "tool" && <ToolBench teamId={teamId} choice={choice} />}
      {endpoint === "file" && <FileBench teamId={teamId} choice={choice} />}
      {isSite(endpoint) && <SiteBench key={endpoint} endpoint={endpoint} teamId={teamId} choice={choice} />}
      {isHeld && <p class="held">Drop the file to read it.</p>}
      {opened === "code" && <CopyAs body={body.peek()} onClose={() => setOpened(undefined)} />}
      {opened === "history" && (
        <HistoryDialog
          onClose={() => setOpened(undefined)}
          onOpen={(entry) => {
            setOpened(undefined);
            route(showEntry(entry));
          }}
        />
      )}
    </Page>
  );
}

interface EndpointChoiceProps {
  readonly value: Endpoint;
  readonly onChange: (endpoint: Endpoint) => void;
}

function EndpointChoice({ value, onChange }: EndpointChoiceProps) {
  return (
    <select
      class="field endpoint"
      aria-label="Endpoint"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Endpoint)}
    >
      {Object.entries(ENDPOINTS).map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
}

function endpointOf(name: string | undefined): Endpoint {
  return Object.keys(ENDPOINTS).find((known): known is Endpoint => known === name) ?? "scrape";
}

function isSite(endpoint: Endpoint) {
  return endpoint !== "scrape" && endpoint !== "tool" && endpoint !== "file";
}
