import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";

import type { BrowserSession } from "@pergamon-dev/server/interact/operator";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { ActButton, whyForbidden } from "../../parts/act-button.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty, WithData } from "../../parts/states.tsx";

interface LiveViewProps {
  readonly session: BrowserSession;
  /** Where the browser is. */
  readonly address: ComponentChildren;
  readonly isLarge: boolean;
  readonly onResize: (isLarge: boolean) => void;
}

const ROUTE = "POST /admin/api/sessions/{id}/view";

/** The page of a session as it changes; taken over, it takes mouse and keyboard. */
export function LiveView({ session: { id, isHere, state }, address, isLarge, onResize }: LiveViewProps) {
  const [isInteractive, setInteractive] = useState(false);
  const refusal = whyForbidden(ROUTE);
  if (refusal !== undefined) {
    return (
      <Panel title="Live view">
        <Empty title="The page is not shown">Whoever sees it can take it over. {refusal}</Empty>
      </Panel>
    );
  }
  if (!isHere) {
    return (
      <Panel title="Live view">
        <Empty title={state === "active" ? "The session runs in another process" : "The session has ended"}>
          {state === "active"
            ? "To view it, open the dashboard of that process. You can end the session here."
            : "The live view is no longer available. The log shows the request that opened the session."}
        </Empty>
      </Panel>
    );
  }
  return (
    <Panel
      title={isInteractive ? "Interactive" : "Live view"}
      class="live"
      beside={
        <>
          <button
            type="button"
            class="btn small wide-only"
            aria-pressed={isLarge}
            onClick={() => onResize(!isLarge)}
          >
            Large view
          </button>
          <ActButton
            route={ROUTE}
            class={isInteractive ? "btn small" : "btn small primary"}
            aria-pressed={isInteractive}
            onClick={() => setInteractive(!isInteractive)}
          >
            {isInteractive ? "Release" : "Take over"}
          </ActButton>
        </>
      }
    >
      {address}
      <Screen key={String(isInteractive)} id={id} isInteractive={isInteractive} />
      <p class="more help">
        {isInteractive
          ? "Mouse and keyboard input goes to the page. Press Shift+Escape, then Tab, to leave the view."
          : "The view is read-only. Take over to click and type. Other users of the session are not interrupted."}
      </p>
    </Panel>
  );
}

function Screen({ id, isInteractive }: { readonly id: string; readonly isInteractive: boolean }) {
  const loaded = useLoad(
    `view ${id} ${isInteractive}`,
    (signal) => ask(ROUTE, { params: { id }, body: { isInteractive }, signal }),
    { everyMs: "fixed" },
  );
  return (
    <WithData loaded={loaded}>
      {({ data: { path } }) => <iframe class="screen" src={path} title="The page of the session" />}
    </WithData>
  );
}
