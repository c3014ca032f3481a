import type { LiveStatus } from "./overview.ts";
import type { NodeFacts } from "../storage/coordination/nodes.ts";
import type { NodePart } from "../http/nodes/open.ts";

/** How the service does, with what the other nodes have said of themselves at their last heartbeat. */
export function statusOfAll(nodes: NodePart | undefined, own: LiveStatus): LiveStatus {
  const others = nodes?.others().map(({ facts }) => facts) ?? [];
  if (others.length === 0) return own;
  const sum = (read: (facts: NodeFacts) => number) => others.reduce((total, facts) => total + read(facts), 0);
  return {
    ...own,
    fetching: own.fetching + sum(({ fetching }) => fetching),
    fetchingLimit: own.fetchingLimit + sum(({ fetchingLimit }) => fetchingLimit),
    waiting: own.waiting + sum(({ waiting }) => waiting),
    sessions: own.sessions + sum(({ sessions }) => sessions),
    memoryBytes: own.memoryBytes + sum(({ memoryBytes }) => memoryBytes),
    eventLoopLagMs: Math.max(own.eventLoopLagMs, ...others.map(({ eventLoopLagMs }) => eventLoopLagMs)),
    overloaded: own.overloaded ?? others.find(({ overloaded }) => overloaded !== null)?.overloaded ?? null,
  };
}
