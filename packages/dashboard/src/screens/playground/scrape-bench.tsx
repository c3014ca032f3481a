import { signal } from "@preact/signals";
import { useLocation } from "preact-iso";
import { useEffect, useRef, useState } from "preact/hooks";

import { routeOfPosts } from "../../client/post.ts";
import { scrapeIdOf } from "../../answers/document.ts";
import { messageOf } from "../../client/ask.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { tell } from "../../parts/toasts.tsx";
import { useSchema } from "../../client/schema.ts";
import { type HistoryEntry, remember } from "./history.ts";
import { openRequest } from "./open-request.ts";
import { OptionsPanel } from "./options-panel.tsx";
import { address, body, setBody } from "./request.ts";
import { requestInAddress, useRequestInAddress } from "./request-address.ts";
import { ResultPanel } from "./result-panel.tsx";
import { type Outcome, runScrape } from "./run.ts";
import { useRun } from "./use-run.ts";

const outcome = signal<Outcome | undefined>(undefined);
const previous = signal<Outcome | undefined>(undefined);

const PATH = "/dashboard/playground";

/** Fills the form with an earlier run. @returns the address under which it is shown. */
export function showEntry({ id, body: sent }: HistoryEntry): string {
  setBody(sent);
  if (id !== undefined) return `${PATH}?id=${encodeURIComponent(id)}`;
  outcome.value = undefined;
  return PATH;
}

interface BenchProps {
  readonly teamId: string;
  readonly choice: preact.JSX.Element;
}

/** Scrapes one page. The address names the run that is shown. */
export function ScrapeBench({ teamId, choice }: BenchProps) {
  const schema = useSchema("ScrapeRequest");
  useRequestInAddress();
  const show = useShownRun();
  const [isBeside, setBeside] = useState(false);
  const { isRunning, run, cancel } = useRun({ outcome, previous }, async (leaving) => {
    const sent = body.peek();
    const ended = await runScrape(sent, teamId, leaving);
    remember(sent, ended);
    show(ended);
    return ended;
  });
  const canCompare = previous.value !== undefined && outcome.value?.document !== undefined && !isRunning;
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
          <ActButton route={routeOfPosts()} type="submit" class="btn primary" disabled={isRunning}>
            Run <kbd>↵</kbd>
          </ActButton>
        </form>
      </Panel>
      {canCompare && (
        <div class="row above">
          <button type="button" class="chip" aria-pressed={isBeside} onClick={() => setBeside(!isBeside)}>
            Compare with the previous run
          </button>
        </div>
      )}
      <div class={isBeside && canCompare ? "bench three" : "bench"}>
        <WithData loaded={schema} lines={12}>
          {(known) => <OptionsPanel schema={known} />}
        </WithData>
        {isBeside && canCompare && (
          <ResultPanel outcome={previous.value} name="Run before" isRunning={false} onCancel={cancel} />
        )}
        <div ref={useInSight(isRunning)}>
          <ResultPanel
            outcome={outcome.value}
            previous={previous.value}
            isRunning={isRunning}
            onCancel={cancel}
          />
        </div>
      </div>
    </>
  );
}

/** Opens the run that the address names. @returns what puts a run into the address that is shown already */
function useShownRun(): (ended: Outcome) => void {
  const { query, route } = useLocation();
  const id = query["id"] ?? "";
  useEffect(() => {
    const shown = outcome.peek()?.document;
    if (id === "" || (shown && scrapeIdOf(shown) === id)) return undefined;
    const leaving = new AbortController();
    openRequest(id, leaving.signal).then(
      (opened) => {
        // The address has changes since the run, too.
        if (!requestInAddress()) setBody(opened.body);
        outcome.value = opened.outcome;
        if (opened.masked.length > 0)
          tell("info", `The log does not store secrets. Enter again: ${opened.masked.join(", ")}.`);
        return undefined;
      },
      (problem: unknown) => leaving.signal.aborted || tell("bad", messageOf(problem)),
    );
    return () => leaving.abort();
  }, [id]);
  return ({ document }) => {
    const ran = document && scrapeIdOf(document);
    // The run has to be shown before the address names it.
    if (ran !== undefined) queueMicrotask(() => route(`${PATH}?id=${ran}`, true));
  };
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
