import type { BrowserSession, SessionActivityAnswer } from "@pergamon-dev/server/interact/operator";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { duration, exactly } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";
import { Empty } from "../../parts/states.tsx";

type Activity = SessionActivityAnswer["data"];

const REFRESH_MS = 2000;

/** What goes on in a session that lives here, looked at again and again; undefined where none does. */
export function useActivity({ id, isHere, state }: BrowserSession): Activity | undefined {
  const isLive = isHere && state === "active";
  const loaded = useLoad(
    `activity ${id} ${isLive}`,
    async (signal) =>
      isLive ? ask("GET /admin/api/sessions/{id}/activity", { params: { id }, signal }) : undefined,
    { everyMs: REFRESH_MS },
  );
  return isLive ? loaded.data?.data : undefined;
}

/** Where the browser is, as an address bar says it. */
export function AddressLine({ activity }: { readonly activity: Activity }) {
  return (
    <p class="address mono foreign wrap">
      <span class="unseen">The browser is at </span>
      {plainly(activity.url ?? "address not known")}
    </p>
  );
}

/** The calls of everybody, newest first. */
export function Steps({ activity: { steps, clients } }: { readonly activity: Activity }) {
  return (
    <Panel
      title="Steps"
      beside={clients > 0 && <span class="faint">{`${plural(clients, "program")} connected`}</span>}
    >
      {steps.length === 0 ? (
        <Empty title="No steps yet">All code and prompts appear here.</Empty>
      ) : (
        <div class="calls" role="log" aria-label="Steps" tabIndex={0}>
          {steps.map((step) => (
            <Step key={step.number} step={step} />
          ))}
        </div>
      )}
    </Panel>
  );
}

function Step({ step }: { readonly step: Activity["steps"][number] }) {
  const { kind, by, text, startedAt, durationMs, problem } = step;
  const state = durationMs === null ? "running" : problem === null ? "done" : "failed";
  return (
    <article>
      <div class="row tight">
        <Badge tone={state === "running" ? "info" : state === "done" ? "ok" : "bad"}>{state}</Badge>
        <span class="faint foreign" title={exactly(startedAt)}>
          {plainly(`${kind} by ${by ?? "the team"}`)}
          {durationMs !== null && `, ${duration(durationMs)}`}
        </span>
      </div>
      {text !== "" && <pre class="wrap foreign">{plainly(text)}</pre>}
      {problem !== null && <p class="problem wrap foreign">{plainly(problem)}</p>}
    </article>
  );
}
