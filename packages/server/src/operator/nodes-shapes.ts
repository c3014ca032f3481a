import { z } from "zod";

import { DAY, success } from "../api/example-values.ts";
import { defineShape } from "../api/operation-shape.ts";
import { answerOf, Count, Id, Time } from "../api/operator-fields.ts";
import { operatorOperation } from "../api/operator-operation.ts";

const Node = z.strictObject({
  id: Id,
  isThisOne: z.boolean().describe("Whether this process gave the answer."),
  roles: z.array(z.string()).describe("`api` and `work`."),
  version: z.string(),
  startedAt: Time,
  heartbeatAgeMs: Count.describe(
    "Since the process was last heard of. After 30 seconds it is taken for dead.",
  ),
  isDraining: z.boolean().describe("True when the process is going to end."),
  allotments: z
    .strictObject({ teams: Count, credits: Count })
    .describe("Credits that it has taken from teams in advance, to charge without asking the others."),
  fetching: Count,
  waiting: Count,
  sessions: Count,
  memoryBytes: Count,
  eventLoopLagMs: Count,
});

/** `GET /admin/api/nodes`. */
export const NodesAnswer = answerOf(
  z.strictObject({
    isShared: z.boolean().describe("False where this process is the only one; `nodes` is empty then."),
    nodes: z.array(Node).describe("Processes that are alive, the oldest first."),
    jobs: z
      .strictObject({ due: Count, longestWaitMs: Count })
      .describe("Jobs that wait although they are due, up to 10,000, and how long the first has waited."),
    leases: z
      .array(z.strictObject({ kind: z.string(), count: Count }))
      .describe("Work that only one process may do at a time, and that one has now, such as `prune`."),
  }),
);

export type NodesAnswer = z.output<typeof NodesAnswer>;

export const listNodes = operatorOperation({
  line: "GET /admin/api/nodes",
  summary: "List the processes that share the database, and how many jobs wait",
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
});
