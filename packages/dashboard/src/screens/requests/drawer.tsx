import { useLocation } from "preact-iso";
import { useState } from "preact/hooks";

import type { RequestAnswer, RequestEntry } from "@pergamon-dev/server/history/operator/show-request";
import { ask, messageOf } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { session } from "../../client/session.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { duration, exactly } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Asker } from "../../parts/names.tsx";
import { Panel } from "../../parts/page.tsx";
import { ResultBadge, shortUrl } from "../../parts/request-marks.tsx";
import { Notice, WithData } from "../../parts/states.tsx";
import { act, tell } from "../../parts/toasts.tsx";
import { Words } from "../../parts/words.tsx";
import { DrawerTabs } from "./drawer-tabs.tsx";
import { ReplayDialog } from "./replay-dialog.tsx";
import { replay, type ReplayChanges } from "./replay.ts";

interface DrawerProps {
  readonly id: string;
  readonly onSelect: (id: string | undefined) => void;
  /** Called after a replay, which is a line of the log of its own. */
  readonly onReplayed: () => void;
}

/** One request: what happened, in words, what came, and what to do again. */
export function Drawer({ id, onSelect, onReplayed }: DrawerProps) {
  const loaded = useAnswer("GET /admin/api/requests/{id}", { params: { id } });
  return (
    <Panel label="Request" class="drawer">
      <WithData loaded={loaded} lines={10}>
        {({ data }) =>
          data.request.id === id && (
            <Detail key={id} detail={data} onSelect={onSelect} onReplayed={onReplayed} />
          )
        }
      </WithData>
    </Panel>
  );
}

interface DetailProps {
  readonly detail: RequestAnswer["data"];
  readonly onSelect: DrawerProps["onSelect"];
  readonly onReplayed: () => void;
}

function Detail({ detail, onSelect, onReplayed }: DetailProps) {
  const { request, explanation } = detail;
  const isFailed = request.status === "failed";
  return (
    <>
      <header>
        <button type="button" class="btn small back" onClick={() => onSelect(undefined)}>
          ‹ All
        </button>
        <div class="grow">
          <span class="mono cut foreign" title={request.url}>
            {shortUrl(request.url)}
          </span>
          <span class="faint mono cut">{request.id}</span>
        </div>
        <ReplayButtons detail={detail} onSelect={onSelect} onReplayed={onReplayed} />
        <button
          type="button"
          class="btn small quiet close"
          aria-label="Close the request"
          title="Close (Esc)"
          onClick={() => onSelect(undefined)}
        >
          ✕
        </button>
      </header>
      <Notice
        tone={isFailed ? "bad" : (request.statusCode ?? 200) < 400 && !request.isPartial ? "ok" : "warn"}
        title={explanation.what}
      >
        {explanation.cause !== null && <p class="foreign">{plainly(explanation.cause)}</p>}
        {explanation.remedy !== null && (
          <p>
            <Words text={explanation.remedy} />
          </p>
        )}
      </Notice>
      <KnownFacts request={request} climbed={detail.climbed} />
      <DrawerTabs detail={detail} />
    </>
  );
}

interface KnownFactsProps extends Pick<RequestAnswer["data"], "climbed"> {
  readonly request: RequestEntry;
}

function KnownFacts({ request, climbed }: KnownFactsProps) {
  const {
    id,
    createdAt,
    durationMs,
    way,
    cacheState,
    creditsUsed,
    keyId,
    teamId,
    origin,
    formats,
    replayOf,
  } = request;
  const isCached = cacheState === "hit" || way === "cache";
  const via = way === null ? "no page" : isCached ? "from the cache" : `via ${way}`;
  const path = climbed === null ? via : `${climbed.from} → ${way} (${climbed.because})`;
  return (
    <dl class="kv">
      <dt>Result</dt>
      <dd>
        <ResultBadge request={request} /> {plural(creditsUsed, "credit")}
      </dd>
      <dt>Asked</dt>
      <dd>{exactly(createdAt)}</dd>
      <dt>Duration</dt>
      <dd>{`${duration(durationMs)}, ${plainly(path)}`}</dd>
      <dt>Key</dt>
      <dd>
        <Asker teamId={teamId} keyId={keyId} />
        {origin !== null && <span class="foreign">, {plainly(origin)}</span>}
      </dd>
      {formats.length > 0 && (
        <>
          <dt>Formats</dt>
          <dd>{plainly(formats.join(", "))}</dd>
        </>
      )}
      {way !== null && (
        <>
          <dt>Page</dt>
          <dd>
            <ForgetButton id={id} /> <WatchButton id={id} />
          </dd>
        </>
      )}
      <PartOf request={request} />
      {replayOf !== null && (
        <>
          <dt>Repeats</dt>
          <dd>
            <a class="link mono" href={`/dashboard/requests?id=${replayOf}`}>
              {plainly(replayOf)}
            </a>
          </dd>
        </>
      )}
    </dl>
  );
}

