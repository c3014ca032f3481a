import { type AllottedCredits, sumAllotments } from "../accounts/ledger-rows.ts";
import { listNodes, type NodesAnswer } from "./nodes-shapes.ts";
import { defineOperation } from "../api/operation.ts";
import { leaseKinds } from "../storage/coordination/lease-kinds.ts";
import type { KnownNode } from "../storage/coordination/nodes.ts";
import type { Database } from "../storage/database/database.ts";
import { countDueJobs } from "../jobs/queue/job-rows.ts";

export interface NodeServices {
  readonly database: Database;
  /** Undefined where this process is the only one. */
  readonly nodes:
    | {
        readonly tag: string;
        all(): Promise<readonly KnownNode[]>;
        ageMs(node: KnownNode): number;
      }
    | undefined;
}

const NOTHING_ALLOTTED: AllottedCredits = { teams: 0, credits: 0 };

/** The processes that share the database, and how far behind they are. */
export const nodes = defineOperation({
  ...listNodes,
  async handle(_call, { database, nodes: part }: NodeServices) {
    const due = await countDueJobs(database, database.nowMs?.() ?? Date.now());
    const all = (await part?.all()) ?? [];
    const allotted = part ? await sumAllotments(database) : new Map<string, AllottedCredits>();
    const data: NodesAnswer["data"] = {
      isShared: part !== undefined,
      nodes: all.map((node) => ({
        ...showNode(node, part?.ageMs(node) ?? 0),
        isThisOne: node.tag === part?.tag,
        allotments: allotted.get(node.process) ?? NOTHING_ALLOTTED,
      })),
      jobs: { due: due.count, longestWaitMs: Math.round(due.longestMs) },
      leases: [...(await leaseKinds(database))],
    };
    return { success: true, data };
  },
});

function showNode({ tag, facts }: KnownNode, ageMs: number) {
  const { roles, startedAtMs } = facts;
  const { version, isDraining, fetching, waiting, sessions, memoryBytes, eventLoopLagMs } = facts;
  return {
    id: tag,
    roles: [...roles],
    startedAt: new Date(startedAtMs).toISOString(),
    heartbeatAgeMs: Math.round(ageMs),
    version,
    isDraining,
    fetching,
    waiting,
    sessions,
    memoryBytes,
    eventLoopLagMs,
  };
}
