import type { Signal } from "@preact/signals";
import { useEffect, useRef, useState } from "preact/hooks";

import { routeOfPosts } from "../../client/post.ts";
import { messageOf } from "../../client/ask.ts";
import { hasMistake } from "../../forms/first-mistake.ts";
import { tell } from "../../parts/toasts.tsx";
import { whyForbidden } from "../../parts/act-button.tsx";
import type { Outcome } from "./run.ts";

/** What is shown of runs. It outlives the screen. */
interface Shown {
  readonly outcome: Signal<Outcome | undefined>;
  /** The last run before it that brought something, to compare with. */
  readonly previous: Signal<Outcome | undefined>;
}

/** Runs a request, also by ⌘↵ or Ctrl ↵ from anywhere on the screen. @param start undefined: there is nothing to run. */
export function useRun(
  { outcome, previous }: Shown,
  start: (leaving: AbortSignal) => Promise<Outcome | undefined>,
) {
  const [isRunning, setRunning] = useState(false);
  const running = useRef<AbortController | undefined>(undefined);
  async function run(): Promise<void> {
    if (whyForbidden(routeOfPosts()) || hasMistake(document.querySelector("main"))) return;
    running.current?.abort();
    const current = new AbortController();
    running.current = current;
    setRunning(true);
    if (outcome.value?.document) previous.value = outcome.value;
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
    // What came before belongs to another request.
    outcome.value = undefined;
    tell("info", "Cancelled.");
  }
  return { isRunning, run, cancel };
}
