import type { Signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";

import { scrapeIdOf } from "../../answers/document.ts";
import { messageOf } from "../../client/ask.ts";
import { hasMistake } from "../../forms/first-mistake.ts";
import { tell } from "../../parts/toasts.tsx";
import type { Outcome } from "./run.ts";

/** What is shown of runs. It outlives the screen. */
interface Shown {
  readonly outcome: Signal<Outcome | undefined>;
  /** Id of the run before, to compare with. */
  readonly previousId: Signal<string | undefined>;
}

/** Runs a request, also by ⌘↵ or Ctrl ↵ from anywhere on the screen. @param start undefined: there is nothing to run. */
export function useRun(
  { outcome, previousId }: Shown,
  start: (leaving: AbortSignal) => Promise<Outcome | undefined>,
) {
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
      outcome.value = (await start(current.signal)) ?? outcome.value;
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
