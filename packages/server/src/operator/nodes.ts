import { z } from "zod";

import { type AllottedCredits, sumAllotments } from "../accounts/ledger-rows.ts";
import { DAY, success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Id, Time } from "../api/operator-fields.ts";
import { forOperator } from "../api/operator-operation.ts";
import { defineOperation } from "../api/operation.ts";
import { leaseKinds } from "../storage/coordination/lease-kinds.ts";
import type { KnownNode } from "../storage/coordination/nodes.ts";
import type { Database } from "../storage/database/database.ts";
import { countDueTasks } from "../jobs/queue/task-rows.ts";

const Node = z.strictObject({
  id: Id,
  isThisOne: z.boolean(),
  roles: z.array(z.string()),
  version: z.string(),
  startedAt: Time,
  heartbeatAgeMs: Count,
  isDraining: z.boolean(),
  allotments: z.strictObject({ teams: Count, credits: Count }),
  fetching: Count,
  waiting: Count,
  sessions: Count,
  memoryBytes: Count,
  eventLoopLagMs: Count,
});

/** `GET /admin/api/nodes`. */
export const NodesAnswer = answerOf(
  z.strictObject({
    isShared: z.boolean(),
    nodes: z.array(Node),
    jobs: z.strictObject({ due: Count, longestWaitMs: Count }),
    leases: z.array(z.strictObject({ kind: z.string(), count: Count })),
  }),
);

export type NodesAnswer = z.output<typeof NodesAnswer>;

export interface NodeServices {
  readonly database: Database;
  /** Undefined when this is the only process. */
  readonly nodes:
    | {
        readonly tag: string;
        all(): Promise<readonly KnownNode[]>;
        ageMs(node: KnownNode): number;
      }
    | undefined;
}

const NOTHING_ALLOTTED: AllottedCredits = { teams: 0, credits: 0 };

/** The processes that share the database, with their delays. */
export const nodes = defineOperation({
  ...forOperator,
  line: "GET /admin/api/nodes",
  answer: defineShape("Nodes", NodesAnswer, {
    success,
    data: {
      isShared: true,
      nodes: [
        {
          id: "3f9a21bc",
          isThisOne: true,
          roles: ["api", "work"],
          version: "1.0.0",
          startedAt: DAY,
          heartbeatAgeMs: 1200,
          isDraining: false,
          allotments: { teams: 1, credits: 1000 },
          fetching: 2,
          waiting: 0,
          sessions: 0,
          memoryBytes: 250_000_000,
          eventLoopLagMs: 1,
        },
      ],
      jobs: { due: 0, longestWaitMs: 0 },
      leases: [{ kind: "prune", count: 1 }],
    },
  }),
  async handle(_call, { database, nodes: part }: NodeServices) {
    const due = await countDueTasks(database, database.nowMs?.() ?? Date.now());
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
