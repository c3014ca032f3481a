import { signal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

import { scrapeIdOf } from "../../answers/document.ts";
import { messageOf } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { hasMistake } from "../../forms/first-mistake.ts";
import { Page, Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { TeamChoice } from "../../parts/team-choice.tsx";
import { tell } from "../../parts/toasts.tsx";
import { CopyAs } from "./copy-as.tsx";
import { type Endpoint, ENDPOINTS, requestSchema } from "./endpoints.ts";
import { OptionsPanel } from "./options-panel.tsx";
import { address, body } from "./request.ts";
import { ResultPanel } from "./result-panel.tsx";
import { type Outcome, runScrape } from "./run.ts";
import { SiteBench } from "./site-bench.tsx";
import { ToolBench } from "./tool-bench.tsx";

const outcome = signal<Outcome | undefined>(undefined);
const previousId = signal<string | undefined>(undefined);

/** Tries the service out. */
export function Playground() {
  const { url: wanted, tool } = useLocation().query;
  const [endpoint, setEndpoint] = useState<Endpoint>(tool === undefined ? "scrape" : "tool");
  const [teamId, setTeamId] = useState(session.value?.defaultTeamId ?? "default");
  const [isCopying, setCopying] = useState(false);
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
      {endpoint !== "scrape" && endpoint !== "tool" && (
        <SiteBench key={endpoint} endpoint={endpoint} teamId={teamId} choice={choice} />
      )}
      {isCopying && <CopyAs body={body.peek()} onClose={() => setCopying(false)} />}
    </Page>
  );
}

interface BenchProps {
  readonly teamId: string;
  readonly choice: preact.JSX.Element;
}

function ScrapeBench({ teamId, choice }: BenchProps) {
  const schema = useLoad((leaving) => requestSchema("ScrapeRequest", leaving), []);
  const { isRunning, run, cancel } = useRun(teamId);
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

/** Runs the request, also by ⌘↵ or Ctrl ↵ from anywhere on the screen. */
function useRun(teamId: string) {
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | undefined>(undefined);
  async function run(): Promise<void> {
    if (hasMistake(document.querySelector("main"))) return;
    running.current?.abort();
    const current = new AbortController();
    running.current = current;
    setRunning(true);
    previousId.value = outcome.value?.document && scrapeIdOf(outcome.value.document);
    try {
      outcome.value = await runScrape(body.peek(), teamId, current.signal);
    } catch (problem) {
      if (!current.signal.aborted) tell("bad", messageOf(problem));
    }
    if (running.current === current) setRunning(false);
  }
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) void latest.current();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);
  function cancel(): void {
    running.current?.abort();
    setRunning(false);
    tell("info", "Cancelled.");
  }
  return { isRunning, run, cancel };
}
