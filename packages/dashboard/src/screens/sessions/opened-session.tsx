import { useEffect, useState } from "preact/hooks";

import type { BrowserSession } from "@pergamon-dev/server/interact/operator";
import { ask } from "../../client/ask.ts";
import { sessionChanges } from "../../client/live.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { exactly, span } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import { Asker } from "../../parts/names.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { WithData } from "../../parts/states.tsx";
import { AddressLine, Steps, useActivity } from "./activity.tsx";
import { LiveView } from "./live-view.tsx";
import { SessionConsole } from "./session-console.tsx";
import { SessionState, whyNot } from "./session-state.tsx";
import { ShareButton } from "./share.tsx";

interface OpenedSessionProps {
  readonly id: string;
  readonly onLeave: () => void;
}

/** One session: its page as it changes, what can be run on it, and its end. */
export function OpenedSession({ id, onLeave }: OpenedSessionProps) {
  const loaded = useAnswer("GET /admin/api/sessions/{id}", { params: { id } }, { on: sessionChanges.value });
  const session = loaded.data?.data;
  return (
    <Page
      title="Session"
      beside={session && <SessionState session={session} />}
      acts={
        <>
          <button type="button" class="btn" onClick={onLeave}>
            ‹ All sessions
          </button>
          {session?.state === "active" && session.isHere && <ShareButton id={session.id} />}
          {session?.state === "active" && <EndButton session={session} onEnded={loaded.reload} />}
        </>
      }
    >
      <WithData loaded={loaded} lines={8}>
        {({ data }) => <Workplace session={data} onRan={loaded.reload} />}
      </WithData>
    </Page>
  );
}

interface WorkplaceProps {
  readonly session: BrowserSession;
  readonly onRan: () => void;
}

/** The page over the whole width, with the activity below it; or smaller, next to the activity. */
function Workplace({ session, onRan }: WorkplaceProps) {
  const [isLarge, setLarge] = useState(session.isHere);
  const activity = useActivity(session);
  return (
    <div class={isLarge ? "cols large" : "cols even"}>
      <LiveView
        session={session}
        address={activity && <AddressLine activity={activity} />}
        isLarge={isLarge}
        onResize={setLarge}
      />
      <div class="stack wide">
        {session.isHere && <SessionConsole id={session.id} onRan={onRan} />}
        <SessionFacts session={session} />
      </div>
      {activity && (
        <div class="stack wide">
          <Steps activity={activity} />
        </div>
      )}
    </div>
  );
}

function SessionFacts({ session }: { readonly session: BrowserSession }) {
  const { url, scrapeId, teamId, keyId, createdAt, expiresAt, endedAt, credits, isPrompted } = session;
  const nowMs = useClock();
  const livesFor = span((endedAt === null ? nowMs : Date.parse(endedAt)) - Date.parse(createdAt));
  return (
    <Panel title="Details">
      <dl class="kv">
        <dt>Page</dt>
        <dd class="mono foreign">{plainly(url ?? "without a scrape")}</dd>
        {scrapeId !== null && (
          <>
            <dt>Request</dt>
            <dd>
              <a class="link mono" href={`/dashboard/requests?id=${scrapeId}`}>
                {plainly(scrapeId)}
              </a>
            </dd>
          </>
        )}
        <dt>Team</dt>
        <dd>
          <Asker teamId={teamId} keyId={keyId} />
        </dd>
        <dt>Began</dt>
        <dd>{`${exactly(createdAt)}, ${livesFor} ${endedAt === null ? "ago" : "long"}`}</dd>
        <dt>{endedAt === null ? "Ends" : "Ended"}</dt>
        <dd>
          {[exactly(endedAt ?? expiresAt), endedAt !== null && whyNot(session)].filter(Boolean).join(", ")}
        </dd>
        <dt>Cost</dt>
        <dd>
          {credits === null ? "unknown" : plural(credits, "credit")}
          {isPrompted && ", at the price for prompts"}
        </dd>
      </dl>
    </Panel>
  );
}

interface EndButtonProps {
  readonly session: BrowserSession;
  readonly onEnded: () => void;
}

function EndButton({ session: { id }, onEnded }: EndButtonProps) {
  const [isAsking, setAsking] = useState(false);
  async function end(): Promise<string> {
    const { data } = await ask("DELETE /admin/api/sessions/{id}", { params: { id } });
    return `Session ended. It cost ${plural(data.credits, "credit")}.`;
  }
  function onDone(): void {
    setAsking(false);
    onEnded();
  }
  return (
    <>
      <ActButton route="DELETE /admin/api/sessions/{id}" class="btn danger" onClick={() => setAsking(true)}>
        End session
      </ActButton>
      {isAsking && (
        <Confirm
          title="End this session?"
          verb="End now"
          route="DELETE /admin/api/sessions/{id}"
          work={end}
          onDone={onDone}
          onClose={() => setAsking(false)}
        >
          The browser closes, a writable profile is saved, and the session is charged. Clients of the session
          get an error that it has ended.
        </Confirm>
      )}
    </>
  );
}

/** The time, by the minute. */
function useClock(): number {
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}
