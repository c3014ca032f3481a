import { useState } from "preact/hooks";

import type { AlertsAnswer } from "../../../src/contract/operator/alerts.ts";
import { ask } from "../../client/ask.ts";
import { useLoad } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { exactly } from "../../format/times.ts";
import { Badge } from "../../parts/badge.tsx";
import { CopyLine } from "../../parts/copy.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Page, Panel } from "../../parts/page.tsx";
import { Empty, Notice, WithData } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { AlertForm } from "./alert-form.tsx";
import { AlertTest } from "./alert-test.tsx";

type Data = AlertsAnswer["data"];

const TONES = { pending: "info", sent: "ok", failed: "bad" } as const;

/** Alerts: those that are active, the messages that were sent, and the settings. */
export function Alerts() {
  const loaded = useLoad((signal) => ask("GET /admin/api/alerts", { signal }), []);
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <Page title="Alerts" beside={<span class="faint">one message when it begins, one when it ends</span>}>
      <WithData loaded={loaded} lines={8}>
        {({ data }) => (
          <div class="cols">
            <div class="stack wide">
              <Panel title="Current alerts">
                <Current alerts={data.alerts} />
              </Panel>
              <Panel title="Messages">
                <Table
                  label="Messages"
                  columns={COLUMNS}
                  rows={data.messages}
                  keyOf={({ id }) => id}
                  empty={<Empty title="No messages yet">What was sent appears here for 30 days.</Empty>}
                />
              </Panel>
            </div>
            <div class="stack wide">
              <Panel title="Alert rules and channels">
                <AlertForm
                  data={data}
                  onSaved={(made) => {
                    setSecret(made);
                    loaded.reload();
                  }}
                />
              </Panel>
              <AlertTest hasWay={data.webhook !== null || data.mail.length > 0} />
            </div>
          </div>
        )}
      </WithData>
      {secret !== null && <SecretDialog secret={secret} onClose={() => setSecret(null)} />}
    </Page>
  );
}

function SecretDialog({ secret, onClose }: { readonly secret: string; readonly onClose: () => void }) {
  return (
    <Dialog title="Secret of the webhook" onClose={onClose}>
      <Notice tone="warn" title="It is shown only once">
        Receivers check the signature of each message with it: HMAC-SHA256 of the raw body, as hexadecimal.
      </Notice>
      <CopyLine value={secret} label="secret" />
      <div class="acts">
        <button type="button" class="btn primary" onClick={onClose}>
          I have copied it
        </button>
      </div>
    </Dialog>
  );
}

function Current({ alerts }: { readonly alerts: Data["alerts"] }) {
  if (alerts.length === 0) return <Empty title="No alerts">None of your rules applies now.</Empty>;
  return (
    <ul class="checks">
      {alerts.map(({ cause, title, detail, since }) => (
        <li key={cause}>
          <Badge tone="bad">{title}</Badge>
          <p class="help wrap foreign">
            {plainly(detail)} <span class="faint">Since {exactly(since)}.</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

const COLUMNS: readonly Column<Data["messages"][number]>[] = [
  {
    heading: "Message",
    kind: "name",
    class: "wrap foreign",
    cell: ({ title, problem }) => (
      <>
        {plainly(title)}
        {problem !== null && <p class="problem wrap">{plainly(problem)}</p>}
      </>
    ),
  },
  { heading: "By", cell: ({ channel }) => channel },
  { heading: "State", cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge> },
  { heading: "When", from: "wide", class: "dim", cell: ({ createdAt }) => exactly(createdAt) },
];
