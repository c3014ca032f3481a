import { signal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { useLoad } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { CopyAs } from "./copy-as.tsx";
import { type Endpoint, ENDPOINTS, requestSchema } from "./endpoints.ts";
import { FileBench } from "./file-bench.tsx";
import { useFileDrop } from "./file-drop.ts";
import { OptionsPanel } from "./options-panel.tsx";
import { address, body } from "./request.ts";
import { ResultPanel } from "./result-panel.tsx";
import { type Outcome, runScrape } from "./run.ts";
import { SiteBench } from "./site-bench.tsx";
import { ToolBench } from "./tool-bench.tsx";
import { useRun } from "./use-run.ts";

const outcome = signal<Outcome | undefined>(undefined);
const previousId = signal<string | undefined>(undefined);

/** Tries the service out. */
export function Playground() {
  const { url: wanted, tool } = useLocation().query;
  const [endpoint, setEndpoint] = useState<Endpoint>(tool === undefined ? "scrape" : "tool");
  const [teamId, setTeamId] = useState(session.value?.defaultTeamId ?? "default");
  const [isCopying, setCopying] = useState(false);
  const isHeld = useFileDrop(() => setEndpoint("file"));
  // Before it can be run: who presses the button at once runs this address.
  useLayoutEffect(() => {
    if (wanted !== undefined) address.value = wanted;
  }, [wanted]);
  const choice = (
    <select
      class="field endpoint"
      aria-label="Endpoint"
      value={endpoint}
      onChange={({ currentTarget }) => setEndpoint(currentTarget.value as Endpoint)}
    >
      {Object.entries(ENDPOINTS).map(([id, name]) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </select>
  );
  return (
    <Page
      title="Playground"
      acts={
        <>
          <TeamChoice value={teamId} onChange={setTeamId} />
          {endpoint === "scrape" && (
            <button type="button" class="btn" onClick={() => setCopying(true)}>
              Copy as code
            </button>
          )}
        </>
      }
    >
      {endpoint === "scrape" && <ScrapeBench teamId={teamId} choice={choice} />}
      {endpoint === "tool" && <ToolBench teamId={teamId} choice={choice} />}
      {endpoint === "file" && <FileBench teamId={teamId} choice={choice} />}
      {isSite(endpoint) && <SiteBench key={endpoint} endpoint={endpoint} teamId={teamId} choice={choice} />}
      {isHeld && <p class="held">Drop the file to read it.</p>}
      {isCopying && <CopyAs body={body.peek()} onClose={() => setCopying(false)} />}
    </Page>
  );
}

function isSite(endpoint: Endpoint) {
  return endpoint === "map" || endpoint === "batch" || endpoint === "crawl";
}

interface BenchProps {
  readonly teamId: string;
  readonly choice: preact.JSX.Element;
}

function ScrapeBench({ teamId, choice }: BenchProps) {
  const schema = useLoad((leaving) => requestSchema("ScrapeRequest", leaving), []);
  const { isRunning, run, cancel } = useRun({ outcome, previousId }, (leaving) =>
    runScrape(body.peek(), teamId, leaving),
  );
  return (
    <>
      <Panel label="Request">
        <form
          class="bar"
          onSubmit={(event) => {
            event.preventDefault();
            void run();
          }}
        >
          {choice}
          <AddressField />
          <button type="submit" class="btn primary" disabled={isRunning}>
            Run <kbd>↵</kbd>
          </button>
        </form>
      </Panel>
      <div class="bench">
        <WithData loaded={schema} lines={12}>
          {(known) => <OptionsPanel schema={known} />}
        </WithData>
        <div ref={useInSight(isRunning)}>
          <ResultPanel
            outcome={outcome.value}
            previousId={previousId.value}
            isRunning={isRunning}
            onCancel={cancel}
          />
        </div>
      </div>
    </>
  );
}

function AddressField() {
  const url = address.value;
  return (
    <input
      class="field address"
      aria-label="URL"
      placeholder="https://example.com"
      required
      spellcheck={false}
      value={typeof url === "string" ? url : ""}
      onInput={({ currentTarget }) => (address.value = currentTarget.value)}
    />
  );
}

/** Where the result stands below the options, it is scrolled to when a run begins. */
function useInSight(isRunning: boolean) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isRunning && matchMedia("(max-width: 860px)").matches) element.current?.scrollIntoView();
  }, [isRunning]);
  return element;
}
