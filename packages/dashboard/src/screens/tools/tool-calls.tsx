import { useState } from "preact/hooks";

import type { ToolRequestsAnswer } from "@pergamon-dev/server/tools/operator/show-provider";
import { ask } from "../../client/ask.ts";
import { usePages } from "../../client/pages-of.ts";
import { plainly } from "../../format/foreign.ts";
import { plural } from "../../format/numbers.ts";
import { exactly } from "../../format/times.ts";
import { ActButton } from "../../parts/act-button.tsx";
import { Badge } from "../../parts/badge.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Asker } from "../../parts/names.tsx";
import { Panel } from "../../parts/page.tsx";
import { inWords } from "../../parts/request-marks.tsx";
import { Empty, WithPages } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { act } from "../../parts/toasts.tsx";

type Call = ToolRequestsAnswer["data"][number];

const TONES = {
  running: "info",
  completed: "ok",
  unpaid: "bad",
  unresolved: "warn",
} as const;
const ROWS = 20;

/** What was called of providers, newest first, and the way to settle calls of unknown outcome. */
export function ToolCalls() {
  const pages = usePages<Call>("tool calls", (cursor, signal) =>
    ask("GET /admin/api/tool-requests", {
      query: { limit: ROWS, ...(cursor !== undefined && { cursor }) },
      signal,
    }),
  );
  const [resolving, setResolving] = useState<Call | undefined>(undefined);
  return (
    <Panel title="Calls">
      <WithPages pages={pages} verb="Show older calls" lines={2}>
        {(calls) => (
          <Table
            label="Calls"
            columns={columnsOf(setResolving)}
            rows={calls}
            keyOf={({ scrapeId }) => scrapeId}
            empty={<Empty title="No calls yet">Requests in provider-tool mode appear here for 7 days.</Empty>}
          />
        )}
      </WithPages>
      {resolving && (
        <ResolveDialog
          call={resolving}
          onResolved={pages.loaded.reload}
          onClose={() => setResolving(undefined)}
        />
      )}
    </Panel>
  );
}

function columnsOf(onResolve: (call: Call) => void): readonly Column<Call>[] {
  return [
    {
      heading: "Called",
      kind: "name",
      class: "wrap",
      cell: (call) => (
        <>
          <span class="mono foreign">{plainly(namesOf(call))}</span>
          <p class="help">
            {plural(call.calls.length, "call")}
            {call.quote !== null && `, at most ${plural(call.quote, "credit")}`}
          </p>
        </>
      ),
    },
    {
      heading: "State",
      cell: (call) => (
        <>
          <State call={call} />
          {call.state === "unresolved" && (
            <p>
              <ActButton
                route="POST /admin/api/tool-requests/{id}/resolve"
                class="btn small"
                aria-label={`Resolve ${call.chargeId}`}
                onClick={() => onResolve(call)}
              >
                Resolve
              </ActButton>
            </p>
          )}
        </>
      ),
    },
    {
      heading: "Who",
      from: "wide",
      cell: ({ teamId, keyId }) => <Asker teamId={teamId} keyId={keyId} />,
    },
    { heading: "When", from: "wide", class: "dim", cell: ({ createdAt }) => exactly(createdAt) },
  ];
}

/** A request is completed when all of its calls have ended, failed ones too. */
function State({ call: { state, calls } }: { readonly call: Call }) {
  const codes = calls.flatMap(({ code }) => code ?? []);
  if (codes.length === 0) return <Badge tone={TONES[state]}>{state}</Badge>;
  const isPartial = codes.length < calls.length;
  return (
    <>
      <Badge tone={isPartial ? "warn" : "bad"}>{isPartial ? "partial" : "failed"}</Badge>
      <p class="help foreign">{plainly([...new Set(codes)].map(inWords).join(", "))}</p>
    </>
  );
}

interface ResolveProps {
  readonly call: Call;
  readonly onResolved: () => void;
  readonly onClose: () => void;
}

/** The provider knows whether it was called; the operator asks it, and decides. */
function ResolveDialog({ call, onResolved, onClose }: ResolveProps) {
  async function resolve(outcome: "charged" | "released"): Promise<void> {
    onClose();
    await act(async () => {
      const params = { id: call.chargeId };
      await ask("POST /admin/api/tool-requests/{id}/resolve", { params, body: { outcome } });
      return outcome === "charged" ? "Charged." : "Released: nothing was charged.";
    });
    onResolved();
  }
  return (
    <Dialog title="Was the provider called?" onClose={onClose}>
      <p class="wrap foreign">{plainly(namesOf(call))}</p>
      <p class="help">
        The service ended while this request was under way, and the provider may have done what was asked.
        Look there. If you do nothing, it ends by itself without a charge, 24 hours after it was sent.
      </p>
      <div class="acts">
        <ActButton
          route="POST /admin/api/tool-requests/{id}/resolve"
          class="btn"
          onClick={() => void resolve("released")}
        >
          It was not: charge nothing
        </ActButton>
        <ActButton
          route="POST /admin/api/tool-requests/{id}/resolve"
          class="btn primary"
          onClick={() => void resolve("charged")}
        >
          {`It was: charge ${call.quote === null ? "it" : plural(call.quote, "credit")}`}
        </ActButton>
      </div>
    </Dialog>
  );
}

function namesOf({ calls }: Call): string {
  return calls.map(({ provider, capability }) => `${provider}.${capability}`).join(", ");
}
