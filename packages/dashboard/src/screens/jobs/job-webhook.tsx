import type { Delivery } from "@pergamon-dev/server/jobs/operator/deliveries";
import type { JobAnswer, JobEntry } from "@pergamon-dev/server/jobs/operator/show-job";
import { useState } from "preact/hooks";

import { Source } from "../../answers/source.tsx";
import { ask } from "../../client/ask.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { count, plural } from "../../format/numbers.ts";
import { exactly, moment } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Panel } from "../../parts/page.tsx";
import { Notice, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { act } from "../../parts/toasts.tsx";

type Receiver = NonNullable<JobAnswer["data"]["receiver"]>;

interface JobWebhookProps {
  readonly job: JobEntry;
  readonly receiver: Receiver;
  readonly onResent: () => void;
}

/** Events that are shown. */
const ROWS = 50;
const TONES = { waiting: "info", handed: "accent", delivered: "ok", dead: "bad" } as const;
const NAMES = { waiting: "pending", handed: "sending", delivered: "delivered", dead: "given up" } as const;

/** The receiver of a job's webhook, and its deliveries. */
export function JobWebhook({ job, receiver, onResent }: JobWebhookProps) {
  const { origin, counts, pausedUntil, failuresInARow, lastError } = receiver;
  const loaded = useAnswer("GET /admin/api/deliveries", { query: { job: job.id, limit: ROWS } });
  async function resendDead(): Promise<void> {
    await act(async () => {
      const { data } = await ask("POST /admin/api/jobs/{id}/resend", { params: { id: job.id } });
      return `Resending ${plural(data.resent, "webhook")}.`;
    });
    onResent();
  }
  return (
    <Panel
      title="Webhook"
      beside={
        counts.dead > 0 && (
          <ActButton
            route="POST /admin/api/jobs/{id}/resend"
            class="btn small"
            onClick={() => void resendDead()}
          >
            {`Resend ${count(counts.dead)}`}
          </ActButton>
        )
      }
    >
      <dl class="kv">
        <dt>Receiver</dt>
        <dd class="mono foreign">{plainly(origin)}</dd>
        <dt>Deliveries</dt>
        <dd>{`${count(counts.delivered)} delivered, ${count(counts.handed + counts.waiting)} pending, ${count(counts.dead)} given up`}</dd>
      </dl>
      {failuresInARow > 0 && (
        <Notice
          tone="warn"
          title={
            pausedUntil === null
              ? `${plural(failuresInARow, "delivery", "deliveries")} in a row failed.`
              : `Paused until ${moment(pausedUntil)} after ${plural(failuresInARow, "failure")} in a row.`
          }
        >
          <span class="foreign">{plainly(lastError ?? "")}</span>
        </Notice>
      )}
      <WithData loaded={loaded} lines={3}>
        {({ data }) => <Deliveries deliveries={data} pausedUntil={pausedUntil} onResent={onResent} />}
      </WithData>
    </Panel>
  );
}

interface DeliveriesProps {
  readonly deliveries: readonly Delivery[];
  readonly pausedUntil: string | null;
  readonly onResent: () => void;
}

function Deliveries({ deliveries, pausedUntil, onResent }: DeliveriesProps) {
  return (
    <Table
      label="Deliveries"
      frame={{ class: "scrolls deliveries" }}
      columns={[
        ...columnsDuring(pausedUntil),
        {
          heading: "Actions",
          kind: "mark",
          cell: (delivery) => (
            <span class="row tight">
              <ShowButton delivery={delivery} />
              <ResendButton delivery={delivery} onResent={onResent} />
            </span>
          ),
        },
      ]}
      rows={deliveries}
      keyOf={({ id }) => id}
    />
  );
}

/** While its receiver is paused, nothing is sent: what is due waits for the end of the pause. */
function columnsDuring(pausedUntil: string | null): readonly Column<Delivery>[] {
  const againAt = (nextAt: string) => (pausedUntil !== null && nextAt < pausedUntil ? pausedUntil : nextAt);
  return [
    {
      heading: "Event",
      kind: "name",
      cell: ({ id, type, createdAt, nextAt, lastError }) => (
        <>
          <span class="mono foreign" title={plainly(id)}>
            {plainly(type)}
          </span>
          <span class="faint foreign" title={exactly(createdAt)}>
            {[
              moment(createdAt),
              ...(nextAt === null ? [] : [`again at ${moment(againAt(nextAt))}`]),
              ...(lastError === null ? [] : [plainly(lastError)]),
            ].join(" · ")}
          </span>
        </>
      ),
    },
    {
      heading: "State",
      cell: ({ state: known }) => {
        const state = known === "handed" && pausedUntil !== null ? "waiting" : known;
        return <Badge tone={TONES[state]}>{NAMES[state]}</Badge>;
      },
    },
    { heading: "Attempts", kind: "number", from: "wide", cell: ({ attempts }) => count(attempts) },
  ];
}

function ShowButton({
  delivery: { id, type, createdAt, lastStatus, lastError },
}: Pick<ResendProps, "delivery">) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button
        type="button"
        class="btn small"
        aria-label={`Show ${plainly(type)} of ${moment(createdAt)}`}
        onClick={() => setIsOpen(true)}
      >
        Show
      </button>
      {isOpen && (
        <Dialog title={plainly(type)} onClose={() => setIsOpen(false)}>
          <p class="wrap foreign">
            {lastStatus === null ? "No answer yet. " : `The receiver answered ${lastStatus}. `}
            {plainly(lastError ?? "")}
          </p>
          <Exchange id={id} />
        </Dialog>
      )}
    </>
  );
}

function Exchange({ id }: { readonly id: string }) {
  const loaded = useAnswer("GET /admin/api/deliveries/{id}", { params: { id } }, { everyMs: "fixed" });
  return (
    <WithData loaded={loaded}>
      {({ data: { body, answer } }) => (
        <>
          {answer !== null && answer !== "" && (
            <>
              <h3>Answer</h3>
              <Source text={inLines(answer)} label="answer" />
            </>
          )}
          <h3>Sent</h3>
          {body === null ? (
            <p class="help">The document of this webhook is not kept any more.</p>
          ) : (
            <Source text={inLines(body)} label="payload" />
          )}
        </>
      )}
    </WithData>
  );
}

/** A body that was cut is no JSON. */
function inLines(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

interface ResendProps {
  readonly delivery: Delivery;
  readonly onResent: () => void;
}

function ResendButton({ delivery: { id, type, state, createdAt }, onResent }: ResendProps) {
  if (state !== "dead" && state !== "delivered") return null;
  async function resend(): Promise<void> {
    await act(async () => {
      await ask("POST /admin/api/deliveries/{id}/resend", { params: { id } });
      return "Resending.";
    });
    onResent();
  }
  return (
    <ActButton
      route="POST /admin/api/deliveries/{id}/resend"
      class="btn small"
      aria-label={`Resend ${plainly(type)} of ${moment(createdAt)}`}
      onClick={() => void resend()}
    >
      Resend
    </ActButton>
  );
}