/** The work that made this request. */
function PartOf({ request: { parentId, kind } }: Pick<KnownFactsProps, "request">) {
  if (parentId === null) return null;
  const isJob =
    session.value?.kinds.some(({ name, endpoint }) => name === kind || endpoint === kind) === true;
  return (
    <>
      <dt>Part of</dt>
      <dd>
        <a
          class="link mono foreign"
          href={`/dashboard/${isJob ? "jobs" : kind === "session" ? "sessions" : "requests"}?id=${encodeURIComponent(parentId)}`}
        >
          {plainly(isJob ? `${kind} ${parentId}` : parentId)}
        </a>
      </dd>
    </>
  );
}

/** Asks by the id of the request: the log does not show the secrets of its address. */
function ForgetButton({ id }: { readonly id: string }) {
  const forget = async () => {
    const { removed } = await ask("POST /admin/api/cache/purge", { body: { request: id } });
    return removed === 0 ? "No version of this page was cached." : `Deleted ${plural(removed, "version")}.`;
  };
  return (
    <ActButton route="POST /admin/api/cache/purge" class="btn small" onClick={() => void act(forget)}>
      Forget this page
    </ActButton>
  );
}

/** With the options of the request; everything can be changed on the monitor's page. */
function WatchButton({ id }: { readonly id: string }) {
  const { route } = useLocation();
  const watch = async () => {
    const { data } = await ask("POST /admin/api/requests/{id}/monitor", {
      params: { id },
      body: { schedule: "daily" },
    });
    route(`/dashboard/monitors?id=${encodeURIComponent(data.id)}`);
    return "The page is checked daily.";
  };
  return (
    <ActButton
      route="POST /admin/api/requests/{id}/monitor"
      class="btn small"
      onClick={() => void act(watch)}
    >
      Watch this page
    </ActButton>
  );
}

function ReplayButtons({ detail, onSelect, onReplayed }: DetailProps) {
  const [dialog, setDialog] = useState<"changes" | "secrets" | undefined>(undefined);
  const [isRunning, setRunning] = useState(false);
  const { request, body, masked } = detail;
  async function run(changes: ReplayChanges): Promise<void> {
    const { id, status, error } = await replay(request.id, changes);
    tell(
      status === "failed" ? "bad" : "ok",
      status === "failed" ? `The replay failed: ${error}` : "Replayed.",
    );
    onReplayed();
    onSelect(id);
  }
  async function runAgain(): Promise<void> {
    if (masked.length > 0) {
      setDialog("secrets");
      return;
    }
    setRunning(true);
    await run({}).catch((problem: unknown) => tell("bad", messageOf(problem)));
    setRunning(false);
  }
  if (body === null)
    return <span class="faint">The body of this request is not stored, so it cannot be replayed.</span>;
  return (
    <>
      <ActButton
        route="POST /admin/api/requests/{id}/replay"
        class="btn small"
        onClick={() => setDialog("changes")}
      >
        Replay with changes
      </ActButton>
      <ActButton
        route="POST /admin/api/requests/{id}/replay"
        class="btn small primary"
        disabled={isRunning}
        onClick={() => void runAgain()}
      >
        {isRunning ? "Replaying" : "Replay"}
      </ActButton>
      {dialog !== undefined && (
        <ReplayDialog
          detail={detail}
          withChanges={dialog === "changes"}
          onRun={run}
          onClose={() => setDialog(undefined)}
        />
      )}
    </>
  );
}
