import { SparkLine } from "../../charts/spark-line.tsx";
import { seconds } from "../../client/live.ts";
import { bytes, count } from "../../format/numbers.ts";
import { span } from "../../format/times.ts";
import { Panel } from "../../parts/page.tsx";
import { Notice, Skeleton } from "../../parts/states.tsx";

/** Seconds that the line shows. */
const LENGTH = 90;

/** How the service does, each second. */
export function RightNow() {
  const now = seconds.value.at(-1);
  return (
    <Panel title="Right now" beside={<span class="faint">updated every second</span>}>
      {now?.overloaded !== null && now?.overloaded !== undefined && (
        <Notice tone="bad" title={`Requests are rejected: ${now.overloaded}`} />
      )}
      {now === undefined ? (
        <Skeleton lines={3} />
      ) : (
        <div class="body">
          <div class="row between">
            <span class="dim">Pages in progress</span>
            <span class="num">
              <b>{count(now.fetching)}</b> of {count(now.fetchingLimit)}
            </span>
          </div>
          <SparkLine
            label="Pages in progress, last 90 seconds"
            values={seconds.value.map(({ fetching }) => fetching)}
            most={Math.max(4, ...seconds.value.map(({ fetching }) => fetching))}
            length={LENGTH}
          />
          <Line name="Waiting for a slot of the service" value={count(now.waiting)} />
          <Line name="Memory" value={bytes(now.memoryBytes)} />
          <Line name="Live sessions" value={count(now.sessions)} />
          <Line name="Uptime" value={span(now.uptimeSeconds * 1000)} />
        </div>
      )}
    </Panel>
  );
}

function Line({ name, value }: { readonly name: string; readonly value: string }) {
  return (
    <div class="row between">
      <span class="dim">{name}</span>
      <span class="num">{value}</span>
    </div>
  );
}
