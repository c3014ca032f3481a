import type { NodesAnswer } from "@pergamon-dev/server/operator/nodes";
import { useAnswer } from "../../client/load.ts";
import { bytes, count, plural } from "../../format/numbers.ts";
import { duration } from "../../format/times.ts";
import { Sign } from "../../parts/badge.tsx";
import { Panel } from "../../parts/page.tsx";

type Data = NodesAnswer["data"];
type Node = Data["nodes"][number];

const LOOK_MS = 5000;
/** Two heartbeats. */
const LATE_MS = 12_000;

/** The processes that share the work; nothing where there is one. */
export function Nodes() {
  const loaded = useAnswer("GET /admin/api/nodes", {}, { everyMs: LOOK_MS });
  const { isShared = false, nodes = [], ...rest } = loaded.data?.data ?? {};
  if (!isShared) return null;
  return (
    <Panel title="Nodes" beside={<span class="faint">{plural(nodes.length, "node")}</span>}>
      <ul class="checks">
        {nodes.map((node) => (
          <Line key={node.id} node={node} />
        ))}
      </ul>
      <Shared {...rest} />
    </Panel>
  );
}

function Line({ node }: { readonly node: Node }) {
  const { id, isThisOne, roles, version, heartbeatAgeMs, allotments } = node;
  const { fetching, sessions, memoryBytes } = node;
  const state = stateOf(node);
  return (
    <li>
      <Sign {...state} />
      <div class="grow">
        <b>
          {roles.join(", ")}
          {isThisOne && <span class="faint"> · this one</span>}
        </b>
        <p class="help">
          <code>{id}</code> · version {version} · {state.name.toLowerCase()}, heard {duration(heartbeatAgeMs)}{" "}
          ago
        </p>
        <p class="help">
          {plural(fetching, "page")} in progress · {plural(sessions, "session")}
          {allotments.credits > 0 && ` · ${plural(allotments.credits, "credit")} taken in advance`} ·{" "}
          {bytes(memoryBytes)}
        </p>
      </div>
    </li>
  );
}

function stateOf({ isDraining, heartbeatAgeMs }: Node) {
  if (isDraining) return { tone: "info", name: "Ending" } as const;
  if (heartbeatAgeMs > LATE_MS) return { tone: "warn", name: "Silent" } as const;
  return { tone: "ok", name: "Alive" } as const;
}

function Shared({ jobs, leases = [] }: Partial<Pick<Data, "jobs" | "leases">>) {
  return (
    <div class="body">
      {jobs && (
        <div class="row between">
          <span class="dim">Jobs that wait</span>
          <span class="num">
            <b>{count(jobs.due)}</b>
            {jobs.due > 0 && `, the first for ${duration(jobs.longestWaitMs)}`}
          </span>
        </div>
      )}
      <div class="row between">
        <span class="dim">Leases</span>
        <span class="num">
          {leases.map(({ kind, count: held }) => `${kind} ${held}`).join(", ") || "none"}
        </span>
      </div>
    </div>
  );
}
