import { useState } from "preact/hooks";

import type { BrowserSession } from "../../../src/contract/operator/browser-sessions.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";

/** The page of a session as it changes; taken over, it takes mouse and keyboard. */
export function LiveView({ session: { id, isHere, state } }: { readonly session: BrowserSession }) {
  const [isInteractive, setInteractive] = useState(false);
  if (!isHere) {
    return (
      <Panel title="Live view">
        <Empty title={state === "active" ? "It lives in another process" : "It is over"}>
          {state === "active"
            ? "Open the dashboard of the process that has it to see it. It can be ended from here."
            : "There is nothing to be seen any more. What it was opened on is in the log."}
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel
      title={isInteractive ? "Taken over" : "Live view"}
      beside={
        <button
          type="button"
          class={isInteractive ? "btn small" : "btn small primary"}
          aria-pressed={isInteractive}
          onClick={() => setInteractive(!isInteractive)}
        >
          {isInteractive ? "Give back" : "Take over"}
        </button>
      }
    >
      <Screen key={String(isInteractive)} id={id} isInteractive={isInteractive} />
      <p class="more help">
        {isInteractive
          ? "Mouse and keyboard go to the page. Shift and Escape, then Tab, lead out of it."
          : "You look on. Take over to click and type; whoever else works in it goes on, too."}
      </p>
    </Panel>
  );
}

function Screen({ id, isInteractive }: { readonly id: string; readonly isInteractive: boolean }) {
  const loaded = useLoad(
    (signal) =>
      ask("POST /admin/api/sessions/{id}/view", { params: { id }, body: { isInteractive }, signal }),
    [],
  );
  return (
    <WithData loaded={loaded}>
      {({ data: { path } }) => <iframe class="screen" src={path} title="The page of the session" />}
    </WithData>
  );
}
