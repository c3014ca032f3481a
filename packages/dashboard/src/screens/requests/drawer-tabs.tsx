import { useState } from "preact/hooks";

import type { RequestAnswer } from "@pergamon-dev/server/history/operator/show-request";
import { Differences } from "../../answers/differences.tsx";
import { Source } from "../../answers/source.tsx";
import { TimeSpent } from "../../answers/time-spent.tsx";
import { useAddressPart } from "../../client/address-part.ts";
import { useAnswer } from "../../client/load.ts";
import { plainly } from "../../format/foreign.ts";
import { duration } from "../../format/times.ts";
import { Empty, WithData } from "../../parts/states.tsx";
import { Table } from "../../parts/table.tsx";
import { TabPanel, Tabs } from "../../parts/tabs.tsx";
import { KeptAnswer } from "./kept-answer.tsx";

type Detail = RequestAnswer["data"];
type Stage = Detail["timings"][number];

const NAMES = { answer: "Response", request: "Request", timing: "Timing", compare: "Compare" } as const;
type Name = keyof typeof NAMES;

const VIEWS: Readonly<Record<Name, (props: { readonly detail: Detail }) => preact.ComponentChild>> = {
  answer: KeptAnswer,
  request: Sent,
  timing: Timing,
  compare: Compare,
};

/** What came, what was asked, where the time went, and how another run differs. The address names the open tab. */
export function DrawerTabs({ detail }: { readonly detail: Detail }) {
  const [chosen, setChosen] = useAddressPart("tab");
  const selected = isName(chosen) ? chosen : firstOf(detail.request);
  const View = VIEWS[selected];
  return (
    <>
      <div class="more row wrapping">
        <Tabs label="Request" tabs={NAMES} selected={selected} onSelect={setChosen} />
        <span class="grow" />
        {detail.body !== null && detail.request.kind === "scrape" && (
          <a
            class="btn small quiet"
            aria-label="Open in playground"
            href={`/dashboard/playground?id=${encodeURIComponent(detail.request.id)}`}
          >
            Playground
          </a>
        )}
        {detail.hasAnswer && detail.request.kind === "scrape" && (
          <a class="btn small quiet" href={`/dashboard/response?id=${encodeURIComponent(detail.request.id)}`}>
            Open large
          </a>
        )}
      </div>
      <TabPanel label="Request" selected={selected}>
        <View detail={detail} />
      </TabPanel>
    </>
  );
}

function isName(text: string): text is Name {
  return Object.hasOwn(NAMES, text);
}

/** The tab that is opened first: the differences of a replay, the body of a failed request, else the response. */
function firstOf({ replayOf, status }: Detail["request"]): Name {
  if (replayOf !== null) return "compare";
  return status === "failed" ? "request" : "answer";
}

function Sent({ detail: { body } }: { readonly detail: Detail }) {
  if (body === null)
    return <Empty title="The body is not stored">Bodies are stored as long as the log.</Empty>;
  return <Source text={JSON.stringify(body, null, 2)} label="request" />;
}

function Timing({ detail: { timings, request } }: { readonly detail: Detail }) {
  const total = Math.max(1, request.durationMs);
  const whole = { name: "Whole request", durationMs: request.durationMs, startMs: null };
  const emphasised = (row: Stage, text: string) => (row === whole ? <b>{text}</b> : text);
  return (
    <>
      <TimeSpent stages={timings} totalMs={request.durationMs} />
      <Table
        label="Stages"
        columns={[
          { heading: "Stage", class: "wrap foreign", cell: (row) => emphasised(row, plainly(row.name)) },
          {
            heading: "From start to end",
            from: "wide",
            cell: ({ startMs, durationMs }) =>
              startMs !== null && (
                <span class="lane">
                  <i
                    style={{
                      marginLeft: `${Math.min(99, (100 * startMs) / total)}%`,
                      width: `${Math.max(1, (100 * durationMs) / total)}%`,
                    }}
                  />
                </span>
              ),
          },
          {
            heading: "Duration",
            kind: "number",
            cell: (row) => emphasised(row, duration(row.durationMs)),
          },
        ]}
        rows={[...timings, whole]}
        keyOf={(_, index) => index}
      />
    </>
  );
}

/** With the request that it repeats, or with any other. */
function Compare({ detail: { request, replays } }: { readonly detail: Detail }) {
  const [other, setOther] = useState(request.replayOf ?? replays[0] ?? "");
  // What came first stands left.
  const [a, b] = other < request.id ? [other, request.id] : [request.id, other];
  return (
    <>
      <div class="more">
        <label class="row grow">
          <span class="dim">With</span>
          <input
            class="field mono"
            placeholder="id of another request"
            value={other}
            onInput={({ currentTarget }) => setOther(currentTarget.value.trim())}
          />
        </label>
      </div>
      {other === "" ? (
        <Empty title="Nothing to compare with">Replay this request, or enter the id of another one.</Empty>
      ) : (
        <Compared a={a} b={b} />
      )}
    </>
  );
}

function Compared({ a, b }: { readonly a: string; readonly b: string }) {
  const loaded = useAnswer("GET /admin/api/compare", { query: { a, b } }, { everyMs: "fixed" });
  return <WithData loaded={loaded}>{({ data }) => <Differences comparison={data} />}</WithData>;
}
